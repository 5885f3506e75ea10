// The order of a category's values, from smallest to largest. Values are moved by dragging, by the arrows at each row, or
// with Alt and the arrow keys.

import { useId, useRef, useState } from "preact/hooks";
import { Button, Field } from "../ui";
import { type Payload, useDrag } from "./drag";
import { wholeNumbers } from "./lists";
import { Ghost, ROW, shown } from "./ValueList";
import { reveal, useWindow } from "./windowing";

interface OrderProps {
  order: readonly string[];
  kind: string;
  /** Whether the policy declares an order now. */
  declared: boolean;
  /** How many neighbours make a group on each level, as typed. */
  sizes: string;
  onSizes: (sizes: string) => void;
  onChange: (order: string[]) => void;
  onRemove: () => void;
}

export function Order({ order, kind, declared, sizes, onSizes, onChange, onRemove }: OrderProps) {
  const [said, say] = useState("");
  if (kind !== "category") return <p class="hierarchy-warn">Numbers and dates have an order of their own; this column’s kind is {kind}.</p>;
  const move = (from: number, to: number) => {
    const target = Math.max(0, Math.min(order.length - 1, to));
    if (from === target) return from;
    onChange(moved(order, from, target));
    say(`${shown(order[from] ?? "")}: place ${target + 1} of ${order.length}`);
    return target;
  };
  return (
    <div class="hierarchy-order">
      <p class="soft">From smallest to largest. The ordered distance of t-closeness needs this; sets of neighbouring values are cut along it. Drag, or press Alt with an arrow key.</p>
      <OrderList order={order} onMove={move} />
      <div class="hierarchy-line">
        <Button small onClick={() => onChange([...order].reverse())}>Reverse</Button>
        <Button small onClick={() => onChange([...order].sort((a, b) => a.localeCompare(b)))}>By the alphabet</Button>
        {declared && <Button small variant="danger" onClick={onRemove}>Remove the order from the policy</Button>}
      </div>
      <Field label="Neighbours that make a group" value={sizes} onInput={onSizes} placeholder="none" hint="on each level, such as 2, 4: each a multiple of the one before. Left empty, the order alone is used" {...(sizes.trim() !== "" && wholeNumbers(sizes) === null ? { error: "whole numbers, such as 2, 4" } : {})} />
      <p class="visually-hidden" aria-live="polite">{said}</p>
    </div>
  );
}

function OrderList({ order, onMove }: { order: readonly string[]; onMove: (from: number, to: number) => number }) {
  const id = useId();
  const scroller = useRef<HTMLUListElement>(null);
  const [active, setActive] = useState(0);
  const drag = useDrag((payload: Payload, place) => {
    if (payload.kind === "place" && place.startsWith("place:")) setActive(onMove(payload.index, Number(place.slice(6))));
  });
  const { first, last, above, below, onScroll } = useWindow(scroller, order.length, ROW);
  const keys = (event: KeyboardEvent) => {
    const to = { ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + 10, PageUp: active - 10, Home: 0, End: order.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = event.altKey ? onMove(active, to) : Math.max(0, Math.min(order.length - 1, to));
    setActive(next);
    reveal(scroller.current, next, ROW);
  };
  return (
    <>
      <ul ref={scroller} class="hierarchy-values hierarchy-order-list" role="listbox" aria-label="Values from smallest to largest" aria-activedescendant={active >= first && active < last ? `${id}-${active}` : undefined} tabIndex={0} data-scroll onScroll={onScroll} onKeyDown={keys}>
        <li role="presentation" style={{ height: `${above}px` }} />
        {order.slice(first, last).map((value, i) => {
          const at = first + i;
          const press = (event: PointerEvent) => drag.press(event, () => ({ kind: "place", index: at }), () => shown(value));
          return (
            <li key={value} id={`${id}-${at}`} class={`hierarchy-value${at === active ? " is-active" : ""}${drag.over.value === `place:${at}` ? " is-over" : ""}`} role="option" aria-selected={at === active} aria-setsize={order.length} aria-posinset={at + 1} data-drop={`place:${at}`} onPointerDown={press} onClick={() => setActive(at)}>
              <span class="hierarchy-grip" data-grip aria-hidden="true">⠿</span>
              <span class="hierarchy-place">{at + 1}</span>
              <span class="hierarchy-value-name" title={shown(value)}>{shown(value)}</span>
              <span class="hierarchy-arrows" aria-hidden="true">
                <Arrow off={at === 0} onPress={() => setActive(onMove(at, at - 1))}>↑</Arrow>
                <Arrow off={at === order.length - 1} onPress={() => setActive(onMove(at, at + 1))}>↓</Arrow>
              </span>
            </li>
          );
        })}
        <li role="presentation" style={{ height: `${below}px` }} />
      </ul>
      <Ghost ghost={drag.ghost} />
    </>
  );
}

/** For mouse and finger only: keys have Alt and the arrows, and an option of a list may hold no button. */
function Arrow({ off, onPress, children }: { off: boolean; onPress: () => void; children: string }) {
  const press = (event: Event) => {
    event.stopPropagation();
    if (!off) onPress();
  };
  return <span class={`hierarchy-arrow${off ? " is-off" : ""}`} onClick={press}>{children}</span>;
}

/** A list with one of its items elsewhere. */
function moved(list: readonly string[], from: number, to: number): string[] {
  const rest = list.filter((_, i) => i !== from);
  return [...rest.slice(0, to), list[from] ?? "", ...rest.slice(to)];
}
