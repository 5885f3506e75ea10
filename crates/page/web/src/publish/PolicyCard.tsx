// The policy to keep: downloaded, copied, or saved into the folder together with the files that were dropped for it.

import type { SaveAnswer } from "../protocol";
import { Button, Card, Field, Problem } from "../ui";
import { Copy } from "./Copyable";
import { save, saving } from "./form";
import { policyNameProblem } from "./names";

/** The code with which the program refuses to replace a file that it does not know. */
const CONFLICT = "MG0804";

interface PolicyCardProps {
  text: string;
  /** The folder of releases and policies. */
  folder: string;
  /** The name of the policy's file. */
  name: string;
  onName: (name: string) => void;
}

export function PolicyCard({ text, folder, name, onName }: PolicyCardProps) {
  const wrong = policyNameProblem(name);
  return (
    <Card title="Keep the policy" lead="The policy says everything that was set on this page and contains no data.">
      <div class="publish-line">
        <Button onClick={() => download(text, wrong === null ? name : "policy.toml")}>Download</Button>
        <Copy text={text} label="Copy as text" large />
      </div>
      <SaveForm text={text} folder={folder} name={name} onName={onName} wrong={wrong} />
    </Card>
  );
}

function SaveForm({ text, folder, name, onName, wrong }: PolicyCardProps & { wrong: string | null }) {
  const now = saving.value;
  const rename = (next: string) => {
    // A refusal is about the name that was tried.
    if (saving.value.state === "refused") saving.value = { state: "idle" };
    onName(next);
  };
  const submit = (event: Event) => {
    event.preventDefault();
    if (wrong === null) void save(text, name, false);
  };
  return (
    <form class="publish-form" onSubmit={submit}>
      <Field label="Save it as" value={name} onInput={rename} {...(wrong === null ? { hint: `in ${folder}` } : { error: wrong })} />
      <Button type="submit" disabled={wrong !== null} busy={now.state === "busy"}>Save</Button>
      <div class="publish-wide" aria-live="polite">
        {now.state === "saved" && <Saved answer={now.answer} current={now.text === text} />}
      </div>
      {now.state === "refused" && (
        <div class="publish-wide">
          <Problem problem={now.problem} announce>
            {now.problem.code === CONFLICT && <Button variant="danger" onClick={() => void save(text, name, true)}>Replace that file</Button>}
          </Problem>
        </div>
      )}
    </form>
  );
}

function Saved({ answer, current }: { answer: SaveAnswer; current: boolean }) {
  return (
    <>
      <p class="publish-done">
        <span aria-hidden="true">✓ </span>Saved to <code>{answer.path}</code>.{!current && " The policy has changed since then."}
      </p>
      {answer.copied.length > 0 && (
        <details>
          <summary>The files that were dropped here were copied beside it</summary>
          <ul class="publish-list">{answer.copied.map((path) => <li key={path}><code>{path}</code></li>)}</ul>
        </details>
      )}
    </>
  );
}

function download(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "application/toml" }));
  const link = Object.assign(document.createElement("a"), { href: address, download: name });
  link.click();
  // The download has begun once the browser has read the address; a moment is plenty.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
