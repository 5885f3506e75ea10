// From the page to a release, and to a script that repeats it: the policy to keep, the command line, the publish button.

import { useState } from "preact/hooks";
import type { Candidate, PolicyView } from "../protocol";
import { started } from "../state";
import { Card } from "../ui";
import { Command } from "./Copyable";
import { folderWords } from "./folder";
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
  const [policy, setPolicy] = useState<string | null>(null);
  const [release, setRelease] = useState("release");
  const [force, setForce] = useState(false);
  const name = policy ?? start?.policy_file ?? "policy.toml";
  const folder = folderWords(start?.folder ?? ".");
  const named = policyNameProblem(name) === null && releaseNameProblem(release) === null;
  return (
    <div class="publish">
      <PolicyCard text={text} folder={folder} name={name} onName={setPolicy} />
      <Card title="Repeat it in a script" lead="Everything done here by mouse is in the policy. With the policy saved, this makes the same release, byte for byte.">
        <Command command={publishCommand(named ? name : "policy.toml", named ? release : "release", force)} />
        {view !== null && <Tables view={view} />}
      </Card>
      <ReleaseCard text={text} candidate={candidate} folder={folder} name={release} onName={setRelease} force={force} onForce={setForce} />
    </div>
  );
}

function Tables({ view }: { view: PolicyView }) {
  const missing = view.providers.filter((provider) => !provider.found);
  if (missing.length === 0) return null;
  return <p class="publish-warn">Not found: {missing.map((provider) => provider.file).join(", ")}. Nothing can be published without them.</p>;
}
