// Candidates that are kept to compare with: at most four, each with the text it came from.

import { computed, signal } from "@preact/signals";
import { answer, previous } from "./plan";
import type { Answer } from "./plan";
import { text } from "./policy";

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
  const now = answer.value;
  const fresh = now !== null && now.text === text.value && now.candidate.stage === "final";
  return fresh && pins.value.length < LETTERS.length && !pins.value.some((pin) => pin.text === now.text);
});

/** The pin of the text that is shown, if there is one. */
export const pinned = computed(() => pins.value.find((pin) => pin.text === text.value) ?? null);

/** What the answer is measured against. */
export const reference = computed<Answer | null>(
  () => pins.value.find((pin) => pin.letter === baseline.value) ?? previous.value,
);

/** Keeps the answer; returns its letter. */
export function pin(): string | null {
  const now = answer.value;
  const letter = LETTERS.find((one) => !pins.value.some((old) => old.letter === one));
  if (!canPin.value || now === null || letter === undefined) return null;
  pins.value = [...pins.value, { ...now, letter }].sort((one, other) => (one.letter < other.letter ? -1 : 1));
  return letter;
}

/** Lets a candidate go. */
export function unpin(letter: string): void {
  pins.value = pins.value.filter((old) => old.letter !== letter);
  if (baseline.value === letter) baseline.value = null;
}
