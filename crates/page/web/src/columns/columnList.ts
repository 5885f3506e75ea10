// The columns of the tables and of the policy as one list, and what of it is shown: searched, kept by role, and sorted.

import type { ColumnProfile, ColumnView, Edit, PolicyView, ProfileAnswer } from "../protocol";

/** A column, as far as it is known. */
export interface ColumnEntry {
  name: string;
  /** What the policy says about it; null if nothing. */
  declared: ColumnView | null;
  /** What it looks like in the tables; null where they have no such column, or are not read yet. */
  seen: ColumnProfile | null;
  /** Its role; null while nobody has given it one, or decided about it. */
  role: string | null;
  /** Whether the proposal left it out for somebody to decide about. */
  decide: boolean;
}

/** Which columns are shown: all, those that wait for a decision, those without a role, or those of a role. */
export type Kept = "all" | "decide" | "undeclared" | "identifier" | "quasi-identifier" | "sensitive" | "insensitive" | "drop";

/** In which order: as in the tables, those that single out most rows first, or by name. */
export type Order = "table" | "alone" | "name";

/** What of the list is shown. */
export interface Look {
  wanted: string;
  kept: Kept;
  order: Order;
}

/** All columns but the one that names the provider: those of the policy first, then those that it does not mention. */
export function columnEntries(policy: PolicyView, profile: ProfileAnswer | null, wished: (name: string) => string | undefined): ColumnEntry[] {
  const seen = new Map(profile?.columns.map((column) => [column.name, column]));
  const entries: ColumnEntry[] = [];
  for (const declared of policy.columns) {
    const wish = wished(declared.name);
    const decide = declared.decide && wish === undefined;
    const role = wish ?? (decide ? null : declared.role);
    entries.push({ name: declared.name, declared, seen: seen.get(declared.name) ?? null, role, decide });
  }
  const known = new Set(entries.map((entry) => entry.name));
  for (const column of profile?.columns ?? []) {
    if (known.has(column.name) || column.name === policy.provider_column) continue;
    entries.push({ name: column.name, declared: null, seen: column, role: wished(column.name) ?? null, decide: false });
  }
  return entries;
}

/** The columns that are shown, in their order. */
export function shownColumns(entries: readonly ColumnEntry[], { wanted, kept, order }: Look): ColumnEntry[] {
  const shown: ColumnEntry[] = [];
  for (const entry of entries) if (isKept(entry, kept) && mentions(entry, wanted)) shown.push(entry);
  if (order === "alone") shown.sort((one, other) => singledOut(other) - singledOut(one));
  if (order === "name") shown.sort((one, other) => one.name.localeCompare(other.name, "en", { numeric: true }));
  return shown;
}

/** What is left out has no kind. */
const LEFT_OUT: ReadonlyArray<string | null> = [null, "drop", "identifier"];

/**
 * The edits that give columns a role. A column that comes back into the release gets the kind that is proposed for it, as
 * in a new policy: otherwise a code would be read as a number.
 */
export function roleEdits(entries: readonly ColumnEntry[], role: string): Edit[] {
  const edits: Edit[] = [];
  for (const { name, role: before, declared, seen } of entries) {
    edits.push({ path: ["columns", name, "role"], value: role });
    const returns = LEFT_OUT.includes(before) && !LEFT_OUT.includes(role);
    if (returns && (declared?.kind ?? null) === null && seen !== null) edits.push({ path: ["columns", name, "kind"], value: seen.proposed_kind });
  }
  return edits;
}

/** The edits that give columns the role that is proposed for each; columns that are not in the tables have none. */
export function proposedEdits(entries: readonly ColumnEntry[]): Edit[] {
  const edits: Edit[] = [];
  for (const entry of entries) if (entry.seen !== null) edits.push(...roleEdits([entry], entry.seen.proposed_role));
  return edits;
}

function isKept(entry: ColumnEntry, kept: Kept): boolean {
  switch (kept) {
    case "all":
      return true;
    case "decide":
      return entry.decide;
    case "undeclared":
      return entry.declared === null;
    default:
      return entry.role === kept;
  }
}

/** Whether all words occur in what is said about a column. */
function mentions({ name, seen, declared, role }: ColumnEntry, wanted: string): boolean {
  const said = [name, declared?.kind, seen?.kind, seen?.recognised, seen?.reason, role].join(" ").toLowerCase();
  const words = wanted.toLowerCase().split(/\s+/).filter((word) => word !== "");
  return words.every((word) => said.includes(word));
}

/** Rows that are alone with their value, then rows that nearly are, then the number of values. */
function singledOut({ seen }: ColumnEntry): number {
  return seen === null ? -1 : seen.alone * 1e6 + seen.rare + seen.distinct / 1e6;
}
