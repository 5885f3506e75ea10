// A distribution in little room: bars that stand, from zero, one beside the other.

import { count } from "../format";
import type { LabelledCount } from "../protocol";

interface HistogramProps {
  /** What is shown, for screen readers. */
  label: string;
  /** The bars, in order. */
  bars: readonly LabelledCount[];
  /** Rows that no bar counts: shown as a last, hatched bar. */
  rest?: number;
  /** Whether bars touch, as intervals do. */
  ordered: boolean;
}

const WIDTH = 240;
const HEIGHT = 44;

export function Histogram({ label, bars, rest = 0, ordered }: HistogramProps) {
  const max = Math.max(1, ...bars.map((bar) => bar.count));
  // The rest is many values in one: as a bar it would dwarf the others, so it is cut at the tallest of them and hatched.
  const shown = rest > 0 ? [...bars, { label: "all others", count: Math.min(rest, max) }] : bars;
  const slot = WIDTH / Math.max(1, shown.length);
  const gap = ordered ? Math.min(1, slot * 0.08) : Math.min(4, slot * 0.2);
  const cut = rest > max;
  return (
    <>
      <svg
        class="histogram"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={summary(label, bars, rest, ordered)}
      >
        {shown.map((bar, index) => {
          const height = bar.count > 0 ? Math.max(1, (bar.count / max) * (HEIGHT - 2)) : 0;
          const others = index === bars.length;
          return (
            <rect
              key={index}
              class={others ? "histogram-rest" : "histogram-bar"}
              x={index * slot + gap / 2}
              y={HEIGHT - 1 - height}
              width={Math.max(0.5, slot - gap)}
              height={height}
            >
              <title>{others ? `all others: ${count(rest)}` : `${bar.label}: ${count(bar.count)}`}</title>
            </rect>
          );
        })}
        {cut && <Break x={bars.length * slot + gap / 2} width={Math.max(0.5, slot - gap)} />}
        <line
          class="axis-line"
          x1={0}
          x2={WIDTH}
          y1={HEIGHT - 0.5}
          y2={HEIGHT - 0.5}
          vector-effect="non-scaling-stroke"
        />
      </svg>
      {cut && <span class="histogram-cut">the dashed bar is cut: {count(rest)} rows with other values</span>}
    </>
  );
}

/** Two strokes across a bar that is longer than it is drawn. */
function Break({ x, width }: { x: number; width: number }) {
  const stroke = (y: number) => `M${x - width * 0.15} ${y + 3}L${x + width * 1.15} ${y - 3}`;
  return <path class="histogram-break" d={stroke(14) + stroke(19)} />;
}

function summary(label: string, bars: readonly LabelledCount[], rest: number, ordered: boolean): string {
  const top = [...bars].sort((one, other) => other.count - one.count).slice(0, 3);
  const words = top.map((bar) => `${bar.label} (${count(bar.count)})`).join(", ");
  const others = rest > 0 ? `; all others ${count(rest)}` : "";
  return `${label}: ${bars.length} ${ordered ? "intervals" : "values"}, most frequent ${words || "none"}${others}`;
}
