// From a column to the tab that suits it, and from what was built to edits of the policy.

import type { ColumnView, Edit, HierarchyAnswer, HierarchyDraft } from "../protocol";
import { type Grouping, EMPTY, fromRows, toRows } from "./grouping";
import { hierarchyFileName, parseHierarchy, writeHierarchy } from "./hierarchyFile";
import { defaultWidths, widthProblems, widthValues } from "./widths";

/** The ways to build a hierarchy, and the order of a category. */
export type Way = "intervals" | "mask" | "dates" | "groups" | "order";

/** Everything that can be set, each way by itself: changing tabs loses nothing. */
export interface Settings {
  widths: readonly string[];
  digits: number;
  grouping: Grouping;
  order: readonly string[];
}

/** What is handed out at the end. */
export interface Outcome {
  edits: Edit[];
  file?: { name: string; content: string };
}

/** The column's values that can be placed; a missing value meets others only at `*`, unless a file places it. */
export function valuesOf(answer: HierarchyAnswer): string[] {
  return answer.rows.map((row) => row.labels[0] ?? "").filter((value) => value !== "");
}

/** Where to begin: with what the policy says, else with what suits the column. */
export function settingsOf(column: ColumnView | null, answer: HierarchyAnswer): Settings {
  const values = valuesOf(answer);
  const declared = column?.hierarchy ?? null;
  const longest = values.reduce((most, value) => Math.max(most, Array.from(value).length), 1);
  return {
    widths: declared?.kind === "intervals" ? declared.widths : defaultWidths(values),
    digits: declared?.kind === "mask" ? declared.digits : longest,
    grouping: declared?.kind === "file" ? groupingOf(answer.file) : EMPTY,
    order: completeOrder(column?.order ?? [], values),
  };
}

/** The tab to open first. */
export function wayOf(column: ColumnView | null, answer: HierarchyAnswer): Way {
  const declared = column?.hierarchy ?? null;
  switch (declared?.kind) {
    case "mask":
    case "intervals":
    case "dates":
      return declared.kind;
    case undefined:
      break;
    default:
      return "groups";
  }
  if (answer.column_kind === "date") return "dates";
  if (answer.column_kind !== "category") return "intervals";
  return looksLikeCodes(valuesOf(answer)) ? "mask" : "groups";
}

/** What to ask the program; null where the settings are not complete, and for an order, which changes no label. */
export function draftOf(way: Way, settings: Settings): HierarchyDraft | null {
  switch (way) {
    case "intervals":
      return settings.widths.length > 0 && widthProblems(settings.widths).every((problem) => problem === null)
        ? { kind: "intervals", widths: settings.widths.map((width) => width.trim()) }
        : null;
    case "mask":
      return Number.isInteger(settings.digits) && settings.digits > 0 ? { kind: "mask", digits: settings.digits } : null;
    case "dates":
      return { kind: "dates" };
    case "groups":
      return settings.grouping.place.size > 0 ? { kind: "table", rows: toRows(settings.grouping) } : null;
    case "order":
      return null;
  }
}

/** The edits, and the file for groups. `answered` is the file as the program wrote it. */
export function outcomeOf(column: string, way: Way, settings: Settings, answered: string | null): Outcome {
  const path = ["columns", column, "hierarchy"];
  switch (way) {
    case "intervals":
      return { edits: [{ path, value: { intervals: widthValues(settings.widths) } }] };
    case "mask":
      return { edits: [{ path, value: { mask: settings.digits } }] };
    case "dates":
      return { edits: [{ path, value: { dates: true } }] };
    case "groups": {
      const name = hierarchyFileName(column);
      const content = answered ?? writeHierarchy(toRows(settings.grouping));
      return { edits: [{ path, value: name }], file: { name, content } };
    }
    case "order":
      return { edits: [{ path: ["columns", column, "order"], value: [...settings.order] }] };
  }
}

/** The groups that labels make: what the policy says now, as a start for groups by hand. */
export function groupingOfLabels(answer: HierarchyAnswer): Grouping {
  const width = answer.rows.reduce((most, row) => Math.max(most, row.labels.length), 0);
  const rows = answer.rows.filter((row) => row.labels.length === width && width > 2);
  return fromRows(rows.map((row, i) => ({ line: i + 1, fields: row.labels }))).grouping;
}

function groupingOf(file: string | null): Grouping {
  const parsed = file === null ? null : parseHierarchy(file);
  return parsed?.rows ? fromRows(parsed.rows).grouping : EMPTY;
}

/** A declared order goes first; values that it does not name follow. */
function completeOrder(declared: readonly string[], values: readonly string[]): string[] {
  const named = new Set(declared);
  return [...declared, ...values.filter((value) => !named.has(value))];
}

function looksLikeCodes(values: readonly string[]): boolean {
  const length = values[0]?.length ?? 0;
  return length > 1 && values.every((value) => value.length === length && /\d/.test(value));
}
