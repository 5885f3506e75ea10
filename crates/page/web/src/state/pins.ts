// Candidates that are kept to compare with: at most four, each with the text it came from. They are recognized by the
// candidate's name, which tells tables apart as well as texts; one of earlier tables stays, but is not compared with.

import { batch, computed, effect, signal } from "@preact/signals";
import type { Candidate } from "../protocol";
import { answer, current, previous } from "./plan";
import type { Answer } from "./plan";
import { dataVersion, tablesChanged } from "./tables";

/** A kept candidate. */
export interface Pin extends Answer {
  /** A letter, by which it is named. */
  letter: string;
}

const LETTERS = ["A", "B", "C", "D"];

/** The kept candidates, in order of their letters. */
export const pins = signal<Pin[]>([]);
/** The letter of the pin that the answer is measured against; null for the answer before. */
export const baseline = signal<string | null>(null);

/** Whether the answer can be kept: it is final, of the text that is shown, and there is room. */
export const canPin = computed(() => {
  return current.value?.stage === "final" && pins.value.length < LETTERS.length && pinned.value === null;
});

/** The pin of the candidate at hand, if there is one. */
export const pinned = computed(() => {
  const now = current.value;
  return now?.stage === "final" ? (pins.value.find((pin) => pin.candidate.id === now.id) ?? null) : null;
});

/** What the answer is measured against; null where there is nothing of its kind. */
export const reference = computed<Candidate | null>(() => {
  const now = answer.value;
  const chosen = pins.value.find((pin) => pin.letter === baseline.value) ?? previous.value;
  if (now === null || chosen === null || isOfEarlierTables(chosen)) return null;
  return alike(now.candidate, chosen);
});

/**
 * Like is measured against like: a final answer against a final one, a quick look against the look that the same method
 * had there. Between a quick look and a final answer there would be a difference even if nothing had changed.
 */
function alike(candidate: Candidate, chosen: Answer): Candidate | null {
  if (candidate.stage === "final") return chosen.candidate;
  return chosen.look?.method === candidate.method ? chosen.look : null;
}

/** Whether the tables may have become others since. */
export function isOfEarlierTables(one: Answer): boolean {
  return one.version !== dataVersion.value;
}

/** Keeps the answer; returns its letter. */
export function pin(): string | null {
  const now = answer.value;
  const letter = LETTERS.find((one) => !pins.value.some((old) => old.letter === one));
  if (!canPin.value || now === null || letter === undefined) return null;
  pins.value = [...pins.value, { ...now, letter }].sort((one, other) => (one.letter < other.letter ? -1 : 1));
  return letter;
}

// A file that was changed on the disk shows when the text of a pin is answered by another candidate.
effect(() => {
  const now = answer.value;
  if (now === null || now.candidate.stage !== "final") return;
  const other = (pin: Pin) => pin.text === now.text && pin.version === now.version && pin.candidate.id !== now.candidate.id;
  if (!pins.peek().some(other)) return;
  batch(() => {
    tablesChanged();
    previous.value = null;
    answer.value = { ...now, version: dataVersion.peek() };
  });
});

/** Lets a candidate go. */
export function unpin(letter: string): void {
  pins.value = pins.value.filter((old) => old.letter !== letter);
  if (baseline.value === letter) baseline.value = null;
}
