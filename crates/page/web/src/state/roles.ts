// Many quasi-identifiers wait for somebody to confirm the roles before a release is looked for: with so many hardly two
// rows are alike, the search takes long, and what it finds says little. What was confirmed stays so while columns only
// lose the role; a further quasi-identifier asks again.

import { computed, signal } from "@preact/signals";
import { view } from "./policy";

/** The most quasi-identifiers that nobody needs to confirm, as the program says at the start. */
export const mostUnconfirmed = signal(Number.POSITIVE_INFINITY);
/** The sets of quasi-identifiers that were confirmed. */
export const confirmedSets = signal<readonly (readonly string[])[]>([]);

/** The quasi-identifiers of the policy. */
export const quasiIdentifiers = computed(() => {
  const columns = view.value?.columns ?? [];
  return columns.filter((column) => column.role === "quasi-identifier").map((column) => column.name);
});

/** Whether these quasi-identifiers, or more than these, were confirmed. */
export const areConfirmed = computed(() => {
  const now = quasiIdentifiers.value;
  return confirmedSets.value.some((set) => now.every((name) => set.includes(name)));
});

/** Whether nothing is looked for until somebody confirms the roles. */
export const awaitsConfirmation = computed(() => {
  return quasiIdentifiers.value.length > mostUnconfirmed.value && !areConfirmed.value;
});

/** Takes the roles as they are for confirmed. */
export function confirm(): void {
  if (!areConfirmed.value) confirmedSets.value = [...confirmedSets.value, quasiIdentifiers.value];
}
