// Against whom, how strongly, and by which method: sliders and fields that edit the policy. Further right always
// protects more and costs more.

import { useState } from "preact/hooks";
import { list, percent } from "../format";
import type { LimitsView } from "../protocol";
import { edit, editable, profile, providers, started, view, wish } from "../state";
import { Card, Coded, Select, Slider } from "../ui";
import {
  type Diversity,
  K_POSITIONS,
  type Kinds,
  SUPPRESSED_POSITIONS,
  type Subject,
  T_OFF,
  T_POSITIONS,
  closeness,
  coalition,
  coalitionPositions,
  groupSize,
  hasNoise,
  kindShown,
  kindsOf,
  noLimits,
  overridden,
  setCloseness,
  setCoalition,
  setGroupSize,
  setKinds,
  subjectOf,
  withKind,
} from "./limits";
import { Unreadable } from "./Unreadable";
import "./protection.css";

export function ProtectionView() {
  const policy = view.value;
  if (policy === null) return <Unreadable />;
  return (
    <Card class="protection" title="Protection" level={2} lead="Further right protects more and costs more detail.">
      <fieldset class="sliders" disabled={!editable.value}>
        <legend class="visually-hidden">What is promised</legend>
        {hasNoise() ? <Noise /> : <Limits limits={policy.limits ?? noLimits(policy)} />}
        <Method />
      </fieldset>
      {!editable.value && (
        <p class="field-error">The policy's text cannot be read: fix it below, under “Policy as text”.</p>
      )}
    </Card>
  );
}

/** A policy with a `[dp]` section promises something else. */
function Noise() {
  return (
    <p>
      <Coded text="This policy is for releases with noise (`[dp]`). The sliders are for `[privacy]`; edit the text below, or publish with `mingle dp`." />
    </p>
  );
}

function Limits({ limits }: { limits: LimitsView }) {
  const [values, distance] = [subjectOf(limits, "l"), subjectOf(limits, "t")];
  return (
    <>
      <CoalitionSlider limits={limits} />
      <GroupSlider limits={limits} />
      {values === null || distance === null ? (
        <p class="field-hint">
          No column is sensitive, so nothing can be promised about values. Set one under “Columns”.
        </p>
      ) : (
        <>
          <DiversitySlider subject={values} />
          <Overridden columns={overridden(limits, "l", values)} letter="l" />
          <ClosenessSlider subject={distance} />
          <Overridden columns={overridden(limits, "t", distance)} letter="t" />
        </>
      )}
    </>
  );
}

/** Columns that a slider does not move. */
function Overridden({ columns, letter }: { columns: readonly string[]; letter: string }) {
  if (columns.length === 0) return null;
  return (
    <p class="field-hint">
      {`This slider does not move ${list(columns)}: the policy's text has ${letter === "l" ? "an" : "a"} ${letter} for ${columns.length === 1 ? "that column" : "each of them"} alone.`}
    </p>
  );
}

function CoalitionSlider({ limits }: { limits: LimitsView }) {
  const { m, byDefault } = coalition(limits, providers.value);
  const most = Math.max(providers.value - 1, m, 0);
  const alone = most === 0 && profile.value !== null;
  return (
    <Slider
      label="Colluding providers, m"
      value={m}
      positions={coalitionPositions(most)}
      parse={wholeWithin(0, most)}
      onInput={setCoalition}
      describe={insiders}
      disabled={most === 0}
      range={`A whole number from 0 to ${most}: at most all providers but one.`}
      hint={
        alone
          ? "One provider: there is nobody to collude with."
          : `Withstands ${insiders(m)}${byDefault ? " (the default)" : ""}.`
      }
    />
  );
}

function GroupSlider({ limits }: { limits: LimitsView }) {
  const k = groupSize(limits);
  return (
    <Slider
      label="People in each group, k"
      value={k}
      positions={K_POSITIONS}
      parse={wholeWithin(1, 1_000_000)}
      onInput={setGroupSize}
      describe={(value) => (value > 1 ? `at least ${value} people` : "no promise")}
      range="A whole number from 1."
      hint={
        k > 1
          ? `Nobody can be told from ${k - 1} ${k === 2 ? "other" : "others"}.`
          : "No promise about the size of groups."
      }
    />
  );
}

