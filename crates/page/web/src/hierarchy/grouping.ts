// Grouping values by hand: values in groups, groups in groups above them. A grouping has one to several levels; the
// root `*` above all of them is not part of it.
//
// Every value belongs to at most one group of level 1; a value in none has no place yet, which the program calls a gap.
// A group that is in no group above stands for itself there, so that all values are equally deep. Groupings are never
// changed in place: each operation gives a new one, which makes taking a step back free. Cost: O(values) a step.

import type { FileRow } from "./hierarchyFile";

/** A group; `parent` is a group of the next level. */
export interface Group {
  readonly id: number;
  readonly level: number;
  readonly label: string;
  readonly parent: number | null;
}

/** Groups in the order in which they are shown and written, and the group of each placed value. */
export interface Grouping {
  readonly levels: number;
  readonly groups: readonly Group[];
  readonly place: ReadonlyMap<string, number>;
  readonly next: number;
}

/** Rows as a grouping, and what could not be taken over as it is written (by line, never by value). */
export interface Imported {
  grouping: Grouping;
  notes: string[];
}

/** How many levels can be built by hand; a file may bring more. */
export const MOST_LEVELS = 3;

/** No groups yet. */
export const EMPTY: Grouping = { levels: 1, groups: [], place: new Map(), next: 1 };

/** Adds a group; the answer has its number. */
export function addGroup(grouping: Grouping, level: number, label: string): [Grouping, number] {
  const group: Group = { id: grouping.next, level, label, parent: null };
  const levels = Math.max(grouping.levels, level);
  return [{ ...grouping, levels, groups: [...grouping.groups, group], next: grouping.next + 1 }, group.id];
}

/** A name that no group has. Never that of a value: it would mean something else once a second value comes in. */
export function freeName(grouping: Grouping, level: number): string {
  const taken = new Set(grouping.groups.map((group) => group.label));
  const stem = level === 1 ? "group" : `level ${level} group`;
  let number = 1;
  while (taken.has(`${stem} ${number}`)) number++;
  return `${stem} ${number}`;
}

/** Gives a group another name. */
export function rename(grouping: Grouping, id: number, label: string): Grouping {
  return { ...grouping, groups: grouping.groups.map((group) => (group.id === id ? { ...group, label } : group)) };
}

/** Takes a group apart: what was in it has no place, or no group above. */
export function dissolve(grouping: Grouping, id: number): Grouping {
  const freed = (group: Group) => (group.parent === id ? { ...group, parent: null } : group);
  const groups = grouping.groups.filter((group) => group.id !== id).map(freed);
  return { ...grouping, groups, place: new Map([...grouping.place].filter(([, group]) => group !== id)) };
}

/** Moves values into a group of level 1, behind those that are there, or out of all groups. */
export function moveValues(grouping: Grouping, values: Iterable<string>, to: number | null): Grouping {
  const target = grouping.groups.find((group) => group.id === to);
  if (to !== null && target?.level !== 1) return grouping;
  const place = new Map(grouping.place);
  for (const value of values) {
    if (to !== null && place.get(value) === to) continue;
    place.delete(value);
    if (to !== null) place.set(value, to);
  }
  return { ...grouping, place };
}

/** Moves a group into a group of the next level, or out of it. Anything else changes nothing. */
export function moveGroup(grouping: Grouping, id: number, parent: number | null): Grouping {
  const [group, above] = [id, parent].map((wanted) => grouping.groups.find((g) => g.id === wanted));
  if (group === undefined || (parent !== null && above?.level !== group.level + 1)) return grouping;
  const moved = { ...group, parent };
  return { ...grouping, groups: grouping.groups.map((g) => (g.id === id ? moved : g)) };
}

/** Adds a level of groups above, as long as there may be one more. */
export function addLevel(grouping: Grouping): Grouping {
  return grouping.levels < MOST_LEVELS ? { ...grouping, levels: grouping.levels + 1 } : grouping;
}

/** Takes away the highest level and its groups. */
export function removeLevel(grouping: Grouping): Grouping {
  if (grouping.levels === 1) return grouping;
  const levels = grouping.levels - 1;
  const top = (group: Group) => (group.level === levels ? { ...group, parent: null } : group);
  return { ...grouping, levels, groups: grouping.groups.filter((group) => group.level <= levels).map(top) };
}

