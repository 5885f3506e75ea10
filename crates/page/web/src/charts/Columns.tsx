// Standing columns over categories in order, from 0 to 100 %, with up to three series that differ in colour and shape:
// a wide bar, a narrow bar inside of it, and a diamond. A range of categories from the left can be marked.
//
// Used for exposure against coalition size. A zero is drawn as a number on the base line: it is a finding, not a gap.

import { count, percent } from "../format";

/** A category with its shares, between 0 and 1; null where one is not known. */
export interface ColumnPoint {
  label: string;
  wide: number;
  narrow: number | null;
  diamond: number | null;
}

interface ColumnsProps {
  /** What is shown, for screen readers: the finding, in words. */
  label: string;
  /** The categories. */
  points: readonly ColumnPoint[];
  /** What the categories are. */
  axis: string;
  /** How many categories from the left are marked, and the word for it. */
  marked?: { count: number; word: string };
  /** For small multiples: half as wide, and without words on the axes. */
  small?: boolean;
}

const LEFT = 46;
const TOP = 26;

export function Columns({ label, points, axis, marked, small }: ColumnsProps) {
  const [width, height, bottom] = small ? [210, 138, 22] : [400, 200, 40];
  const area = { width: width - LEFT - 4, height: height - TOP - bottom };
  const slot = area.width / Math.max(1, points.length);
  const y = (share: number) => TOP + area.height * (1 - share);
  const every = Math.ceil(points.length / 13);
  return (
    <svg class="chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      {marked && marked.count > 0 && (
        <g>
          <rect
            class="chart-promised"
            x={LEFT}
            y={4}
            width={slot * Math.min(marked.count, points.length)}
            height={area.height + TOP - 4}
          />
          {slot * marked.count > 64 && (
            <text class="chart-word" x={LEFT + 6} y={16}>
              {marked.word}
            </text>
          )}
        </g>
      )}
      {(small ? [0, 0.5, 1] : [0, 0.25, 0.5, 0.75, 1]).map((share) => (
        <g key={share}>
          <line class={share === 0 ? "axis-line" : "grid-line"} x1={LEFT} x2={width - 4} y1={y(share)} y2={y(share)} />
          <text class="tick" x={LEFT - 6} y={y(share) + 4} text-anchor="end">
            {share * 100}
            {share === 1 ? " %" : ""}
          </text>
        </g>
      ))}
      {points.map((point, index) => (
        <Column
          key={index}
          point={point}
          x={LEFT + slot * index}
          slot={slot}
          y={y}
          tick={index % every === 0}
          base={height - bottom}
        />
      ))}
      {!small && (
        <text class="axis-title" x={LEFT + area.width / 2} y={height - 4} text-anchor="middle">
          {axis}
        </text>
      )}
    </svg>
  );
}

interface ColumnProps {
  point: ColumnPoint;
  x: number;
  slot: number;
  y: (share: number) => number;
  tick: boolean;
  base: number;
}

function Column({ point, x, slot, y, tick, base }: ColumnProps) {
  const middle = x + slot / 2;
  const wide = Math.min(46, slot * 0.62);
  const narrow = wide * 0.42;
  const nothing = point.wide === 0;
  return (
    <g>
      <title>{`${point.label}: ${percent(point.wide)}`}</title>
      <rect
        class="series-wide"
        x={middle - wide / 2}
        y={y(point.wide)}
        width={wide}
        height={Math.max(0, y(0) - y(point.wide))}
      />
      {point.narrow !== null && (
        <rect
          class="series-narrow"
          x={middle - narrow / 2}
          y={y(point.narrow)}
          width={narrow}
          height={Math.max(0, y(0) - y(point.narrow))}
        />
      )}
      {point.diamond !== null && <Diamond x={middle} y={y(point.diamond)} />}
      {(slot > 26 || nothing) && slot > 12 && (
        <text
          class={nothing ? "bar-number is-zero" : "bar-number"}
          x={middle}
          y={numberPlace(point, y)}
          text-anchor="middle"
        >
          {nothing ? "0" : whole(point.wide)}
        </text>
      )}
      {tick && (
        <text class="tick" x={middle} y={base + 18} text-anchor="middle">
          {point.label}
        </text>
      )}
    </g>
  );
}

/** The bar's number belongs to the bar: above it, or inside where the diamond is in the way and there is room. */
function numberPlace({ wide, diamond }: ColumnPoint, y: (share: number) => number): number {
  const above = Math.max(14, y(wide) - 8);
  if (diamond === null || diamond <= wide || y(wide) - y(diamond) > 26) return above;
  return y(0) - y(wide) > 30 ? y(wide) + 18 : Math.max(14, y(diamond) - 8);
}

function Diamond({ x, y }: { x: number; y: number }) {
  return <path class="series-diamond" d={`M${x} ${y - 5}l5 5l-5 5l-5 -5z`} />;
}

/** Per cent without digits, but never 0 for something and never 100 for less than all. */
function whole(share: number): string {
  const rounded = Math.round(share * 100);
  if (share > 0 && rounded === 0) return "<1";
  if (share < 1 && rounded === 100) return ">99";
  return count(rounded);
}
