// What the sliders show and write: the limits of the policy, with the wishes of the hand that the text does not have yet.

import type { Edit, LimitsView, PolicyView, SensitiveView } from "../protocol";
import { edit, text, wish } from "../state";

/** Positions of the slider for k: close together where a step matters much. */
export const K_POSITIONS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 50, 60, 75, 100];
/** The slider's value for "no t-closeness": beyond the weakest. */
export const T_OFF = 1.05;
/** Positions of the slider for t: the weakest first, so that further right always protects more. */
export const T_POSITIONS = [T_OFF, ...Array.from({ length: 20 }, (_, index) => (20 - index) / 20)];
/** Positions of the slider for the share of rows that may be left out. */
export const SUPPRESSED_POSITIONS = [0, 0.001, 0.0025, 0.005, 0.01, 0.02, 0.03, 0.04, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3];

/** Which l-diversity a slider is for. */
export type Diversity = "distinct" | "entropy";

/** The coalition size: asked for, declared, or the default. */
export function coalition(limits: LimitsView, providers: number): { m: number; byDefault: boolean } {
  const wished = wish("privacy", "m");
  const declared = wished === undefined ? limits.m : (wished as number | null);
  return { m: declared ?? (providers > 1 ? 1 : 0), byDefault: declared === null };
}

/** The group size. */
export function groupSize(limits: LimitsView): number {
  const wished = wish("privacy", "k");
  return ((wished === undefined ? limits.k : (wished as number | null)) ?? 1) as number;
}

/** What a slider about sensitive values is for, and where the policy says it. */
export interface Subject {
  of: SensitiveView;
  path: string[];
  /** The column, if the limit is its own; null for the limit of all columns without one. */
  own: string | null;
}

/** The general limit, as the first column shows that has none of its own; if all have, the first column's own. */
export function subjectOf(limits: LimitsView, key: "l" | "t"): Subject | null {
  const general = limits.sensitive.find((one) => !one.own.includes(key));
  if (general !== undefined) return { of: general, path: ["privacy", key], own: null };
  const first = limits.sensitive[0];
  return first === undefined
    ? null
    : { of: first, path: ["privacy", "sensitive", first.column, key], own: first.column };
}

/** The columns that have a limit of their own, beside the one that the slider is for. */
export function overridden(limits: LimitsView, key: "l" | "t", subject: Subject): string[] {
  return limits.sensitive
    .filter((one) => one.own.includes(key) && one.column !== subject.own)
    .map((one) => one.column);
}

/** What `l` says: each kind that is there is promised. */
export interface Kinds {
  distinct?: number;
  entropy?: number;
  recursive?: { c: number; l: number };
}

/** What is asked for about values. */
export function kindsOf({ of, path }: Subject): Kinds {
  const wished = wish(...path) as Kinds | null | undefined;
  if (wished !== undefined) return wished ?? {};
  return {
    ...(of.l_distinct === null ? {} : { distinct: of.l_distinct }),
    ...(of.l_entropy === null ? {} : { entropy: of.l_entropy }),
    ...(of.l_recursive === null ? {} : { recursive: { c: of.l_recursive[0], l: of.l_recursive[1] } }),
  };
}

/** Which kind the slider moves: the chosen one where both or none are there, the one that is there otherwise. */
export function kindShown(kinds: Kinds, chosen: Diversity): Diversity {
  if ((kinds.distinct === undefined) === (kinds.entropy === undefined)) return chosen;
  return kinds.distinct === undefined ? "entropy" : "distinct";
}

/** The kinds after one is set; 1 takes it out, and the others stay. */
export function withKind(kinds: Kinds, kind: Diversity, l: number): Kinds {
  if (l > 1) return { ...kinds, [kind]: l };
  const { [kind]: _, ...rest } = kinds;
  return rest;
}

/** The largest distance from the table, or `T_OFF`. */
export function closeness({ of, path }: Subject): number {
  const wished = wish(...path) as { max: number } | null | undefined;
  return (wished === undefined ? of.t : (wished?.max ?? null)) ?? T_OFF;
}

/** Asks for a coalition size. */
export function setCoalition(m: number): void {
  edit({ path: ["privacy", "m"], value: m });
}

/** Asks for a group size. */
export function setGroupSize(k: number): void {
  edit({ path: ["privacy", "k"], value: k > 1 ? k : null });
}

/** Asks for diversity. */
export function setKinds(kinds: Kinds, { path }: Subject): void {
  edit({ path, value: Object.keys(kinds).length > 0 ? kinds : null });
}

/** Asks for closeness, by the distance that the policy has. */
export function setCloseness(t: number, { of, path }: Subject): void {
  const value: Record<string, unknown> = { max: t };
  if (of.t_distance !== null && of.t_distance !== "equal") value.distance = of.t_distance;
  const change: Edit = { path, value: t >= T_OFF ? null : value };
  edit(change);
}

/** Positions of the slider for m: more than fifty could not be told apart; the field takes all. */
export function coalitionPositions(most: number): number[] {
  return Array.from({ length: Math.min(most, 50) + 1 }, (_, index) => index);
}

/** Whether the policy is for releases with noise, which promise something else. */
export function hasNoise(): boolean {
  return /^\s*\[\s*dp\s*[\].]/m.test(text.value);
}

/** The limits of a policy that has none yet. */
export function noLimits(policy: PolicyView): LimitsView {
  const nothing = {
    l_distinct: null,
    l_entropy: null,
    l_recursive: null,
    t: null,
    t_distance: null,
    max_frequency: null,
    own: [],
  };
  const sensitive = policy.columns
    .filter((column) => column.role === "sensitive")
    .map(({ name }) => ({ column: name, ...nothing }));
  return { m: null, k: null, semantics: "victim", sensitive };
}
