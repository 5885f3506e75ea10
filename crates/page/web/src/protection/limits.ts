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

/** What is asked for about values, by kind; 1 asks for nothing. */
export function diversity(of: SensitiveView): { kind: Diversity; l: number } {
  const wished = wish("privacy", "l") as { distinct?: number; entropy?: number } | null | undefined;
  const distinct = wished === undefined ? of.l_distinct : (wished?.distinct ?? null);
  const entropy = wished === undefined ? of.l_entropy : (wished?.entropy ?? null);
  if (entropy !== null && distinct === null) return { kind: "entropy", l: entropy };
  return { kind: "distinct", l: distinct ?? 1 };
}

/** The largest distance from the table, or `T_OFF`. */
export function closeness(of: SensitiveView): number {
  const wished = wish("privacy", "t") as { max: number } | null | undefined;
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

/** Asks for diversity; recursive diversity, which has no slider, stays. */
export function setDiversity(kind: Diversity, l: number, of: SensitiveView): void {
  const value: Record<string, unknown> = l > 1 ? { [kind]: l } : {};
  if (of.l_recursive !== null) value.recursive = { c: of.l_recursive[0], l: of.l_recursive[1] };
  edit({ path: ["privacy", "l"], value: Object.keys(value).length > 0 ? value : null });
}

/** Asks for closeness, by the distance that the policy has. */
export function setCloseness(t: number, of: SensitiveView): void {
  const value: Record<string, unknown> = { max: t };
  if (of.t_distance !== null && of.t_distance !== "equal") value.distance = of.t_distance;
  const change: Edit = { path: ["privacy", "t"], value: t >= T_OFF ? null : value };
  edit(change);
}

/** Whether single columns have limits of their own, which the sliders do not change. */
export function hasOverrides(): boolean {
  return /^\s*\[?\s*privacy\s*\.\s*sensitive\b/m.test(text.value);
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
  };
  const sensitive = policy.columns
    .filter((column) => column.role === "sensitive")
    .map(({ name }) => ({ column: name, ...nothing }));
  return { m: null, k: null, semantics: "victim", sensitive };
}
