// What was typed about publishing, and the policy that was saved: kept while other steps are looked at.

import { signal } from "@preact/signals";
import { call, problemOf } from "../api";
import type { ProblemView, SaveAnswer } from "../protocol";
import { baseOf, holds } from "../state";

/** The name of the policy's file, once one was typed. */
export const policyName = signal<string | null>(null);
/** The name of the release. */
export const releaseName = signal("release");
/** Whether a release of that name is replaced. */
export const replacing = signal(false);

/** Where saving the policy stands. */
export type Saving =
  | { state: "idle" | "busy" }
  | { state: "saved"; answer: SaveAnswer; text: string }
  | { state: "refused"; problem: ProblemView };

/** The newest saving. */
export const saving = signal<Saving>({ state: "idle" });

/** Saves the policy; `force` replaces a file that holds something else than this tab saw in it. */
export async function save(text: string, name: string, force: boolean): Promise<void> {
  saving.value = { state: "busy" };
  try {
    const answer = await call("/api/save", { text, name, base: baseOf(name), force });
    holds(name, text);
    saving.value = { state: "saved", answer, text };
  } catch (error) {
    const problem = problemOf(error);
    saving.value = problem === null ? { state: "idle" } : { state: "refused", problem };
  }
}
