// Which of a list's values are selected, and how a click or a key changes that: alone it selects one, with Ctrl it adds
// or takes away one, with Shift it takes everything from where the last choice was made.

/** The selected values, and where the next range starts. */
export interface Selection {
  readonly values: ReadonlySet<string>;
  readonly anchor: string | null;
}

/** How a value is chosen. */
export type Choice = "only" | "toggle" | "range";

/** Nothing is selected. */
export const NOTHING: Selection = { values: new Set(), anchor: null };

/** The selection after a value of a list was chosen. */
export function choose(selection: Selection, list: readonly string[], value: string, how: Choice): Selection {
  if (how === "only") return { values: new Set([value]), anchor: value };
  if (how === "toggle") return { values: toggled(selection.values, value), anchor: value };
  const from = selection.anchor === null ? -1 : list.indexOf(selection.anchor);
  const to = list.indexOf(value);
  if (from < 0 || to < 0) return { values: new Set([...selection.values, value]), anchor: value };
  const range = list.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { values: new Set([...selection.values, ...range]), anchor: selection.anchor };
}

/** How a click with these keys held down chooses. Touch has no keys: there, each tap adds or takes away. */
export function choiceOf(event: { shiftKey: boolean; ctrlKey: boolean; metaKey: boolean; pointerType?: string }): Choice {
  if (event.shiftKey) return "range";
  return event.ctrlKey || event.metaKey || event.pointerType === "touch" ? "toggle" : "only";
}

function toggled(values: ReadonlySet<string>, value: string): Set<string> {
  const next = new Set(values);
  if (!next.delete(value)) next.add(value);
  return next;
}
