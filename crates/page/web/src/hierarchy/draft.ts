// From a column to the tab that suits it, and from what was built to edits of the policy.

import type { ColumnView, Edit, HierarchyAnswer, HierarchyDraft } from "../protocol";
import { type Grouping, EMPTY, fromRows, toRows } from "./grouping";
import { hierarchyFileName, parseHierarchy, writeHierarchy } from "./hierarchyFile";
import { boundLevels, boundValues, defaultBounds, defaultLengths, wholeNumbers } from "./lists";
import { defaultWidths, widthProblems, widthValues } from "./widths";

/** The ways to build a hierarchy, and the order of a category. */
export type Way = "bands" | "intervals" | "prefix" | "mask" | "dates" | "ages" | "template" | "pasted" | "groups" | "order";

/** Everything that can be set, each way by itself: changing tabs loses nothing. */
export interface Settings {
  /** Bounds of each level, as typed. */
  bands: readonly string[];
  widths: readonly string[];
  /** How many characters are kept on each level, as typed. */
  lengths: string;
  digits: number;
  /** The day on which ages are taken, and bounds of years on each level, as typed. */
  at: string;
  years: readonly string[];
  /** A code system. */
  template: string;
  /** Lines of values and groups, as pasted. */
  lines: string;
  grouping: Grouping;
  order: readonly string[];
  /** How many neighbours make a group on each level, as typed; nothing where the order alone is wanted. */
  sizes: string;
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
  const typed = (levels: readonly (readonly string[])[]) => levels.map((bounds) => bounds.join(", "));
  return {
    bands: declared?.kind === "bands" ? typed(declared.levels) : [defaultBounds(values)],
    lengths: declared?.kind === "prefix" ? declared.lengths.join(", ") : defaultLengths(longest),
    at: declared?.kind === "age" ? declared.at : "",
    years: declared?.kind === "age" ? typed(declared.levels) : ["18, 65"],
    template: declared?.kind === "template" ? declared.name : "icd-10",
    lines: "",
    sizes: "",
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
    case "prefix":
    case "bands":
    case "template":
      return declared.kind;
    case "age":
      return "ages";
    case undefined:
      break;
    default:
      return "groups";
  }
  if (answer.column_kind === "date") return "dates";
  if (answer.column_kind !== "category") return "intervals";
  const values = valuesOf(answer);
  if (!looksLikeCodes(values)) return "groups";
  // A mask would show how long codes of different lengths are.
  return values.every((value) => value.length === values[0]?.length) ? "mask" : "prefix";
}

/** What to ask the program; null where the settings are not complete, and for an order alone, which changes no label. */
export function draftOf(way: Way, settings: Settings): HierarchyDraft | null {
  switch (way) {
    case "bands": {
      const levels = boundLevels(settings.bands);
      return levels.length > 0 ? { kind: "bands", levels } : null;
    }
    case "prefix": {
      const lengths = wholeNumbers(settings.lengths);
      return lengths === null ? null : { kind: "prefix", lengths };
    }
    case "ages":
      return settings.at.trim() === "" ? null : { kind: "age", at: settings.at.trim(), levels: boundLevels(settings.years) };
    case "template":
      return { kind: "template", name: settings.template };
    case "pasted":
      return settings.lines.trim() === "" ? null : { kind: "groups", text: settings.lines };
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
    case "order": {
      const sizes = wholeNumbers(settings.sizes);
      return sizes === null ? null : { kind: "order", values: [...settings.order], sizes };
    }
  }
}

/** The edits, and the file for groups. `answered` is the file as the program wrote it. */
export function outcomeOf(column: string, way: Way, settings: Settings, answered: string | null): Outcome {
  const path = ["columns", column, "hierarchy"];
  const rule = (value: unknown): Outcome => ({ edits: [{ path, value }] });
  switch (way) {
    case "bands":
      return rule({ bands: boundValues(boundLevels(settings.bands)) });
    case "prefix":
      return rule({ prefix: wholeNumbers(settings.lengths) ?? [] });
    case "ages": {
      const years = boundLevels(settings.years);
      return rule({ age: settings.at.trim(), ...(years.length > 0 ? { bands: boundValues(years) } : {}) });
    }
    case "template":
      return rule({ template: settings.template });
    case "pasted":
      return inFile(column, answered ?? "");
    case "intervals":
      return rule({ intervals: widthValues(settings.widths) });
    case "mask":
      return rule({ mask: settings.digits });
    case "dates":
      return rule({ dates: true });
    case "groups":
      return inFile(column, answered ?? writeHierarchy(toRows(settings.grouping)));
    case "order": {
      const order: Edit = { path: ["columns", column, "order"], value: [...settings.order] };
      if (wholeNumbers(settings.sizes) === null) return { edits: [order] };
      const grouped = inFile(column, answered ?? "");
      return { ...grouped, edits: [order, ...grouped.edits] };
    }
  }
}

/** A hierarchy that is a file of its own. */
function inFile(column: string, content: string): Outcome {
  const name = hierarchyFileName(column);
  return { edits: [{ path: ["columns", column, "hierarchy"], value: name }], file: { name, content } };
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
  return values.length > 0 && values.every((value) => /^[A-Za-z]{0,3}\d[\w.-]*$/.test(value) && value.length > 1);
}
