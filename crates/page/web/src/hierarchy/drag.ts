// Dragging with mouse, pen or finger. Browsers' own drag and drop knows no touch, so pointers are followed by hand: what
// is dragged goes along as a small label, and elements with `data-drop` are the places where it can be let go.
//
// A finger scrolls lists, so it drags only by a grip (`data-grip`, which does not scroll). Esc stops a drag. Everything
// that can be dragged can also be moved by keyboard; this is only the quicker way.

import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";

/** What is dragged. */
export type Payload = { kind: "values"; values: string[] } | { kind: "group"; id: number } | { kind: "place"; index: number };

/** The drag that is going on, and how to begin one. */
export interface Drag {
  /** Follows a pointer that was pressed; it is a drag once it has moved. */
  press: (event: PointerEvent, payload: () => Payload, label: () => string) => void;
  /** The label that goes along, and where it is. */
  ghost: Signal<{ x: number; y: number; label: string } | null>;
  /** The `data-drop` of the place under the pointer. */
  over: Signal<string | null>;
}

/** Pixels that a press may wander and still be a click. */
const SLACK = 5;
/** Near the edge of something that scrolls, it scrolls. */
const EDGE = 32;
const SPEED = 9;

/** Gives drags; `onDrop` gets what was dragged and the `data-drop` of where it was let go. */
export function useDrag(onDrop: (payload: Payload, place: string) => void): Drag {
  const ghost = useSignal<{ x: number; y: number; label: string } | null>(null);
  const over = useSignal<string | null>(null);
  const drop = useRef(onDrop);
  drop.current = onDrop;
  const stop = useRef<(() => void) | null>(null);
  useEffect(() => () => stop.current?.(), []);
  return useMemo(() => {
    const press: Drag["press"] = (event, payload, label) => {
      const onGrip = event.target instanceof Element && event.target.closest("[data-grip]") !== null;
      if (event.button !== 0 || (event.pointerType === "touch" && !onGrip)) return;
      stop.current?.();
      stop.current = follow(event, payload, label, { ghost, over }, (what, place) => drop.current(what, place));
    };
    return { press, ghost, over };
  }, [ghost, over]);
}

function follow(
  begin: PointerEvent,
  payload: () => Payload,
  label: () => string,
  { ghost, over }: Pick<Drag, "ghost" | "over">,
  onDrop: (payload: Payload, place: string) => void,
): () => void {
  let [what, at]: [Payload | null, { x: number; y: number }] = [null, { x: begin.clientX, y: begin.clientY }];
  const listening = new AbortController();
  const end = () => {
    listening.abort();
    ghost.value = null;
    over.value = null;
  };
  const move = (event: PointerEvent) => {
    at = { x: event.clientX, y: event.clientY };
    if (what === null && Math.hypot(at.x - begin.clientX, at.y - begin.clientY) > SLACK) {
      what = payload();
      scrollAlong(() => at, listening.signal);
    }
    if (what === null) return;
    event.preventDefault();
    ghost.value = { ...at, label: ghost.value?.label ?? label() };
    over.value = placeAt(at);
  };
  const release = () => {
    const place = what === null ? null : placeAt(at);
    end();
    if (what === null) return;
    swallowClick();
    if (place !== null) onDrop(what, place);
  };
  const escape = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || what === null) return;
    event.preventDefault();
    event.stopPropagation();
    end();
  };
  const options = { signal: listening.signal };
  window.addEventListener("pointermove", move, options);
  window.addEventListener("pointerup", release, options);
  window.addEventListener("pointercancel", end, options);
  window.addEventListener("keydown", escape, { ...options, capture: true });
  return end;
}

function placeAt({ x, y }: { x: number; y: number }): string | null {
  return document.elementFromPoint(x, y)?.closest<HTMLElement>("[data-drop]")?.dataset["drop"] ?? null;
}

/** The click that ends a drag is not meant as one. */
function swallowClick(): void {
  const swallow = (event: Event) => event.stopPropagation();
  window.addEventListener("click", swallow, { capture: true, once: true });
  setTimeout(() => window.removeEventListener("click", swallow, { capture: true }), 0);
}

function scrollAlong(at: () => { x: number; y: number }, signal: AbortSignal): void {
  const step = () => {
    if (signal.aborted) return;
    const { x, y } = at();
    const scroller = document.elementFromPoint(x, y)?.closest<HTMLElement>("[data-scroll]");
    if (scroller) {
      const { top, bottom } = scroller.getBoundingClientRect();
      if (y < top + EDGE) scroller.scrollTop -= SPEED;
      else if (y > bottom - EDGE) scroller.scrollTop += SPEED;
    }
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}