/** The values of each group of level 1, in order. */
export function members(grouping: Grouping): Map<number, string[]> {
  const found = new Map<number, string[]>();
  for (const group of grouping.groups) if (group.level === 1) found.set(group.id, []);
  for (const [value, id] of grouping.place) found.get(id)?.push(value);
  return found;
}

/** What is wrong with the name of a group, by its number. */
export function nameProblems(grouping: Grouping): Map<number, string> {
  const seen = new Map<string, number>();
  const key = (group: Group) => `${group.level} ${group.label}`;
  for (const group of grouping.groups) seen.set(key(group), (seen.get(key(group)) ?? 0) + 1);
  const problem = (group: Group): string | null => {
    if (group.label === "") return "needs a name";
    if (/^\*+$/.test(group.label)) return "stars alone stand for everything";
    return (seen.get(key(group)) ?? 0) > 1 ? "another group has this name" : null;
  };
  const found = grouping.groups.map((group) => [group.id, problem(group)] as const);
  return new Map(found.filter((entry): entry is [number, string] => entry[1] !== null));
}

/** The rows of the hierarchy: value, a label for each level, `*`. Values without a place have no row. */
export function toRows(grouping: Grouping): string[][] {
  const byId = new Map(grouping.groups.map((group) => [group.id, group]));
  const within = members(grouping);
  const inOrder = grouping.groups.filter((group) => group.level === 1).map((group) => pathOf(byId, group, grouping.levels));
  // Groups of one parent stand together, in the order of their parents' first children.
  const rank = new Map<number, number>();
  inOrder.forEach((path, place) => path.forEach((group) => rank.has(group.id) || rank.set(group.id, place)));
  const ranks = (path: Group[]) => path.map((group) => rank.get(group.id) ?? 0).reverse();
  inOrder.sort((left, right) => compare(ranks(left), ranks(right)));
  return inOrder.flatMap((path) => {
    const labels = path.map((group) => group.label);
    return (within.get(path[0]?.id ?? 0) ?? []).map((value) => [value, ...labels, "*"]);
  });
}

/** Takes rows over; a root that is missing is added. */
export function fromRows(rows: readonly FileRow[]): Imported {
  const notes: string[] = [];
  const width = rows[0]?.fields.length ?? 0;
  const rooted = rows.every((row) => row.fields[width - 1] === rows[0]?.fields[width - 1]);
  if (!rooted) notes.push("the last level has several labels: the root * is added above it");
  const levels = Math.max(1, rooted ? width - 2 : width - 1);
  const places = new Map<string, Group>();
  const groups: Group[] = [];
  const place = new Map<string, number>();
  for (const { line, fields } of rows) {
    const [value = "", ...above] = fields.slice(0, rooted ? width - 1 : width);
    const path = joinPath(above, line, places, groups, notes);
    if (place.has(value)) notes.push(`line ${line}: a value that an earlier line has placed; the earlier line counts`);
    else if (path !== null) place.set(value, path);
  }
  const current = groups.map((group) => places.get(`${group.level} ${group.label}`) ?? group);
  return { grouping: { levels, groups: current, place, next: groups.length + 1 }, notes };
}

/** Finds or makes the groups of a row from the top down; the answer is the group of level 1. */
function joinPath(
  labels: string[],
  line: number,
  places: Map<string, Group>,
  groups: Group[],
  notes: string[],
): number | null {
  let parent: number | null = null;
  for (let level = labels.length; level >= 1; level--) {
    const label = labels[level - 1] ?? "";
    const key = `${level} ${label}`;
    let group = places.get(key);
    if (group === undefined) {
      group = { id: groups.length + 1, level, label, parent };
      places.set(key, group);
      groups.push(group);
    } else if (group.parent !== parent) {
      notes.push(`line ${line}: the label of level ${level} has another parent than before; the earlier line counts`);
    }
    parent = group.id;
  }
  return parent;
}

/** A group and what is above it; where nothing is, the group stands for itself. */
function pathOf(byId: Map<number, Group>, group: Group, levels: number): Group[] {
  const path = [group];
  while (path.length < levels) {
    const last = path[path.length - 1] as Group;
    path.push((last.level === path.length && last.parent !== null ? byId.get(last.parent) : undefined) ?? last);
  }
  return path;
}

function compare(left: number[], right: number[]): number {
  const at = left.findIndex((rank, i) => rank !== right[i]);
  return at < 0 ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
}
