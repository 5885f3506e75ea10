// A list of values from which several can be selected, drawn only where it is seen. One stop for the Tab key: arrows go
// through it, Space selects, Shift extends, Ctrl-A selects all, Enter asks where to move what is selected.

import type { Signal } from "@preact/signals";
import { useId, useRef, useState } from "preact/hooks";
import { count } from "../format";
import type { Drag } from "./drag";
import { type Selection, choiceOf, choose } from "./selection";
import { reveal, useWindow } from "./windowing";

/** The height of a row, which the style sheet has too. */
export const ROW = 32;

interface ValueListProps {
  label: string;
  values: readonly string[];
  /** Rows of the tables that have a value; 0 for values that only a file names. */
  counts: ReadonlyMap<string, number>;
  selection: Selection;
  onSelect: (selection: Selection) => void;
  /** Asked for by Enter. */
  onMove: () => void;
  drag: Drag;
  /** The most rows that are seen at once. */
  rows: number;
  /** What stands there when there are none. */
  empty: string;
}

export function ValueList(props: ValueListProps) {
  const { values, selection, onSelect, rows } = props;
  const id = useId();
  const scroller = useRef<HTMLUListElement>(null);
  const [active, setActive] = useState(0);
  const at = Math.min(active, values.length - 1);
  const { first, last, above, below, onScroll } = useWindow(scroller, values.length, ROW);
  const pick = (index: number, how: ReturnType<typeof choiceOf>) => {
    const value = values[index];
    if (value !== undefined) onSelect(choose(selection, values, value, how));
  };
  const go = (index: number, extend: boolean) => {
    const to = Math.max(0, Math.min(values.length - 1, index));
    setActive(to);
    reveal(scroller.current, to, ROW);
    if (extend) pick(to, "range");
  };
  const keys = (event: KeyboardEvent) => {
    const to = movedTo(event.key, at, rows, values.length);
    if (to !== null) go(to, event.shiftKey);
    else if (event.key === " ") pick(at, "toggle");
    else if (event.key === "Enter") props.onMove();
    else if (event.key === "a" && (event.ctrlKey || event.metaKey)) onSelect({ values: new Set([...selection.values, ...values]), anchor: values[0] ?? null });
    else return;
    event.preventDefault();
  };
  if (values.length === 0) return <p class="hierarchy-none">{props.empty}</p>;
  return (
    <ul
      ref={scroller}
      class="hierarchy-values"
      style={{ "--rows": Math.min(rows, values.length) }}
      role="listbox"
      aria-multiselectable="true"
      aria-label={props.label}
      aria-activedescendant={at >= first && at < last ? `${id}-${at}` : undefined}
      tabIndex={0}
      data-scroll
      onScroll={onScroll}
      onKeyDown={keys}
    >
      <li role="presentation" style={{ height: `${above}px` }} />
      {values.slice(first, last).map((value, i) => (
        <Value key={value} id={`${id}-${first + i}`} value={value} index={first + i} active={first + i === at} onPick={(how) => (setActive(first + i), pick(first + i, how))} {...props} />
      ))}
      <li role="presentation" style={{ height: `${below}px` }} />
    </ul>
  );
}

interface ValueProps extends ValueListProps {
  id: string;
  value: string;
  index: number;
  active: boolean;
  onPick: (how: ReturnType<typeof choiceOf>) => void;
}

function Value({ id, value, index, active, values, counts, selection, drag, onPick }: ValueProps) {
  const selected = selection.values.has(value);
  // What is dragged by one of the selected values is all of them.
  const dragged = () => (selected ? [...selection.values] : [value]);
  const press = (event: PointerEvent) =>
    drag.press(event, () => ({ kind: "values", values: dragged() }), () => (dragged().length === 1 ? shown(value) : `${dragged().length} values`));
  const rows = counts.get(value) ?? 0;
  return (
    <li
      id={id}
      class={`hierarchy-value${active ? " is-active" : ""}`}
      role="option"
      aria-selected={selected}
      aria-setsize={values.length}
      aria-posinset={index + 1}
      onPointerDown={press}
      onClick={(event) => onPick(choiceOf(event as unknown as PointerEvent))}
    >
      <span class="hierarchy-grip" data-grip aria-hidden="true">⠿</span>
      <span class="hierarchy-value-name" title={shown(value)}>{shown(value)}</span>
      <span class="hierarchy-value-count">{rows > 0 ? count(rows) : "–"}</span>
    </li>
  );
}

/** A value as it is read; a missing one has no text of its own. */
export function shown(value: string): string {
  return value === "" ? "(missing)" : value;
}

/** What goes along with the pointer during a drag. */
export function Ghost({ ghost }: { ghost: Signal<{ x: number; y: number; label: string } | null> }) {
  const at = ghost.value;
  if (at === null) return null;
  return (
    <div class="hierarchy-ghost" aria-hidden="true" style={{ "--x": `${at.x}px`, "--y": `${at.y}px` }}>
      {at.label}
    </div>
  );
}

function movedTo(key: string, at: number, page: number, total: number): number | null {
  const moves: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: total - 1 };
  return moves[key] ?? null;
}
