// What the tables look like. It depends on the tables and on kinds and missing values, so it is asked for again when the
// text changes, but later than the plan: a slider must not wait for it.

import { computed, signal } from "@preact/signals";
import { call, problemOf } from "../api";
import type { ProblemView, ProfileAnswer } from "../protocol";
import { onText, view } from "./policy";

/** The newest profile. */
export const profile = signal<ProfileAnswer | null>(null);
/** Why there is none. */
export const profileProblem = signal<ProblemView | null>(null);

/** The providers' number, as well as it is known. */
export const providers = computed(() =>
  Math.max(profile.value?.providers.length ?? 0, view.value?.providers.length ?? 0),
);

const REST = 150;
let stop: AbortController | null = null;
let timer = 0;
let asked = "";

/** Keeps the profile up to date from now on. */
export function startProfiling(): void {
  onText((text) => {
    clearTimeout(timer);
    if (text === null) return;
    const about = tables(text);
    // Limits and method do not change what the tables look like.
    if (about === asked && profile.value !== null) return;
    timer = window.setTimeout(() => void ask(text, about), profile.value === null ? 0 : REST);
  });
}

/** Asks again, after the tables changed. */
export function profileAgain(text: string): void {
  if (text !== "") void ask(text, tables(text));
}

async function ask(text: string, about: string): Promise<void> {
  stop?.abort();
  const mine = new AbortController();
  stop = mine;
  try {
    const answer = await call("/api/profile", { text }, mine.signal);
    if (mine.signal.aborted) return;
    profile.value = answer;
    profileProblem.value = answer.problem;
    asked = about;
  } catch (error) {
    const problem = problemOf(error);
    if (problem !== null) profileProblem.value = problem;
  }
}

/** The lines of a policy that say what is read: those about data and columns. */
function tables(text: string): string {
  let about = true;
  const kept = text.split("\n").filter((line) => {
    const section = /^\s*\[+\s*["']?([\w-]+)/.exec(line);
    if (section !== null) about = section[1] === "data" || section[1] === "columns";
    return about;
  });
  return kept.join("\n");
}
