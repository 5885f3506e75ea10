// Writing the release: its name, what will be written where, the run, and what to do with the result.

import { useEffect, useRef, useState } from "preact/hooks";
import { problemOf, stream, tab } from "../api";
import { counted, duration } from "../format";
import type { Candidate, ProblemView, PublishEvent } from "../protocol";
import { Button, Card, Dialog, Field, Problem, Progress } from "../ui";
import { Published, type Release } from "./Published";
import { releaseNameProblem } from "./names";

interface ReleaseCardProps {
  text: string;
  candidate: Candidate | null;
  folder: string;
  name: string;
  onName: (name: string) => void;
  force: boolean;
  onForce: (force: boolean) => void;
}

/** The code with which the program refuses to replace a release. */
const EXISTS = "MG0401";

type Run =
  | { state: "idle" | "asking" }
  | { state: "running"; step: string; elapsed: number }
  | { state: "published"; release: Release; text: string }
  | { state: "failed"; problem: ProblemView };

export function ReleaseCard(props: ReleaseCardProps) {
  const { text, candidate, name, force, folder } = props;
  const [run, setRun] = useState<Run>({ state: "idle" });
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const publish = () => {
    stop.current = new AbortController();
    void publishing(text, name, force, setRun, stop.current.signal);
  };
  const asking = run.state === "asking" && candidate !== null;
  return (
    <Card title="Publish" lead="Makes the release once more from the tables, verifies it, and writes a folder.">
      <ReleaseForm {...props} busy={run.state === "running"} onSubmit={() => setRun({ state: "asking" })} />
      {asking && <Confirm candidate={candidate} folder={folder} name={name} force={force} onYes={publish} onNo={() => setRun({ state: "idle" })} />}
      {run.state === "running" && (
        <div class="publish-running">
          <Progress label={`${run.step} (${duration(run.elapsed)})`} done={null} />
          <Button small onClick={() => stop.current?.abort()}>Stop</Button>
        </div>
      )}
      {run.state === "failed" && (
        <Problem problem={run.problem} announce>
          {run.problem.code === EXISTS && !force && <Button variant="danger" onClick={() => (props.onForce(true), setRun({ state: "asking" }))}>Replace it …</Button>}
        </Problem>
      )}
      {run.state === "published" && <Published release={run.release} outdated={run.text !== text} />}
    </Card>
  );
}

function ReleaseForm(props: ReleaseCardProps & { busy: boolean; onSubmit: () => void }) {
  const wrong = releaseNameProblem(props.name);
  const ready = wrong === null && props.candidate !== null;
  const submit = (event: Event) => {
    event.preventDefault();
    if (ready && !props.busy) props.onSubmit();
  };
  return (
    <form class="publish-form" onSubmit={submit}>
      <Field label="Name of the release" value={props.name} onInput={props.onName} {...(wrong === null ? { hint: `a folder in ${props.folder}` } : { error: wrong })} />
      <Button type="submit" variant="primary" disabled={!ready} busy={props.busy}>Publish …</Button>
      <label class="publish-check publish-wide">
        <input type="checkbox" checked={props.force} onChange={(event) => props.onForce(event.currentTarget.checked)} />
        <span>replace a release of that name</span>
      </label>
      {props.candidate === null && <p class="publish-wide publish-soft">There is nothing to publish until the policy as it is has a candidate.</p>}
    </form>
  );
}

interface ConfirmProps {
  candidate: Candidate;
  folder: string;
  name: string;
  force: boolean;
  onYes: () => void;
  onNo: () => void;
}

function Confirm({ candidate, folder, name, force, onYes, onNo }: ConfirmProps) {
  const actions = (
    <>
      <Button onClick={onNo}>Cancel</Button>
      <Button variant="primary" onClick={onYes}>{force ? "Publish and replace" : "Publish"}</Button>
    </>
  );
  return (
    <Dialog title={`Publish ${name}?`} onClose={onNo} actions={actions}>
      <p>Protected against {candidate.against}.</p>
      <ul class="publish-places">
        <li>
          <code>{name}/public/</code>
          <span>to hand out: the table of {counted(candidate.rows - candidate.suppressed, "row")}, its manifest and the report</span>
        </li>
        <li class="publish-private">
          <code>{name}/private/</code>
          <span><strong>never to be handed out:</strong> who provided how many rows of which group, and the full report</span>
        </li>
      </ul>
      <p class="publish-soft">Both are written to {folder}, readable by you alone.</p>
      {force && <p class="publish-warn">A release of that name is replaced. What was handed out before does not come back, and readers can lay both beside each other.</p>}
    </Dialog>
  );
}

async function publishing(text: string, name: string, force: boolean, show: (run: Run) => void, signal: AbortSignal): Promise<void> {
  const ended = said("the program ended before it said that the release is written", "look at its terminal, then publish again");
  let last: Run = { state: "failed", problem: ended };
  show({ state: "running", step: "starting", elapsed: 0 });
  const take = (event: PublishEvent) => {
    if (event.event === "progress") return show({ state: "running", step: event.step, elapsed: event.elapsed });
    last = event.event === "published" ? { state: "published", release: event, text } : { state: "failed", problem: event.problem };
  };
  try {
    // A name of its own: moving a slider must not stop a release that is being written.
    await stream("/api/publish", { tab: `${tab}.publish`, text, name, force }, take, signal);
    show(last);
  } catch (error) {
    const stopped = said("stopped before the program said that the release is written", "nothing is half written: the folder has the release, or it does not");
    show({ state: "failed", problem: problemOf(error) ?? stopped });
  }
}

/** A problem that the page itself has to tell. */
function said(text: string, hint: string): ProblemView {
  return { code: "", text, hint, excerpt: null, line: null, column: null };
}
