// What this tab last read from or wrote to each file of a policy. The program compares it with the file before it
// replaces it, so that one tab does not undo what another has saved.

import { signal } from "@preact/signals";

/** Texts by the name of their file. */
export const bases = signal<Readonly<Record<string, string>>>({});

/** What the file of that name held when this tab last saw it; null if it never did. */
export function baseOf(name: string): string | null {
  return Object.hasOwn(bases.value, name) ? (bases.value[name] ?? null) : null;
}

/** Remembers what the file of that name holds. */
export function holds(name: string, text: string): void {
  bases.value = { ...bases.value, [name]: text };
}
