// Risk against loss over a range of parameters: which settings are worth considering, and which are beaten by another in
// both respects. Every point is a candidate of its own, made and verified like the one that would be published.

import { useMemo } from "preact/hooks";
import { Legend, Scatter, tickPercent } from "../charts";
import { counted, percent } from "../format";
import type { FrontierPoint, PolicyView } from "../protocol";
import { awaitsConfirmation, dataVersion, providers, quasiIdentifiers, started } from "../state";
import { Card, Problem, Progress, Select } from "../ui";
import { ChoiceForm } from "./ChoiceForm";
import { costShown, pointShown, riskShown } from "./choice";
import { FrontierTable, PointDetails } from "./FrontierTable";
import { COSTS, type CostName, RISKS, type RiskName, costWords, isComparable, keyOf, wordsOf } from "./measures";
import { onFrontier } from "./dominance";
import { type Question, type Run, begin, run as newest, stop } from "./run";
import "./frontier.css";

interface FrontierProps {
  /** The policy that is varied. */
  text: string;
  /** What it says; null if it cannot be read. */
  view: PolicyView | null;
  /** Called with the policy of a point. */
  onUse: (text: string) => void;
}

export function Frontier({ text, view, onUse }: FrontierProps) {
  const run = newest.value;
  if (view === null || view.limits === null) {
    const why = view === null ? "The policy cannot be read at the moment." : "A policy for releases with noise has no groups to vary.";
    return <Card title="Risk against loss"><p class="frontier-hint">{why}</p></Card>;
  }
  if (awaitsConfirmation.value) {
    const why = `${quasiIdentifiers.value.length} quasi-identifiers wait for somebody to confirm the roles: nothing is computed before. See Columns.`;
    return <Card title="Risk against loss"><p class="frontier-hint">{why}</p></Card>;
  }
  const running = run?.state === "running";
  return (
    <Card title="Risk against loss" lead="Makes a candidate for each value and method, and shows which settings no other beats.">
      <ChoiceForm text={text} view={view} providers={providers.value} running={running} onBegin={(question) => void again(question)} onStop={stop} />
      <div class="frontier-state" aria-live="polite">{run !== null && <State run={run} text={text} />}</div>
      {run?.problem && <Problem problem={run.problem} announce />}
      {run === null ? <Empty /> : <Result run={run} onUse={(point) => onUse(point.text)} />}
    </Card>
  );
}

function again(question: Question): Promise<void> {
  [riskShown.value, pointShown.value] = [null, null];
  return begin(question);
}

function Empty() {
  return (
    <p class="frontier-empty">
      Nothing computed yet. Choose what varies and press Compute: every point is a whole run, so many rows and many points
      take a while; it can be stopped at any time and keeps what is there.
    </p>
  );
}

function State({ run, text }: { run: Run; text: string }) {
  if (run.state === "running") return <Progress label={`${run.done} of ${run.of} points`} done={run.of > 0 ? run.done / run.of : null} />;
  const stopped = run.state === "stopped" ? `Stopped after ${run.done} of ${counted(run.of, "point")}. ` : "";
  const old = run.question.text === text ? "" : "The policy has changed since: using a point brings back the policy of then. ";
  const other = run.version === dataVersion.value ? "" : "The tables have changed since: compute again. ";
  return <p class="soft">{stopped}{old}{other}{counted(run.points.length, "point")}{run.missing.length > 0 && `, ${run.missing.length} without a release`}.</p>;
}

function Result({ run, onUse }: { run: Run; onUse: (point: FrontierPoint) => void }) {
  const risk = riskShown.value ?? (run.question.vary === "m" ? "insider_share" : "highest_risk");
  const [cost, selected] = [costShown.value, pointShown.value];
  const { points, question } = run;
  const best = useMemo(() => frontierOf(points, risk, cost), [points, risk, cost]);
  const chosen = points.find((point) => keyOf(point) === selected);
  return (
    <div class={`frontier-result${run.version === dataVersion.value ? "" : " is-old"}`}>
      <div class="frontier-axes">
        <Select label="Risk, to the right" value={risk} options={RISKS.map((m) => ({ value: m.name, label: m.words }))} onChange={(name) => (riskShown.value = name)} />
        <Select label="Cost, upwards" value={cost} options={COSTS.map((m) => ({ value: m.name, label: costWords(m.name, points) }))} onChange={(name) => (costShown.value = name)} />
      </div>
      <div class="frontier-chart">
        <Chart run={run} risk={risk} cost={cost} best={best} selected={selected} onSelect={(key) => (pointShown.value = key)} />
        <PointDetails vary={question.vary} point={chosen} onFrontier={selected !== null && best.includes(selected)} onUse={onUse} />
      </div>
      <details open>
        <summary>As a table</summary>
        <FrontierTable vary={question.vary} points={points} frontier={new Set(best)} onUse={onUse} />
      </details>
      {run.missing.length > 0 && <MissingPoints run={run} />}
    </div>
  );
}

interface ChartProps {
  run: Run;
  risk: RiskName;
  cost: CostName;
  best: readonly string[];
  selected: string | null;
  onSelect: (key: string) => void;
}

function Chart({ run, risk, cost, best, selected, onSelect }: ChartProps) {
  const methods = started.value?.methods ?? run.question.methods;
  const vary = run.question.vary;
  const points = run.points.map((point) => ({
    key: keyOf(point),
    x: point[risk],
    y: point[cost],
    series: Math.max(0, methods.indexOf(point.method)),
    label: `${vary} = ${point.value}, ${point.method}: risk ${percent(point[risk])}, cost ${percent(point[cost])}${best.includes(keyOf(point)) ? ", on the frontier" : ""}`,
  }));
  const label = `${counted(points.length, "point")}, ${best.length} of them on the frontier`;
  return (
    <div class="frontier-drawing">
      <Scatter label={label} points={points} xTitle={wordsOf(RISKS, risk)} yTitle={costWords(cost, run.points)} xFormat={tickPercent} yFormat={tickPercent} joined={best} selected={selected} onSelect={onSelect} />
      <Legend names={methods} />
      <p class="soft frontier-note">Down and to the left is better. The dashed line joins the points that no other beats.{shared(points) && " Some points lie on one another; the table has all of them."}</p>
    </div>
  );
}

/** Whether a point hides another. */
function shared(points: readonly { x: number; y: number }[]): boolean {
  return new Set(points.map(({ x, y }) => `${x.toFixed(3)} ${y.toFixed(3)}`)).size < points.length;
}

function MissingPoints({ run }: { run: Run }) {
  return (
    <details>
      <summary>{counted(run.missing.length, "combination")} without a release, and why</summary>
      <ul class="frontier-missing">
        {run.missing.map((missing) => (
          <li key={`${missing.method} ${missing.value}`}>
            <strong>{run.question.vary} = {missing.value}, {missing.method}</strong>
            <Problem problem={missing.problem} tone="warning" />
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The keys of the points that no other beats, from left to right. */
function frontierOf(points: readonly FrontierPoint[], risk: RiskName, cost: CostName): string[] {
  if (!isComparable(cost, points)) return [];
  const places = points.map((point) => ({ x: point[risk], y: point[cost] }));
  const kept = onFrontier(places);
  const best = points.filter((_, i) => kept[i]);
  return best.sort((a, b) => a[risk] - b[risk] || a[cost] - b[cost]).map(keyOf);
}
