// Long lists are drawn only where they are seen: rows of one height, and space above and below for those that are not
// drawn. Ten thousand values then cost as much as thirty.

import type { RefObject } from "preact";
import { useCallback, useLayoutEffect, useState } from "preact/hooks";

/** Which rows to draw, and the space for the others. */
export interface Window {
  first: number;
  last: number;
  above: number;
  below: number;
  onScroll: () => void;
}

/** Lists up to this long are drawn whole: measuring them would cost more. */
const SHORT = 40;
/** Rows beyond the edges, so that scrolling shows no blanks. */
const MARGIN = 8;

/** The part of `count` rows of `height` pixels that is seen in an element that scrolls. */
export function useWindow(element: RefObject<HTMLElement | null>, count: number, height: number): Window {
  const [seen, setSeen] = useState({ top: 0, height: 600 });
  const look = useCallback(() => {
    const scroller = element.current;
    if (scroller === null) return;
    const next = { top: scroller.scrollTop, height: scroller.clientHeight };
    setSeen((before) => (before.top === next.top && before.height === next.height ? before : next));
  }, [element]);
  const short = count <= SHORT;
  useLayoutEffect(() => {
    if (short) return;
    look();
    const watcher = new ResizeObserver(look);
    if (element.current !== null) watcher.observe(element.current);
    return () => watcher.disconnect();
  }, [look, count, short]);
  if (short) return { first: 0, last: count, above: 0, below: 0, onScroll: look };
  const first = Math.max(0, Math.min(count, Math.floor(seen.top / height)) - MARGIN);
  const last = Math.min(count, Math.ceil((seen.top + seen.height) / height) + MARGIN);
  return { first, last, above: first * height, below: (count - last) * height, onScroll: look };
}

/** Scrolls so that a row is seen. */
export function reveal(scroller: HTMLElement | null, index: number, height: number): void {
  if (scroller === null || index < 0) return;
  const [top, bottom] = [index * height, (index + 1) * height];
  if (top < scroller.scrollTop) scroller.scrollTop = top;
  else if (bottom > scroller.scrollTop + scroller.clientHeight) scroller.scrollTop = bottom - scroller.clientHeight;
}
