// Up to four candidates side by side: numbers with the best marked, exposure on common axes, and the frontier.

import type { ComponentChildren } from "preact";
import { ExposureChart, ExposureLegend } from "../answer/ExposureChart";
import { DETAILS, HEADLINES, type Measure, comparable } from "../answer/measures";
import { count } from "../format";
import { Frontier } from "../frontier/Frontier";
import { type Answer, answer, canPin, freshness, isOfEarlierTables, pin, pinned, pins, replace, text, unpin, view } from "../state";
import { go } from "../shell/step";
import { Button, Card, toast } from "../ui";
import { best } from "./best";
import "./compare.css";

interface Entry extends Answer {
  /** Its letter; null for the candidate at hand. */
  letter: string | null;
}

export function CompareView() {
  const entries = shown();
  return (
    <>
      <Card
        title="Compare candidates"
        level={2}
        lead="Up to four candidates side by side; the best value of each measure is marked."
      >
        {pins.value.length === 0 && <NothingPinned />}
        {entries.length > 0 && pins.value.length > 0 && <Comparison entries={entries} />}
      </Card>
      {view.value !== null && <Frontier text={text.value} view={view.value} onUse={use} />}
    </>
  );
}

function shown(): Entry[] {
  const now = answer.value;
  const fresh = freshness.value === "final" && now !== null && pinned.value === null;
  return [...pins.value, ...(fresh ? [{ ...now, letter: null }] : [])];
}

function NothingPinned() {
  return (
    <div class="nothing">
      <p>Nothing is pinned yet. Pin the current candidate, change a slider, and pin again.</p>
      <div class="drop-actions">
        <Button variant="primary" disabled={!canPin.value} onClick={pin}>
          Pin the current candidate
        </Button>
        <Button onClick={() => go("protection")}>To the sliders</Button>
      </div>
    </div>
  );
}

function Comparison({ entries }: { entries: readonly Entry[] }) {
  const columns = entries.map((entry) => entry.candidate);
  return (
    <>
      <div class="table-frame" role="region" aria-label="Candidates side by side" tabIndex={0}>
        <table class="table compare">
          <caption class="visually-hidden">Candidates side by side; the best value of each row is marked</caption>
          <thead>
            <tr>
              <th scope="col">measure</th>
              {entries.map((entry) => (
                <th key={entry.letter ?? "now"} scope="col">
                  <Heading entry={entry} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <Facts name="method" cells={columns.map((one) => one.method)} />
            <Facts name="m, colluding providers" cells={columns.map((one) => count(one.m))} />
            <Facts name="k, promised group size" cells={columns.map((one) => count(one.k))} />
            {[...HEADLINES, ...DETAILS].map((measure) => (
              <MeasureRow key={measure.key} measure={measure} entries={entries} />
            ))}
            <Facts name="groups" cells={columns.map((one) => count(one.groups))} />
            <Facts name="smallest group" cells={columns.map((one) => count(one.smallest))} />
            <tr class="compare-charts">
              <th scope="row">
                exposure
                <ExposureLegend />
              </th>
              {entries.map((entry) => (
                <td key={entry.letter ?? "now"}>
                  <ExposureChart candidate={entry.candidate} small />
                </td>
              ))}
            </tr>
            <tr>
              <th scope="row">
                <span class="visually-hidden">what to do</span>
              </th>
              {entries.map((entry) => (
                <td key={entry.letter ?? "now"}>
                  <Actions entry={entry} />
                </td>
              ))}
            </tr>
          </tbody>
        </table>
      </div>
    </>
  );
}

function Heading({ entry }: { entry: Entry }) {
  const here = entry.letter !== null && pinned.value?.letter === entry.letter;
  return (
    <>
      {entry.letter === null ? "At hand" : `Candidate ${entry.letter}`}
      {here && <span class="badge">at hand</span>}
      {isOfEarlierTables(entry) && <span class="badge badge-warn">of earlier tables</span>}
    </>
  );
}

function Facts({ name, cells }: { name: string; cells: readonly ComponentChildren[] }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      {cells.map((cell, index) => (
        <td key={index}>{cell}</td>
      ))}
    </tr>
  );
}

function MeasureRow({ measure, entries }: { measure: Measure; entries: readonly Entry[] }) {
  const values = entries.map((entry) => measure.of(entry.candidate));
  if (values.every((value) => value === null)) return null;
  const now = entries.filter((entry) => !isOfEarlierTables(entry)).map((entry) => entry.candidate);
  const alike = comparable(measure, entries.map((entry) => entry.candidate));
  // A candidate of earlier tables is no match for those of these tables.
  const inRace = entries.map((entry, index) => (isOfEarlierTables(entry) ? null : (values[index] ?? null)));
  const winners = comparable(measure, now) ? best(inRace, measure.format) : new Set<number>();
  return (
    <tr data-measure={measure.key}>
      <th scope="row" title={measure.about}>
        {measure.name}
      </th>
      {values.map((value, index) => (
        <td key={index} class={winners.has(index) ? "is-best" : undefined}>
          {value === null ? "–" : measure.format(value)}
          {!alike && <span class="soft"> {kindOf(measure, entries[index])}</span>}
          {winners.has(index) && <span class="best-mark">★ best</span>}
        </td>
      ))}
    </tr>
  );
}

function kindOf(measure: Measure, entry: Entry | undefined): string {
  return entry === undefined ? "" : (measure.kind?.(entry.candidate) ?? "");
}

function Actions({ entry }: { entry: Entry }) {
  const { letter } = entry;
  if (letter === null)
    return (
      <Button small disabled={!canPin.value} onClick={pin}>
        Pin
      </Button>
    );
  return (
    <div class="compare-actions">
      <Button small disabled={entry.text === text.value} onClick={() => use(entry.text)}>
        Use this one
      </Button>
      <Button small variant="quiet" aria-label={`Unpin candidate ${letter}`} onClick={() => unpin(letter)}>
        Unpin
      </Button>
    </div>
  );
}

function use(next: string): void {
  void replace(next);
  toast("The policy is set to this candidate; Undo leads back.");
}
