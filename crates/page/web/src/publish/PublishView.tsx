// From the page to a release, and to a script that repeats it: the policy to keep, the command line, the publish button.

import type { Candidate, PolicyView } from "../protocol";
import { baseOf, started } from "../state";
import { Card } from "../ui";
import { Command } from "./Copyable";
import { folderWords } from "./folder";
import { policyName, releaseName, replacing } from "./form";
import { PolicyCard } from "./PolicyCard";
import { ReleaseCard } from "./ReleaseCard";
import { policyNameProblem, publishCommand, releaseNameProblem } from "./names";
import "./publish.css";

interface PublishProps {
  /** The policy's text. */
  text: string;
  /** What it says; null if it cannot be read. */
  view: PolicyView | null;
  /** What it would publish; null while that is not known. */
  candidate: Candidate | null;
}

export function PublishView({ text, view, candidate }: PublishProps) {
  const start = started.value;
  const [release, force] = [releaseName.value, replacing.value];
  const name = policyName.value ?? start?.policy_file ?? "policy.toml";
  const folder = folderWords(start?.folder ?? ".");
  const named = policyNameProblem(name) === null && releaseNameProblem(release) === null;
  const saved = named && baseOf(name) === text;
  return (
    <div class="publish">
      <PolicyCard text={text} folder={folder} name={name} onName={(next) => (policyName.value = next)} />
      <Card title="Repeat it in a script" lead="Everything done here by mouse is in the policy. With the policy saved, this makes the same release, byte for byte.">
        {saved ? <Command command={publishCommand(name, release, force)} /> : <p class="publish-soft">Save the policy first: no file says yet what is set here.</p>}
        {view !== null && <Tables view={view} />}
      </Card>
      <ReleaseCard text={text} candidate={candidate} strict={view?.strict ?? false} folder={folder} name={release} onName={(next) => (releaseName.value = next)} force={force} onForce={(next) => (replacing.value = next)} />
    </div>
  );
}

/** Files that are not found are named up to this many. */
const NAMED = 10;

function Tables({ view }: { view: PolicyView }) {
  const missing = view.providers.filter((provider) => !provider.found);
  if (missing.length === 0) return null;
  const named = missing.slice(0, NAMED).map((provider) => provider.file).join(", ");
  const more = missing.length > NAMED ? ` and ${missing.length - NAMED} more` : "";
  return <p class="publish-warn">Not found: {named}{more}. Nothing can be published without them.</p>;
}
