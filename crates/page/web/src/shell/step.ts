// Which step of the work is shown.

import { signal } from "@preact/signals";

/** The steps, in the order in which they are usually taken. */
export const STEPS = ["data", "columns", "protection", "compare", "publish"] as const;

/** A step. */
export type Step = (typeof STEPS)[number];

/** The step that is shown. */
export const step = signal<Step>("protection");

/** Shows a step from its top. */
export function go(to: Step): void {
  if (step.value === to) return;
  step.value = to;
  scrollTo({ top: 0 });
}
