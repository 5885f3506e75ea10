// The policy's text is the state of the page. Every control hands in edits of it; the program applies them and answers
// with the new text and what it says. Undo and redo go over texts.
//
// At most one request is under way. Edits that come meanwhile wait, a later one of the same key taking the place of an
// earlier one, and are sent together: a slider that moves faster than the program answers skips positions, never falls
// behind. What waits is shown by the controls at once (`wish`).

import { batch, computed, effect, signal, untracked } from "@preact/signals";
import { call, isAway, problemOf } from "../api";
import type { Edit, PolicyAnswer, PolicyView, ProblemView } from "../protocol";
import { toast } from "../ui/Toasts";

/** The text; empty until there is a policy. */
export const text = signal("");
/** What it says, as far as it could last be read. */
export const view = signal<PolicyView | null>(null);
/** Where the text is wrong; null if it is fine. */
export const problem = signal<ProblemView | null>(null);
/** Whether the text is TOML, so that controls can edit it, even if something else is wrong with it. */
export const editable = signal(true);
/** The text, once the program has read it and found it right; null otherwise. */
export const readable = signal<string | null>(null);
/** When the hand last changed something, by the page's clock: where the wait for an answer begins. */
export const changedAt = signal(0);

/** Whether there is a policy at all. */
export const loaded = computed(() => text.value !== "");
/** Whether an earlier text can be brought back. */
export const canUndo = computed(() => past.value.length > 0);
/** Whether an undone text can be brought back. */
export const canRedo = computed(() => future.value.length > 0);

const past = signal<string[]>([]);
const future = signal<string[]>([]);
const wishes = signal<ReadonlyMap<string, unknown>>(new Map());
const DEPTH = 200;
/** Changes of the same key within this time are one step of undo. */
const ONE_STEP = 700;

let waiting: Edit[] = [];
let sending = false;
let lastStep = { keys: "", time: 0 };
/** Raised by each new text from outside, so that an answer about an older one is not taken. */
let generation = 0;

/** Changes the policy. Edits of the same key replace one another while they wait. */
export function edit(...edits: Edit[]): void {
  changedAt.value = performance.now();
  const keys = new Set(edits.map(key));
  waiting = [...waiting.filter((old) => !keys.has(key(old))), ...edits];
  wishes.value = new Map([...wishes.value, ...edits.map((one) => [key(one), one.value] as const)]);
  void send();
}

/** Sends the edits that wait, once the program is back. */
export function resend(): void {
  void send();
}

/** Replaces the whole text, as one step of undo. Texts typed by hand in quick succession are one step. */
export function replace(next: string, typed = false): Promise<void> {
  changedAt.value = performance.now();
  remember(typed ? "text" : "");
  return show(next);
}

/** Takes over a policy that the program made; undo leads back to the one before. */
export function adopt(answer: PolicyAnswer): void {
  changedAt.value = performance.now();
  if (text.value !== "" && answer.text !== text.value) remember("");
  drop();
  take(answer);
}

/** Back to the text before. */
export function undo(): void {
  step(past, future, "Undone");
}

/** Forth again. */
export function redo(): void {
  step(future, past, "Redone");
}

/** The value that a control has asked for and that the text does not have yet; undefined if there is none. */
export function wish(...path: string[]): unknown {
  return wishes.value.get(path.join("\u0000"));
}

/** Forgets the policy: back to the beginning. Undo still leads back. */
export function close(): void {
  remember("");
  drop();
  batch(() => {
    text.value = "";
    view.value = null;
    problem.value = null;
    readable.value = null;
  });
}

/** Calls back with each new text that can be read, and with null when the text cannot, or not yet. */
export function onText(run: (text: string | null) => void): () => void {
  return effect(() => {
    const now = readable.value;
    untracked(() => run(now));
  });
}

async function send(): Promise<void> {
  if (sending || waiting.length === 0) return;
  const [edits, of] = [waiting, generation];
  sending = true;
  waiting = [];
  try {
    const answer = await call("/api/policy", { text: text.value, edits });
    if (of === generation) {
      if (answer.text !== text.value) remember(edits.map(key).sort().join());
      take(answer);
    }
  } catch (error) {
    // A program that is away gets its edits when it is back; what it refuses is not asked for again.
    if (isAway(error) && of === generation) return keep(edits);
    toast(problemOf(error)?.text ?? "The change was not made.");
  } finally {
    sending = false;
    const open = new Set(waiting.map(key));
    wishes.value = new Map([...wishes.value].filter(([name]) => open.has(name)));
  }
  void send();
}

function keep(edits: readonly Edit[]): void {
  const newer = new Set(waiting.map(key));
  waiting = [...edits.filter((one) => !newer.has(key(one))), ...waiting];
}

async function show(next: string): Promise<void> {
  drop();
  const of = generation;
  batch(() => {
    text.value = next;
    readable.value = null;
  });
  try {
    const answer = await call("/api/policy", { text: next, edits: [] });
    if (of === generation) take(answer);
  } catch (error) {
    if (of === generation) problem.value = problemOf(error);
  }
}

function take(answer: PolicyAnswer): void {
  batch(() => {
    if (answer.view !== null) view.value = answer.view;
    editable.value = answer.view !== null;
    problem.value = answer.problem;
    text.value = answer.text;
    readable.value = answer.problem === null ? answer.text : null;
  });
}

/** Edits that wait were meant for another text. */
function drop(): void {
  generation += 1;
  waiting = [];
  wishes.value = new Map();
}

function remember(keys: string): void {
  const time = performance.now();
  const same = keys !== "" && keys === lastStep.keys && time - lastStep.time < ONE_STEP;
  lastStep = { keys, time };
  if (same || text.value === "") return;
  past.value = [...past.value.slice(-DEPTH), text.value];
  future.value = [];
}

function step(from: typeof past, to: typeof past, word: string): void {
  const next = from.value.at(-1);
  if (next === undefined) return;
  from.value = from.value.slice(0, -1);
  if (text.value !== "") to.value = [...to.value, text.value];
  lastStep = { keys: "", time: 0 };
  changedAt.value = performance.now();
  toast(word);
  void show(next);
}

function key(one: Edit): string {
  return one.path.join("\u0000");
}
