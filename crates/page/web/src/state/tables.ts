// Which state of the tables something was computed from. Files change under their names, so that the policy's text alone
// does not tell whether two results are about the same data.

import { signal } from "@preact/signals";

/** Counts up whenever tables or hierarchies may have become others. */
export const dataVersion = signal(0);

/** Says that they may have. */
export function tablesChanged(): void {
  dataVersion.value += 1;
}
