// Steps: a value that stays until the next point, over numbers in order. Both axes start at 0.

import { scale, ticks } from "./axis";

interface StepsProps {
  /** What is shown, for screen readers: the finding, in words. */
  label: string;
  /** The series: at most four, told apart by colour and dash. Points ascending in x. */
  series: ReadonlyArray<{ name: string; points: ReadonlyArray<{ x: number; y: number }> }>;
  /** What the axes are. */
  xTitle: string;
  yTitle: string;
  /** The end of the vertical axis; the largest value unless said otherwise. */
  yMax?: number;
  /** How a vertical value is written. */
  format?: (value: number) => string;
  /** The height of the drawing, in its units; the width is 400. */
  height?: number;
}

const WIDTH = 400;
const LEFT = 44;
const BOTTOM = 34;
const TOP = 18;

export function Steps({ label, series, xTitle, yTitle, yMax, format = String, height = 190 }: StepsProps) {
  const all = series.flatMap((one) => one.points);
  const xs = ticks(Math.max(0, ...all.map((point) => point.x)), 6);
  const ys = ticks(yMax ?? Math.max(0, ...all.map((point) => point.y)));
  const x = scale(xs.at(-1) ?? 1, WIDTH - LEFT - 10);
  const y = scale(ys.at(-1) ?? 1, height - TOP - BOTTOM);
  const base = height - BOTTOM;
  return (
    <svg class="chart" viewBox={`0 0 ${WIDTH} ${height}`} role="img" aria-label={label}>
      <text class="axis-title" x={4} y={12}>
        {yTitle}
      </text>
      {ys.map((tick) => (
        <g key={tick}>
          <line
            class={tick === 0 ? "axis-line" : "grid-line"}
            x1={LEFT}
            x2={WIDTH - 6}
            y1={base - y(tick)}
            y2={base - y(tick)}
          />
          <text class="tick" x={LEFT - 6} y={base - y(tick) + 4} text-anchor="end">
            {format(tick)}
          </text>
        </g>
      ))}
      {xs.map((tick) => (
        <text key={tick} class="tick" x={LEFT + x(tick)} y={base + 14} text-anchor="middle">
          {tick}
        </text>
      ))}
      {series.map((one, index) => (
        <path
          key={one.name}
          class={`step step-${(index % 4) + 1}`}
          d={path(
            one.points,
            (value) => LEFT + x(value),
            (value) => base - y(value),
          )}
        >
          <title>{one.name}</title>
        </path>
      ))}
      <text class="axis-title" x={LEFT + (WIDTH - LEFT) / 2} y={height - 4} text-anchor="middle">
        {xTitle}
      </text>
    </svg>
  );
}

function path(
  points: ReadonlyArray<{ x: number; y: number }>,
  x: (value: number) => number,
  y: (value: number) => number,
): string {
  return points
    .map((point, index) => (index === 0 ? `M${x(point.x)} ${y(point.y)}` : `H${x(point.x)}V${y(point.y)}`))
    .join("");
}
