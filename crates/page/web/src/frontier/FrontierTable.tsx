// The points as a table, for those who read rather than look, and the point that is chosen.

import { percent } from "../format";
import type { FrontierPoint, Vary } from "../protocol";
import { Button, Table } from "../ui";
import { COSTS, RISKS, costWords, keyOf } from "./measures";

interface FrontierTableProps {
  vary: Vary;
  points: readonly FrontierPoint[];
  /** Keys of the points that no other beats. */
  frontier: ReadonlySet<string>;
  onUse: (point: FrontierPoint) => void;
}

export function FrontierTable({ vary, points, frontier, onUse }: FrontierTableProps) {
  const head = [
    { label: vary },
    { label: "method" },
    ...[...RISKS, ...COSTS].map((measure) => ({ label: measure.short, number: true })),
    { label: "frontier" },
    { label: <span class="visually-hidden">use</span> },
  ];
  const order = [...points].sort((a, b) => a.method.localeCompare(b.method) || a.value - b.value);
  const rows = order.map((point) => ({
    key: keyOf(point),
    cells: [
      point.value,
      point.method,
      ...[...RISKS, ...COSTS].map((measure) => percent(point[measure.name])),
      frontier.has(keyOf(point)) ? "● yes" : "",
      <Button key="use" small variant="quiet" aria-label={`Use ${vary} = ${point.value} by ${point.method}`} onClick={() => onUse(point)}>
        use
      </Button>,
    ],
    ...(frontier.has(keyOf(point)) ? { class: "frontier-best" } : {}),
  }));
  return <Table caption="All points; the frontier is for the two measures of the chart" head={head} rows={rows} dense empty="no points yet" />;
}

interface DetailsProps {
  vary: Vary;
  point: FrontierPoint | undefined;
  onFrontier: boolean;
  onUse: (point: FrontierPoint) => void;
}

/** The chosen point in full. */
export function PointDetails({ vary, point, onFrontier, onUse }: DetailsProps) {
  if (point === undefined) {
    return <p class="frontier-details frontier-hint">Choose a point to see it in full: click it, or reach the chart with Tab and go from point to point with the arrow keys.</p>;
  }
  return (
    <div class="frontier-details" aria-live="polite">
      <h4>{vary} = {point.value}, {point.method}</h4>
      <p class="soft">{onFrontier ? "On the frontier: no other point is better in one of the two and as good in the other." : "Another point is as good in one of the two and better in the other."}</p>
      <dl>
        {[...RISKS, ...COSTS].map((measure) => (
          <div key={measure.name}>
            <dt>{measure.name === "loss" ? costWords("loss", [point]) : measure.words}</dt>
            <dd>{percent(point[measure.name])}</dd>
          </div>
        ))}
      </dl>
      <Button variant="primary" onClick={() => onUse(point)}>Use this setting</Button>
    </div>
  );
}
