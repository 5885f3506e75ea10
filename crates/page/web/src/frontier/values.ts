// The values that a parameter takes: typed as a list with ranges, `2, 3, 5-10`, or offered as a preset.

import type { Vary } from "../protocol";

/** What can be typed for a parameter. */
export interface Scope {
  /** In the words of the policy. */
  name: string;
  /** What is varied, in plain words. */
  meaning: string;
  least: number;
  most: number;
  whole: boolean;
  preset: string;
}

/** More points than this are refused: each is a whole run. */
export const MOST_VALUES = 60;

/** The scope of each parameter; `providers` bounds coalitions. */
export function scopeOf(vary: Vary, providers: number): Scope {
  const coalition = Math.max(0, providers - 1);
  const scopes: Record<Vary, Scope> = {
    k: { name: "k", meaning: "people in a group", least: 1, most: 1e6, whole: true, preset: "2, 3, 5, 10, 20, 50" },
    m: { name: "m", meaning: "providers that collude", least: 0, most: coalition, whole: true, preset: upTo(coalition) },
    l: { name: "l", meaning: "different sensitive values in a group", least: 1, most: 1e6, whole: true, preset: "2-5" },
    t: { name: "t", meaning: "distance from the whole table", least: 0, most: 1, whole: false, preset: "0.1, 0.2, 0.3, 0.5, 0.8" },
  };
  return scopes[vary];
}

/** The values of a list, in order and once each, or what is wrong with it. */
export function parseValues(text: string, scope: Scope): { values: number[]; problem: string | null } {
  const parts = text.split(",").map((part) => part.trim()).filter((part) => part !== "");
  const values = new Set<number>();
  for (const part of parts) {
    const range = rangeOf(part, scope);
    if (range === null) return refuse(expected(scope));
    for (let value = range[0]; value <= range[1]; value++) {
      values.add(value);
      if (values.size > MOST_VALUES) return refuse(`at most ${MOST_VALUES} values`);
    }
  }
  if (values.size === 0) return refuse("at least one value");
  return { values: [...values].sort((a, b) => a - b), problem: null };
}

function rangeOf(part: string, scope: Scope): [number, number] | null {
  const ends = /^(\d+)\s*[-–]\s*(\d+)$/.exec(part);
  if (ends !== null && !scope.whole) return null;
  const [low, high] = ends === null ? [number(part), number(part)] : [Number(ends[1]), Number(ends[2])];
  const fits = (value: number) => value >= scope.least && value <= scope.most && (!scope.whole || Number.isInteger(value));
  return fits(low) && fits(high) && low <= high ? [low, high] : null;
}

function number(text: string): number {
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
}

function expected(scope: Scope): string {
  const most = scope.most < 1e6 ? ` to ${scope.most}` : " on";
  const kind = scope.whole ? "whole numbers" : "numbers";
  return `${kind} from ${scope.least}${most}, with commas${scope.whole ? " or as a range such as 2-5" : ""}`;
}

function refuse(problem: string): { values: number[]; problem: string } {
  return { values: [], problem };
}

function upTo(most: number): string {
  return most <= 1 ? (most === 1 ? "0, 1" : "0") : `0-${Math.min(most, 5)}`;
}
