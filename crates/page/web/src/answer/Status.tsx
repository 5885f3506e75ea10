// How fresh the numbers are: up to date, a quick look, or of an older text. Always one line, so that nothing moves.

import { useEffect, useState } from "preact/hooks";
import { duration, percent } from "../format";
import { answer, freshness, problem, running, view } from "../state";
import { fallen } from "./measures";
import { verdict } from "./promises";

export function Status() {
  return (
    <div class={`status status-${freshness.value}`}>
      <span class="status-dot" aria-hidden="true" />
      <span class="status-words">{words()}</span>
      <span class="status-track" aria-hidden="true">
        <span
          class={`status-fill${running.value?.done === null ? " is-unknown" : ""}`}
          style={{ "--done": `${(running.value?.done ?? 0) * 100}%` }}
          hidden={running.value === null}
        />
      </span>
    </div>
  );
}

/** Tells screen readers the gist, once the hand has come to rest. */
export function Announcer() {
  const [said, say] = useState("");
  const state = freshness.value;
  const now = answer.value;
  useEffect(() => {
    if (state !== "final" || now === null) return;
    const timer = setTimeout(() => {
      const insider = fallen(now.candidate, 1);
      const one = insider === null ? "" : `, ${percent(insider)} of people are at risk from one insider`;
      say(`The answer: ${lower(verdict(now.candidate))}; ${percent(now.candidate.loss)} of detail lost${one}.`);
    }, 900);
    return () => clearTimeout(timer);
  }, [state, now]);
  return (
    <p class="visually-hidden" aria-live="polite">
      {said}
    </p>
  );
}

function words(): string {
  const run = running.value;
  const now = answer.value;
  switch (freshness.value) {
    case "none":
      return "Nothing to show yet";
    case "updating":
      return run === null || run.step === "starting"
        ? "Updating…"
        : `Updating: ${run.step}${run.method ? ` by ${run.method}` : ""}…`;
    case "quick":
      return `A quick look by ${now?.candidate.method}${run === null ? "" : afterLook(now?.candidate.method)}`;
    case "unconfirmed":
      return "Waiting for the roles to be confirmed";
    case "problem":
      return problem.value === null ? "No release for this policy" : "The policy needs fixing";
    case "final":
      return `Up to date · ${now?.candidate.method} · answered in ${duration(now?.waited ?? 0)}`;
  }
}

/** What goes on while a quick look stands: the same method searches on, or the policy's own is at work. */
function afterLook(by: string | undefined): string {
  const method = view.value?.method ?? "the method";
  return by === method ? "; refining…" : `; ${method} is at work…`;
}

function lower(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
