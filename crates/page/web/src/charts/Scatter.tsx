// Points over two measures that both start at 0. Series differ in colour and in shape; a step line may join chosen
// points. Points are one stop for the Tab key; arrow keys go from point to point.

import { useRef } from "preact/hooks";
import { scale, ticks } from "./axis";

/** A point. */
export interface ScatterPoint {
  /** Identifies it. */
  key: string;
  x: number;
  y: number;
  /** The index of its series. */
  series: number;
  /** What it is, in words: read out and shown on hover. */
  label: string;
}

interface ScatterProps {
  /** What is shown, for screen readers: the finding, in words. */
  label: string;
  points: readonly ScatterPoint[];
  /** What the axes are. */
  xTitle: string;
  yTitle: string;
  /** The ends of the axes; the largest values unless said otherwise. */
  xMax?: number;
  yMax?: number;
  /** How values are written at the ticks, which are `step` apart. */
  xFormat?: (value: number, step: number) => string;
  yFormat?: (value: number, step: number) => string;
  /** Keys of points that a step line joins, in order of x. */
  joined?: readonly string[];
  /** The chosen point. */
  selected?: string | null;
  /** Called with the point that is chosen by click, Enter or arrow key. */
  onSelect?: (key: string) => void;
  /** The height of the drawing, in its units; the width is 560. */
  height?: number;
}

const WIDTH = 560;
const LEFT = 52;
const TOP = 22;
const BOTTOM = 38;

/** How many series can be told apart. */
export const SHAPES = 5;

export function Scatter(props: ScatterProps) {
  const { points, height = 320, xFormat = String, yFormat = String, selected } = props;
  const group = useRef<SVGGElement>(null);
  const xs = ticks(props.xMax ?? Math.max(0, ...points.map((point) => point.x)), 5);
  const ys = ticks(props.yMax ?? Math.max(0, ...points.map((point) => point.y)), 5);
  const across = scale(xs.at(-1) ?? 1, WIDTH - LEFT - 16);
  const up = scale(ys.at(-1) ?? 1, height - TOP - BOTTOM);
  const base = height - BOTTOM;
  const x = (value: number) => LEFT + across(value);
  const y = (value: number) => base - up(value);
  const order = [...points].sort((one, other) => one.x - other.x || one.y - other.y);
  const stop = order.find((point) => point.key === selected) ?? order[0];
  const go = (event: KeyboardEvent, key: string) => {
    const at = order.findIndex((point) => point.key === key);
    const by = {
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      Home: 0,
      End: order.length - 1,
    }[event.key];
    const next = by === undefined ? undefined : order[Math.min(order.length - 1, Math.max(0, by))];
    if (event.key === "Enter" || event.key === " ") props.onSelect?.(key);
    if (next !== undefined) {
      props.onSelect?.(next.key);
      group.current?.querySelector<SVGElement>(`[data-key="${CSS.escape(next.key)}"]`)?.focus();
    }
    if (next !== undefined || event.key === " ") event.preventDefault();
  };
  const line = (props.joined ?? []).flatMap((key) => points.find((point) => point.key === key) ?? []);
  return (
    <svg class="chart scatter" viewBox={`0 0 ${WIDTH} ${height}`} role="group" aria-label={props.label}>
      <text class="axis-title" x={4} y={13}>
        {props.yTitle}
      </text>
      {ys.map((tick) => (
        <g key={`y${tick}`}>
          <line class={tick === 0 ? "axis-line" : "grid-line"} x1={LEFT} x2={WIDTH - 10} y1={y(tick)} y2={y(tick)} />
          <text class="tick" x={LEFT - 6} y={y(tick) + 4} text-anchor="end">
            {yFormat(tick, ys[1] ?? 1)}
          </text>
        </g>
      ))}
      {xs.map((tick) => (
        <g key={`x${tick}`}>
          <line class={tick === 0 ? "axis-line" : "grid-line"} x1={x(tick)} x2={x(tick)} y1={TOP} y2={base} />
          <text class="tick" x={x(tick)} y={base + 16} text-anchor="middle">
            {xFormat(tick, xs[1] ?? 1)}
          </text>
        </g>
      ))}
      <text class="axis-title" x={LEFT + (WIDTH - LEFT) / 2} y={height - 4} text-anchor="middle">
        {props.xTitle}
      </text>
      {line.length > 1 && (
        <path
          class="scatter-line"
          d={line
            .map((point, index) => (index === 0 ? `M${x(point.x)} ${y(point.y)}` : `H${x(point.x)}V${y(point.y)}`))
            .join("")}
        />
      )}
      <g ref={group}>
        {order.map((point) => (
          <g
            key={point.key}
            data-key={point.key}
            class={`scatter-point series-${(point.series % SHAPES) + 1}${point.key === selected ? " is-selected" : ""}`}
            transform={`translate(${x(point.x)} ${y(point.y)})`}
            role="button"
            aria-label={point.label}
            aria-pressed={point.key === selected}
            // In lower case: drawings know no other spelling.
            tabindex={point === stop ? 0 : -1}
            onClick={() => props.onSelect?.(point.key)}
            onKeyDown={(event) => go(event, point.key)}
          >
            <circle class="scatter-reach" r={14} />
            <Mark shape={point.series} />
            <title>{point.label}</title>
          </g>
        ))}
      </g>
    </svg>
  );
}

/** The mark of a series; also for legends. */
export function Mark({ shape }: { shape: number }) {
  switch (shape % SHAPES) {
    case 0:
      return <circle class="mark" r={5.5} />;
    case 1:
      return <path class="mark" d="M0 -6.5L6 5H-6Z" />;
    case 2:
      return <rect class="mark" x={-5} y={-5} width={10} height={10} />;
    case 3:
      return <path class="mark" d="M0 -7L6.5 0L0 7L-6.5 0Z" />;
    default:
      return <path class="mark mark-cross" d="M-5 -5L5 5M-5 5L5 -5" />;
  }
}

/** A legend: names of series with their marks. */
export function Legend({ names }: { names: readonly string[] }) {
  return (
    <ul class="legend">
      {names.map((name, index) => (
        <li key={name}>
          <svg class={`legend-mark series-${(index % SHAPES) + 1}`} viewBox="-9 -9 18 18" aria-hidden="true">
            <Mark shape={index} />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}
