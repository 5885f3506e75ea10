// A release that has been written: what it says, its two reports, and the next steps.

import { useState } from "preact/hooks";
import { call, problemOf } from "../api";
import type { ProblemView } from "../protocol";
import { Button, Problem } from "../ui";
import { Command } from "./Copyable";
import { shellWord } from "./names";

/** What the program said about the release. */
export interface Release {
  folder: string;
  name: string;
  summary: string;
  /** The command that does the same; null where no file holds the policy. */
  command: string | null;
  /** What the steward should know. */
  warnings: ProblemView[];
}

interface PublishedProps {
  release: Release;
  /** Whether the policy has changed since. */
  outdated: boolean;
}

export function Published({ release, outdated }: PublishedProps) {
  return (
    <section class="publish-result" aria-label={`Release ${release.name}`}>
      <p class="publish-done" role="status">
        <span aria-hidden="true">✓ </span>Published to <code>{release.folder}</code>.
      </p>
      {outdated && <p class="publish-soft">The policy has changed since: this release has the policy of then.</p>}
      <pre class="publish-summary" tabIndex={0} role="group" aria-label="Summary">{release.summary}</pre>
      {release.warnings.map((warning, index) => <Problem key={index} problem={warning} tone="warning" />)}
      <Reports name={release.name} />
      <h4>Next</h4>
      <ol class="publish-next">
        <li>Read the private report, then hand out <code>{release.name}/public/</code> and nothing else.</li>
        <li>Keep <code>{release.name}/private/</code>: it tells whose rows are where.</li>
        <li>
          It can be checked again at any time:
          <Command command={`mingle verify ${shellWord(release.folder)}`} />
        </li>
        <li>
          {release.command === null ? "To do the same in a script, save this policy first; the command then stands above." : "The same in a script:"}
          {release.command !== null && <Command command={release.command} />}
        </li>
      </ol>
    </section>
  );
}

function Reports({ name }: { name: string }) {
  const [opening, setOpening] = useState(false);
  const [problem, setProblem] = useState<ProblemView | null>(null);
  // Each address can be visited once, so it is fetched when it is wanted.
  const open = async (which: "public" | "private") => {
    setOpening(true);
    setProblem(null);
    try {
      const links = await call("/api/report", { name });
      window.open(links[which], "_blank", "noopener");
    } catch (error) {
      setProblem(problemOf(error));
    } finally {
      setOpening(false);
    }
  };
  return (
    <>
      <div class="publish-line">
        <Button busy={opening} onClick={() => void open("public")}>Public report <span aria-hidden="true">↗</span><span class="visually-hidden"> in a new tab</span></Button>
        <Button busy={opening} onClick={() => void open("private")}>Private report <span aria-hidden="true">↗</span><span class="visually-hidden"> in a new tab</span></Button>
      </div>
      {problem !== null && <Problem problem={problem} announce />}
    </>
  );
}
