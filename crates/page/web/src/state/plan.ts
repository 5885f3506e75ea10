// The answer to the text: a candidate, and whether it belongs to the text that is shown now. A new text stops the run
// of the old one; the answer of an old text stays on the screen, marked as such, until the new one is there, so that
// nothing jumps and nothing old passes for new.

import { computed, signal } from "@preact/signals";
import { problemOf, stream, tab } from "../api";
import type { Candidate, PlanEvent, ProblemView } from "../protocol";
import { changedAt, onText, problem as mistake, readable, text } from "./policy";
import { areConfirmed, awaitsConfirmation, confirm } from "./roles";
import { dataVersion, tablesChanged } from "./tables";

/** A candidate and the text it answers. */
export interface Answer {
  candidate: Candidate;
  /** The quick look that the same method had at the same text, where the candidate is final and there was one. */
  look: Candidate | null;
  text: string;
  /** The state of the tables that it was made from. */
  version: number;
  /** Milliseconds from the hand's change to the answer. */
  waited: number;
}

/** What a run says about itself. */
export interface Running {
  step: string;
  method: string;
  done: number | null;
}

/**
 * How an answer relates to the text: `quick` is of a shorter search or of a faster method, the final one is being made;
 * `unconfirmed` waits for somebody to confirm the roles.
 */
export type Freshness = "none" | "updating" | "quick" | "final" | "problem" | "unconfirmed";

/** The newest answer, possibly of an older text. */
export const answer = signal<Answer | null>(null);
/** The final answer before it: what changes are measured against. */
export const previous = signal<Answer | null>(null);
/** The run that is going on. */
export const running = signal<Running | null>(null);
/** Why the text has no candidate, and which text. */
export const failure = signal<{ problem: ProblemView; text: string } | null>(null);

/** How the answer relates to the text. */
export const freshness = computed<Freshness>(() => {
  if (mistake.value !== null) return "problem";
  if (awaitsConfirmation.value) return "unconfirmed";
  if (failure.value?.text === text.value) return "problem";
  if (answer.value === null) return running.value === null ? "none" : "updating";
  if (!isCurrent(answer.value)) return "updating";
  return answer.value.candidate.stage === "quick" ? "quick" : "final";
});

/** Whether the text has no candidate, so that none of an older text may stand for it. */
export const isWithout = computed(() => freshness.value === "problem" || freshness.value === "unconfirmed");

/** The candidate, if it answers the text that is shown. */
export const current = computed(() => (isCurrent(answer.value) ? answer.value.candidate : null));

/** The looks at final candidates, by the candidate's id: what is answered from memory comes without one. */
const looks = new Map<string, Candidate>();
const LOOKS = 50;

const REST = 30;
let stop: AbortController | null = null;
let timer = 0;
let begun = 0;

/** Answers every text from now on. */
export function startPlanning(): void {
  onText((now) => {
    clearTimeout(timer);
    stop?.abort();
    running.value = null;
    // The first change is answered at once; while changes keep coming, one in thirty milliseconds is enough.
    const rest = Math.max(0, begun + REST - performance.now());
    if (now === null) return;
    // Asked before the page is drawn anew: the program works meanwhile.
    if (rest === 0) void plan(now);
    else timer = window.setTimeout(() => void plan(now), rest);
  });
}

/** Asks again for the text as it is, after the tables changed. */
export function planAgain(): void {
  tablesChanged();
  answer.value = null;
  previous.value = null;
  failure.value = null;
  clearTimeout(timer);
  stop?.abort();
  if (text.value !== "") timer = window.setTimeout(() => void plan(text.value), REST);
}

/** Confirms the roles as they are, and looks for a release. */
export function confirmRoles(): void {
  changedAt.value = performance.now();
  confirm();
  if (readable.value !== null) void plan(readable.value);
}

/** Asks again for a candidate that the program has let go, unless a run is on its way that brings one anyway. */
export function planGone(): void {
  if (running.value !== null || current.value === null) return;
  changedAt.value = performance.now();
  void plan(text.value);
}

function isCurrent(one: Answer | null): one is Answer {
  return one !== null && one.text === text.value && one.version === dataVersion.value;
}

async function plan(of: string): Promise<void> {
  if (awaitsConfirmation.value) return;
  const mine = new AbortController();
  stop = mine;
  const version = dataVersion.value;
  begun = performance.now();
  running.value = { step: "starting", method: "", done: null };
  try {
    const take = (event: PlanEvent) => {
      if (!mine.signal.aborted) receive(event, of, version);
    };
    await stream("/api/plan", { tab, text: of, quick: true, confirmed: areConfirmed.value }, take, mine.signal);
  } catch (error) {
    const problem = problemOf(error);
    if (problem !== null && !mine.signal.aborted) failure.value = { problem, text: of };
  } finally {
    if (stop === mine) running.value = null;
  }
}

function receive(event: PlanEvent, of: string, version: number): void {
  switch (event.event) {
    case "progress":
      running.value = { step: event.step, method: event.method, done: event.done };
      break;
    case "answer": {
      const old = answer.value;
      if (old !== null && old.text !== of && old.candidate.stage === "final") previous.value = old;
      if (previous.value?.version !== version) previous.value = null;
      failure.value = null;
      const look = lookAt(event.candidate, old !== null && old.text === of && old.version === version ? old.candidate : null);
      answer.value = { candidate: event.candidate, look, text: of, version, waited: performance.now() - changedAt.value };
      measure(event.candidate.stage, changedAt.value);
      break;
    }
    case "problem":
      failure.value = { problem: event.problem, text: of };
  }
}

/** The look at a final candidate by its own method. A stand-in's look tells nothing about how this method changes. */
function lookAt(candidate: Candidate, before: Candidate | null): Candidate | null {
  if (candidate.stage !== "final") return null;
  if (before?.stage === "quick" && before.method === candidate.method) {
    // set anew, it is the last to go
    looks.delete(candidate.id);
    looks.set(candidate.id, before);
    for (const oldest of looks.keys()) if (looks.size > LOOKS) looks.delete(oldest);
  }
  return looks.get(candidate.id) ?? null;
}

/** Leaves the time from the hand's change to the painted answer where a test finds it. */
function measure(stage: string, start: number): void {
  globalThis.requestAnimationFrame?.(() =>
    setTimeout(() => performance.measure(`answer-${stage}`, { start, end: performance.now() })),
  );
}
