// The candidate beside other releases: a reader who has several releases about the same people intersects what each of
// them leaves open. The releases are dropped here, and stay on this machine.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { problemOf, stream, tab } from "../api";
import { counted } from "../format";
import type { AttackEvent, AttackFinding, Candidate, ProblemView } from "../protocol";
import { areConfirmed, dataVersion, dropped } from "../state";
import { Button, Problem, Progress } from "../ui";
import { DropReleases, ReleaseList } from "./DropReleases";
import { Findings } from "./Findings";
import { arrived } from "./releases";
import "./attack.css";

interface AttackProps {
  /** The policy of the candidate. */
  text: string;
  /** What it would publish; null while that is not known. */
  candidate: Candidate | null;
  /** Called with a policy that takes the other releases into account. */
  onUse: (text: string) => void;
}

interface Result {
  /** What was asked: text, releases and the state of the tables. */
  of: string;
  findings: AttackFinding[];
  holds: boolean;
  policy: string;
}

export function AttackView({ text, candidate, onUse }: AttackProps) {
  const releases = arrived(dropped.value);
  const names = releases.map((release) => release.name);
  const version = dataVersion.value;
  const asked = useMemo(() => JSON.stringify([text, names, version]), [text, names.join("\n"), version]);
  const { step, result, problem, begin, stop } = useAttack();
  const ready = releases.length > 0 && candidate !== null;
  return (
    <section class="attack" aria-labelledby="attack-title">
      <h4 id="attack-title">Beside other releases</h4>
      <p class="soft">A reader may have other releases about the same people, such as last year’s or a neighbour’s. Compared with each other, groups overlap, and only a single value may remain.</p>
      <DropReleases />
      {releases.length === 0 && <p class="attack-empty">No other release yet. What you drop stays on this machine.</p>}
      <ReleaseList releases={releases} />
      <div class="attack-go">
        <Button variant="primary" disabled={!ready} busy={step !== null} onClick={() => begin(text, names, asked)}>
          {releases.length === 0 ? "Compare with ours" : `Compare ${counted(releases.length, "release")} with ours`}
        </Button>
        <Button disabled={step === null} onClick={stop}>Stop</Button>
        {candidate === null && <span class="soft">The policy as it is has no candidate yet.</span>}
      </div>
      <div class="attack-state">{step !== null && <Progress label={step} done={null} />}</div>
      {problem !== null && <Problem problem={problem} announce />}
      {result !== null && <Outcome result={result} current={result.of === asked} onUse={onUse} />}
    </section>
  );
}

function Outcome({ result, current, onUse }: { result: Result; current: boolean; onUse: (text: string) => void }) {
  return (
    <section class={`attack-result${current ? "" : " is-old"}`} aria-label="What a reader of all releases finds out">
      {!current && <p class="attack-old">The policy, the tables or the releases have changed since: compare them again.</p>}
      <Findings findings={result.findings} holds={result.holds} />
      {current && result.findings.length > 0 && (
        <div class="attack-use">
          <Button onClick={() => onUse(result.policy)}>Take them into account when publishing</Button>
          <p class="soft">Adds the releases to the policy: candidates that do not hold beside them are changed or refused.</p>
        </div>
      )}
    </section>
  );
}

/** One attack at a time. */
function useAttack() {
  const [step, setStep] = useState<string | null>(null);
  const [result, setResult] = useState<Result | null>(null);
  const [problem, setProblem] = useState<ProblemView | null>(null);
  const stopper = useRef<AbortController | null>(null);
  useEffect(() => () => stopper.current?.abort(), []);
  const take = (event: AttackEvent, of: string) => {
    if (event.event === "progress") setStep(event.step);
    else if (event.event === "problem") setProblem(event.problem);
    else setResult({ of, findings: event.findings, holds: event.holds, policy: event.policy_text });
  };
  const begin = (text: string, releases: string[], of: string) => {
    const mine = new AbortController();
    stopper.current = mine;
    setStep("reading the releases");
    setProblem(null);
    setResult(null);
    stream("/api/attack", { tab: `${tab}.attack`, text, releases, confirmed: areConfirmed.value }, (event) => take(event, of), mine.signal)
      .catch((error: unknown) => setProblem(problemOf(error)))
      .finally(() => setStep(null));
  };
  return { step, result, problem, begin, stop: () => stopper.current?.abort() };
}
