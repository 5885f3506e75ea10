// What some providers together would learn from a candidate: they know the release and their own rows, take these out of
// every group, and look at what is left.

import { useMemo, useState } from "preact/hooks";
import { count, percent } from "../format";
import { useOfCandidate } from "../ofCandidate";
import type { Candidate, CoalitionAnswer } from "../protocol";
import { Problem } from "../ui";
import { Examples } from "./Examples";
import { ExposureStrip } from "./ExposureStrip";
import { Picker } from "./Picker";
import { headline } from "./sentence";
import "./coalition.css";

interface ExplorerProps {
  /** The candidate that is looked at; null while there is none. */
  candidate: Candidate | null;
}

export function CoalitionExplorer({ candidate }: ExplorerProps) {
  return (
    <section class="coalition-view" aria-labelledby="coalition-title">
      <h4 id="coalition-title">What would they learn together?</h4>
      <p class="soft">Pick providers. Each knows its own rows and reads the release; together they take theirs out of every group and look at what is left of the others.</p>
      {candidate === null ? <p class="coalition-empty">There is nothing to look at until the policy has a candidate.</p> : <Explorer candidate={candidate} />}
    </section>
  );
}

function Explorer({ candidate }: { candidate: Candidate }) {
  const names = candidate.providers.map((bar) => bar.label).join("\n");
  const [picked, setMembers] = useState<string[]>([]);
  const members = useMemo(() => picked.filter((name) => names.split("\n").includes(name)), [picked, names]);
  const question = useMemo(() => ({ candidate: candidate.id, providers: members }), [candidate, members]);
  const { known, problem, pending } = useOfCandidate("/api/coalition", question, 40);
  return (
    <div class="coalition">
      <Picker candidate={candidate} members={members} onChange={setMembers} />
      {problem !== null && <Problem problem={problem} announce />}
      {/* An answer to another question is dimmed, never shown as the answer to this one. */}
      <div class={`coalition-answer${pending ? " is-old" : ""}`} aria-busy={pending}>
        {known === null && problem === null && <p class="coalition-headline coalition-waiting">Taking out their rows …</p>}
        {known !== null && problem === null && <Answer candidate={candidate} members={known.question.providers} answer={known.answer} />}
      </div>
      <div class="coalition-context">
        <ExposureStrip candidate={candidate} size={members.length} />
        <Assumed />
      </div>
    </div>
  );
}

function Answer({ candidate, members, answer }: { candidate: Candidate; members: readonly string[]; answer: CoalitionAnswer }) {
  return (
    <>
      <p class={`coalition-headline ${tone(answer)}`} aria-live="polite">
        {headline(candidate, members, answer)}
      </p>
      <Numbers answer={answer} />
      {answer.examples.length > 0 ? (
        <Examples candidate={candidate} groups={answer.examples} />
      ) : (
        <p class="coalition-empty">No group gives them anything to work with.</p>
      )}
    </>
  );
}

function tone(answer: CoalitionAnswer): string {
  if (answer.exposed > 0) return "is-exposed";
  if (answer.fallen > 0) return "is-fallen";
  return answer.exact ? "is-safe" : "is-open";
}

function Numbers({ answer }: { answer: CoalitionAnswer }) {
  const share = (value: number) => (answer.others > 0 ? percent(value / answer.others) : "–");
  const numbers: [string, string, string][] = [
    ["groups with rows of theirs", count(answer.touched), ""],
    [`groups where a promise breaks${answer.exact ? "" : ", at least"}`, count(answer.fallen), ""],
    [`people of others in those groups${answer.exact ? "" : ", at least"}`, count(answer.people), share(answer.people)],
    ["people whose row they know", count(answer.identity), share(answer.identity)],
    ["people whose row or value they know", count(answer.exposed), share(answer.exposed)],
  ];
  return (
    <dl class="coalition-numbers">
      {numbers.map(([name, value, part]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value}
            <span class="coalition-share">{part}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Assumed() {
  return (
    <details class="coalition-assumed">
      <summary>What is assumed</summary>
      <ul>
        <li>They know all of their own rows and which group each is in; every row is one person.</li>
        <li>They know the quasi-identifiers of the people they are curious about, and that these are in the table.</li>
        <li>“For sure” means that one row is left, or that all rows left have the same value. A good guess is not counted; what is left shows how good it would be.</li>
        <li>Shares are of the rows of others, whoever provided them.</li>
      </ul>
    </details>
  );
}
