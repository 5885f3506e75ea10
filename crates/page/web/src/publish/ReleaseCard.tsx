// Writing the release: its name, what will be written where, the run, and what to do with the result.

import { useState } from "preact/hooks";
import { promisesNothing, verdict } from "../answer/promises";
import { counted, duration } from "../format";
import type { Candidate } from "../protocol";
import { awaitsConfirmation, quasiIdentifiers } from "../state";
import { Button, Card, Dialog, Field, Problem, Progress } from "../ui";
import { Published } from "./Published";
import { releaseNameProblem } from "./names";
import { publish, run, stop } from "./run";

interface ReleaseCardProps {
  text: string;
  candidate: Candidate | null;
  /** Whether the policy publishes nothing as long as anything is warned of. */
  strict: boolean;
  folder: string;
  name: string;
  onName: (name: string) => void;
  force: boolean;
  onForce: (force: boolean) => void;
}

/** The code with which the program refuses to replace a release. */
const EXISTS = "MG0401";

export function ReleaseCard(props: ReleaseCardProps) {
  const { text, candidate, name, force, folder } = props;
  const [asking, ask] = useState(false);
  const now = run.value;
  const begin = () => {
    ask(false);
    void publish({ text, name, force });
  };
  return (
    <Card title="Publish" lead="Makes the release once more from the tables, verifies it, and writes a folder.">
      <ReleaseForm {...props} busy={now.state === "running"} onSubmit={() => ask(true)} />
      {asking && candidate !== null && <Confirm candidate={candidate} strict={props.strict} folder={folder} name={name} force={force} onYes={begin} onNo={() => ask(false)} />}
      {now.state === "running" && (
        <div class="publish-running">
          <Progress label={`${now.step} (${duration(now.elapsed)})`} done={null} />
          <Button small onClick={stop}>Stop</Button>
        </div>
      )}
      {now.state === "failed" && (
        <Problem problem={now.problem} announce>
          {now.problem.code === EXISTS && !force && <Button variant="danger" onClick={() => (props.onForce(true), ask(true))}>Replace it …</Button>}
        </Problem>
      )}
      {now.state === "published" && <Published release={now.release} outdated={now.text !== text} />}
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
      {props.candidate === null && <p class="publish-wide publish-soft">{awaitsConfirmation.value ? `There is nothing to publish until somebody confirms the roles of ${quasiIdentifiers.value.length} quasi-identifiers; see Columns.` : "There is nothing to publish until the policy as it is has a candidate."}</p>}
    </form>
  );
}

interface ConfirmProps {
  candidate: Candidate;
  strict: boolean;
  folder: string;
  name: string;
  force: boolean;
  onYes: () => void;
  onNo: () => void;
}

function Confirm({ candidate, strict, folder, name, force, onYes, onNo }: ConfirmProps) {
  const refused = strict && candidate.warnings.length > 0;
  const actions = (
    <>
      <Button onClick={onNo}>Cancel</Button>
      <Button variant="primary" disabled={refused} onClick={onYes}>{force ? "Publish and replace" : "Publish"}</Button>
    </>
  );
  return (
    <Dialog title={`Publish ${name}?`} onClose={onNo} actions={actions}>
      <p class={promisesNothing(candidate) || candidate.warnings.length > 0 ? "publish-warn" : undefined}>{verdict(candidate)}.</p>
      {refused && <p class="publish-warn">The policy is strict: nothing is published as long as anything is warned of.</p>}
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
      {candidate.warnings.length > 0 && (
        <section class="publish-warnings" aria-label="Warnings">
          <h3>Read before you publish: {counted(candidate.warnings.length, "warning")}</h3>
          {candidate.warnings.map((warning, index) => <Problem key={index} problem={warning} tone="warning" />)}
        </section>
      )}
      {force && <p class="publish-warn">A release of that name is replaced. What was handed out before does not come back, and readers can lay both beside each other.</p>}
    </Dialog>
  );
}