function DiversitySlider({ subject }: { subject: Subject }) {
  const [chosen, choose] = useState<Diversity>("distinct");
  const kinds = kindsOf(subject);
  const kind = kindShown(kinds, chosen);
  const l = kinds[kind] ?? 1;
  const known = profile.value?.columns.find((column) => column.name === subject.of.column)?.distinct ?? 10;
  const most = Math.max(Math.min(known, 20), Math.ceil(l), 2);
  const steps = kind === "distinct" ? 1 : 2;
  const positions = Array.from({ length: Math.min((most - 1) * steps + 1, 200) }, (_, index) => 1 + index / steps);
  const change = (next: Diversity) => {
    choose(next);
    // The only kind that is there becomes the other; where both are there, the slider only goes from one to the other.
    if (kinds[next] === undefined && kinds[kind] !== undefined)
      setKinds(withKind(withKind(kinds, kind, 1), next, next === "distinct" ? Math.floor(l) : l), subject);
  };
  return (
    <div class="slider-with-kind">
      <Slider
        label="Different values in each group, l"
        value={l}
        positions={positions}
        parse={kind === "distinct" ? wholeWithin(1, 1_000_000) : within(1, 1_000_000)}
        onInput={(value) => setKinds(withKind(kinds, kind, value), subject)}
        describe={(value) => (value > 1 ? `at least ${value} values` : "no promise")}
        range={kind === "distinct" ? "A whole number from 1." : "A number from 1."}
        hint={`${forColumn(subject)}${diversityHint(kind, l)}${besides(kinds, kind)}`}
      />
      <Select<Diversity>
        label="How values are counted"
        hideLabel
        value={kind}
        options={[
          { value: "distinct", label: "distinct" },
          { value: "entropy", label: "entropy" },
        ]}
        onChange={change}
      />
    </div>
  );
}

function diversityHint(kind: Diversity, l: number): string {
  if (l <= 1) return "No promise about the values of a group.";
  return kind === "distinct"
    ? `At least ${l} sensitive values in each group.`
    : `As mixed as ${l} equally frequent values (entropy at least log ${l}).`;
}

/** What the policy promises about values in other ways, which the slider leaves as it is. */
function besides(kinds: Kinds, kind: Diversity): string {
  const others = [
    kind !== "distinct" && kinds.distinct !== undefined ? `at least ${kinds.distinct} distinct values` : "",
    kind !== "entropy" && kinds.entropy !== undefined ? `entropy at least log ${kinds.entropy}` : "",
    kinds.recursive === undefined ? "" : `recursive (${kinds.recursive.c}, ${kinds.recursive.l})-diversity`,
  ].filter((words) => words !== "");
  return others.length === 0 ? "" : ` Besides: ${list(others)}.`;
}

function forColumn({ own }: Subject): string {
  return own === null ? "" : `For ${own}, which has a limit of its own. `;
}

function ClosenessSlider({ subject }: { subject: Subject }) {
  const { t_distance } = subject.of;
  const t = closeness(subject);
  return (
    <Slider
      label="Distance from the whole table, t"
      value={t}
      positions={T_POSITIONS}
      format={(value) => (value >= T_OFF ? "off" : String(value))}
      parse={(typed) => (typed.trim() === "off" ? T_OFF : within(0.0001, 1)(typed))}
      onInput={(value) => setCloseness(value, subject)}
      describe={(value) => (value >= T_OFF ? "off" : `at most ${value}`)}
      range="A number above 0 and up to 1, or off."
      hint={
        t >= T_OFF
          ? `${forColumn(subject)}No promise that groups look like the table.`
          : `${forColumn(subject)}Each group's values differ from the table's by at most ${t}${t_distance === null ? "" : `, ${t_distance} distance`}.`
      }
    />
  );
}

function Method() {
  const methods = started.value?.methods ?? [];
  const chosen = (wish("method", "name") as string | undefined) ?? view.value?.method ?? "";
  const share = ((wish("method", "max_suppressed") as number | null | undefined) ??
    view.value?.max_suppressed ??
    0) as number;
  const names = methods.includes(chosen) ? methods : [chosen, ...methods];
  return (
    <div class="method">
      <Select
        label="Method"
        value={chosen}
        options={names.map((name) => ({ value: name, label: name }))}
        onChange={(name) => edit({ path: ["method", "name"], value: name })}
      />
      <Slider
        label="Rows that may be left out"
        value={share}
        positions={SUPPRESSED_POSITIONS}
        format={(value) => String(Number((value * 100).toPrecision(6)))}
        parse={(typed) => shareOf(typed)}
        unit="%"
        onInput={(value) => edit({ path: ["method", "max_suppressed"], value: value > 0 ? value : null })}
        describe={(value) => percent(value)}
        range="From 0 to 99 per cent."
      />
    </div>
  );
}

function insiders(m: number): string {
  if (m === 0) return "readers from outside only";
  return m === 1 ? "any one provider" : `any ${m} providers together`;
}

function within(low: number, high: number): (typed: string) => number | null {
  return (typed) => {
    const value = Number(typed.trim().replace(",", "."));
    return typed.trim() !== "" && value >= low && value <= high ? value : null;
  };
}

function wholeWithin(low: number, high: number): (typed: string) => number | null {
  return (typed) => {
    const value = within(low, high)(typed);
    return value !== null && Number.isInteger(value) ? value : null;
  };
}

function shareOf(typed: string): number | null {
  const value = within(0, 99)(typed.replace("%", ""));
  return value === null ? null : Number((value / 100).toPrecision(6));
}
