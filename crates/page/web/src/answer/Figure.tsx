// One number with its name and how it changed. Its place is as large before it is known.

import type { Candidate } from "../protocol";
import { type Measure, comparable } from "./measures";

interface FigureProps {
  measure: Measure;
  /** The candidate; null before there is one. */
  candidate: Candidate | null;
  /** What it is measured against. */
  before: Candidate | null;
}

export function Figure({ measure, candidate, before }: FigureProps) {
  const value = candidate === null ? null : measure.of(candidate);
  const same = candidate !== null && before !== null && comparable(measure, [candidate, before]);
  const old = same ? measure.of(before) : null;
  return (
    <div class="figure" data-measure={measure.key} title={measure.about}>
      <dt>{measure.name}</dt>
      <dd>
        <span class="figure-value">{value === null ? "–" : measure.format(value)}</span>
        <span class="figure-change">{value !== null && old !== null && <Change by={value - old} />}</span>
      </dd>
    </div>
  );
}

/** A change of a share, in percentage points; less is better. */
function Change({ by }: { by: number }) {
  const points = by * 100;
  if (Math.abs(points) < 0.05) return <span class="soft">no change</span>;
  const less = points < 0;
  return (
    <span class={less ? "is-better" : "is-worse"}>
      <span aria-hidden="true">{less ? "▼ −" : "▲ +"}</span>
      <span class="visually-hidden">{less ? "better by " : "worse by "}</span>
      {Math.abs(points).toFixed(Math.abs(points) < 100 ? 1 : 0)} pt
    </span>
  );
}
