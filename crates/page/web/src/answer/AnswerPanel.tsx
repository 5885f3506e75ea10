// The answer to the policy: what is protected against whom, what it costs, and what is left of risk. Numbers of an older
// text are dimmed and said to be updating; a text without a candidate shows none.

import { Bars } from "../charts";
import { ConfirmRoles } from "../columns/ConfirmRoles";
import { count, counted, percent, short } from "../format";
import type { Candidate } from "../protocol";
import { answer, baseline, canPin, failure, freshness, isWithout, pin, pinned, pins, problem, reference } from "../state";
import { Button, Problem, Select, Table, toast } from "../ui";
import { ExposureChart, ExposureLegend, ExposureTable } from "./ExposureChart";
import { Figure } from "./Figure";
import { DETAILS, HEADLINES } from "./measures";
import { promisesNothing, verdict } from "./promises";
import { Announcer, Status } from "./Status";
import "./answer.css";

export function AnswerPanel() {
  const state = freshness.value;
  const shown = isWithout.value ? null : (answer.value?.candidate ?? null);
  return (
    <aside class="answer card" aria-label="Answer" data-state={state} data-candidate={shown?.id ?? ""}>
      <header class="answer-head">
        <h2>What it protects and costs</h2>
        <PinButton />
      </header>
      <Status />
      <Announcer />
      <div class={`answer-body${state === "updating" ? " is-old" : ""}`} aria-busy={state === "updating"}>
        <Verdict candidate={shown} />
        <dl class="figures">
          {HEADLINES.map((measure) => (
            <Figure key={measure.key} measure={measure} candidate={shown} before={reference.value} />
          ))}
        </dl>
        <Against />
        <Exposure candidate={shown} />
        {shown !== null && <Details candidate={shown} />}
      </div>
    </aside>
  );
}

function Verdict({ candidate }: { candidate: Candidate | null }) {
  if (problem.value !== null) return <Problem problem={problem.value} />;
  if (freshness.value === "problem" && failure.value !== null)
    return <Problem problem={failure.value.problem} announce />;
  if (freshness.value === "unconfirmed") return <ConfirmRoles />;
  if (candidate === null) return <div class="verdict is-waiting" />;
  const nothing = promisesNothing(candidate);
  const open = nothing || candidate.warnings.length > 0;
  return (
    <div class={open ? "verdict is-open" : "verdict"}>
      <p class="verdict-text">
        <span class="verdict-mark" aria-hidden="true">
          {open ? "!" : "✓"}
        </span>
        <span>{verdict(candidate)}</span>
      </p>
      {nothing && <p class="promises">Every table keeps what the policy asks for. Ask for groups of at least 2 people.</p>}
      <ul class="promises">
        {candidate.promises.map((promise) => (
          <li key={promise.words}>{promise.words}</li>
        ))}
      </ul>
    </div>
  );
}

function Against() {
  return (
    <div class="against">
      <Select
        label="Changes against"
        value={baseline.value ?? ""}
        disabled={pins.value.length === 0}
        options={[
          { value: "", label: "the answer before" },
          ...pins.value.map((one) => ({ value: one.letter, label: `candidate ${one.letter}` })),
        ]}
        onChange={(letter) => (baseline.value = letter === "" ? null : letter)}
      />
    </div>
  );
}

function PinButton() {
  const kept = pinned.value;
  const keep = () => {
    const letter = pin();
    if (letter !== null) toast(`Pinned as candidate ${letter}`);
  };
  return (
    <Button small disabled={!canPin.value} onClick={keep} title="Keep this candidate to compare with">
      {kept === null ? (pins.value.length < 4 ? "Pin" : "Four are pinned") : `Pinned as ${kept.letter}`}
    </Button>
  );
}

function Exposure({ candidate }: { candidate: Candidate | null }) {
  return (
    <section class="exposure" aria-labelledby="exposure-title">
      <h3 id="exposure-title">Who is exposed when providers collude</h3>
      <div class="exposure-chart">
        {candidate !== null ? (
          <ExposureChart candidate={candidate} />
        ) : (
          isWithout.value && <p class="exposure-none">There are no numbers without a release.</p>
        )}
      </div>
      <ExposureLegend />
      {candidate !== null && (
        <details class="more">
          <summary>The same as a table</summary>
          <ExposureTable candidate={candidate} />
        </details>
      )}
    </section>
  );
}

function Details({ candidate }: { candidate: Candidate }) {
  return (
    <>
      {candidate.warnings.length > 0 && (
        <section class="warnings" aria-label="Warnings">
          {candidate.warnings.map((warning, index) => (
            <Problem key={index} problem={warning} tone="warning" />
          ))}
        </section>
      )}
      <section aria-labelledby="loss-title">
        <h3 id="loss-title">
          Detail lost by column <span class="soft">({candidate.loss_name})</span>
        </h3>
        <Bars
          label="Detail lost by column"
          max={1}
          bars={candidate.columns.map((one) => ({
            label: one.column,
            value: one.loss,
            text: percent(one.loss),
            note: `${counted(one.labels, "label")} published`,
          }))}
        />
      </section>
      <Groups candidate={candidate} />
      {candidate.balance.length > 0 && <Spread candidate={candidate} />}
      <details class="more">
        <summary>What these numbers mean</summary>
        <dl class="meanings">
          {[...HEADLINES, ...DETAILS].map((measure) => (
            <div key={measure.key}>
              <dt>{measure.name}</dt>
              <dd>{measure.about}</dd>
            </div>
          ))}
        </dl>
      </details>
    </>
  );
}

function Groups({ candidate }: { candidate: Candidate }) {
  const { risk } = candidate;
  const facts: Array<[string, string]> = [
    ["Groups", count(candidate.groups)],
    ["Smallest group", counted(candidate.smallest, "person", "people")],
    ["People published", count(candidate.people)],
    ["Rows left out", `${count(candidate.suppressed)} of ${count(candidate.rows)}`],
    ["Query error, median", percent(candidate.query_error.median)],
    ["Prosecutor risk, mean", percent(risk.prosecutor.average)],
    ["Journalist risk, highest", percent(risk.journalist.highest)],
    ["Marketer risk", percent(risk.marketer)],
    ["Discernibility", short(candidate.discernibility)],
  ];
  return (
    <section aria-labelledby="groups-title">
      <h3 id="groups-title">Groups and risk</h3>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Spread({ candidate }: { candidate: Candidate }) {
  const number = (label: string) => ({ label, number: true });
  return (
    <section aria-labelledby="balance-title">
      <h3 id="balance-title">Sensitive values in the worst group</h3>
      <Table
        dense
        caption="Sensitive values in the worst group"
        hideCaption
        head={[
          { label: "column" },
          number("distinct"),
          number("entropy l"),
          number("distance"),
          number("largest share"),
        ]}
        rows={candidate.balance.map((one) => ({
          key: one.column,
          cells: [
            one.column,
            count(one.fewest_distinct),
            short(one.smallest_entropy_l),
            short(one.largest_distance),
            percent(one.largest_share),
          ],
        }))}
      />
    </section>
  );
}
