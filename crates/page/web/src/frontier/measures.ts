// What the axes of the frontier can show. Less is better on all of them, and all start at 0.

import type { FrontierPoint } from "../protocol";

/** Measures of risk, for the horizontal axis. */
export type RiskName = "highest_risk" | "average_risk" | "insider_share" | "insider_exposed";
/** Measures of what is lost, for the vertical axis. */
export type CostName = "loss" | "query_error";

/** In words; `short` for the heads of tables. */
export interface Measure<Name> {
  name: Name;
  words: string;
  short: string;
}

/** All measures of risk. */
export const RISKS: readonly Measure<RiskName>[] = [
  { name: "highest_risk", words: "highest risk to be found by an outsider (prosecutor)", short: "highest risk" },
  { name: "average_risk", words: "average risk to be found by an outsider (prosecutor)", short: "average risk" },
  { name: "insider_share", words: "people in groups where one insider breaks a promise", short: "insider breaks" },
  { name: "insider_exposed", words: "people of whom one insider knows row or value for sure", short: "insider knows" },
];

/** All measures of what is lost. */
export const COSTS: readonly Measure<CostName>[] = [
  { name: "loss", words: "share of detail that is lost", short: "loss" },
  { name: "query_error", words: "mean error of counting queries", short: "query error" },
];

/** A point's name among the others. */
export function keyOf(point: FrontierPoint): string {
  return `${point.method} ${point.value}`;
}

/** What a cost is called on an axis; a loss has a kind, which the points know. */
export function costWords(name: CostName, points: readonly FrontierPoint[]): string {
  const kinds = name === "loss" ? lossNames(points) : [];
  return `${wordsOf(COSTS, name)}${kinds.length === 0 ? "" : ` (${kinds.join(" or ")})`}`;
}

/** Whether the costs of all points are of one kind. */
export function isComparable(name: CostName, points: readonly FrontierPoint[]): boolean {
  return name !== "loss" || lossNames(points).length < 2;
}

function lossNames(points: readonly FrontierPoint[]): string[] {
  return [...new Set(points.map((point) => point.loss_name))].sort();
}

/** What a measure is called on an axis. */
export function wordsOf<Name>(measures: readonly Measure<Name>[], name: Name): string {
  return measures.find((measure) => measure.name === name)?.words ?? "";
}
