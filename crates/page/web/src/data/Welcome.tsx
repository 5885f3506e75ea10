// The empty page: what this is, and the three ways to begin.

import { dropped, largestUpload, sending, started } from "../state";
import { bytes } from "../format";
import { Button, Problem } from "../ui";
import { DropZone } from "./DropZone";
import { Files } from "./Files";
import { isTable } from "./collect";
import { example, propose, proposeProblem, proposing, takeFiles } from "./load";
import "./data.css";

export function Welcome() {
  const tables = dropped.value.map((file) => file.name).filter(isTable);
  return (
    <main id="content" class="narrow welcome">
      <h1>Publish one anonymized table together</h1>
      <p class="welcome-lead">
        Load the tables of several providers, say what their columns are, and see while you move a slider what a release
        protects against, also against providers who collude, and what it costs.
      </p>
      <DropZone large onFiles={(files) => void takeFiles(files)}>
        <Button busy={proposing.value} onClick={() => void example()}>
          Try the hospitals example
        </Button>
      </DropZone>
      {proposeProblem.value !== null && <Problem problem={proposeProblem.value} announce />}
      {(dropped.value.length > 0 || sending.value.length > 0) && (
        <section class="welcome-files" aria-label="Files so far">
          <Files />
          {tables.length > 0 && sending.value.every((entry) => entry.problem !== null) && (
            <Button variant="primary" busy={proposing.value} onClick={() => void propose(tables)}>
              Propose a policy
            </Button>
          )}
        </section>
      )}
      <ul class="welcome-notes">
        <li>
          <b>Nothing leaves this machine.</b> The page talks to the program that printed its link and to nobody else;
          dropped files are deleted when the program stops.
        </li>
        <li>
          <b>Everything can be repeated.</b> What you set becomes the text of a policy, which{" "}
          <code>mingle publish</code> reads.
        </li>
        <li>
          <b>Large tables</b> (more than {bytes(largestUpload.value)}) are better named in a policy:{" "}
          <code>mingle serve POLICY</code>.
        </li>
      </ul>
      <p class="soft welcome-version">mingle {started.value?.version}</p>
    </main>
  );
}
