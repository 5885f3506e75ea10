// Taking over a hierarchy file, chosen or pasted: it becomes groups that can be changed.

import { useId, useState } from "preact/hooks";
import { Button } from "../ui";
import { type Grouping, fromRows } from "./grouping";
import { parseHierarchy } from "./hierarchyFile";

export function ImportFile({ onImport }: { onImport: (grouping: Grouping) => void }) {
  const id = useId();
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [waiting, setWaiting] = useState<{ grouping: Grouping; notes: string[] } | null>(null);
  const read = (content: string) => {
    const parsed = parseHierarchy(content);
    setProblem(parsed.problem);
    setWaiting(null);
    if (parsed.rows === null) return;
    const imported = fromRows(parsed.rows);
    if (imported.notes.length === 0) onImport(imported.grouping);
    else setWaiting(imported);
  };
  const choose = (file: File | undefined) => void file?.text().then(read, () => setProblem("the file could not be read"));
  return (
    <div class="hierarchy-import">
      <label for={`${id}-file`}>A file: one row for each value, <code>;</code> between levels, value first, root last</label>
      <input id={`${id}-file`} type="file" accept=".csv,.txt,text/csv,text/plain" onChange={(event) => choose(event.currentTarget.files?.[0])} />
      <label for={`${id}-text`}>or its text</label>
      <textarea id={`${id}-text`} class="input" rows={4} spellcheck={false} value={text} placeholder={"12345;123**;*\n12399;123**;*"} onInput={(event) => setText(event.currentTarget.value)} />
      <Button small disabled={text.trim() === ""} onClick={() => read(text)}>Take over</Button>
      {problem !== null && <p class="field-error" role="alert">{problem}</p>}
      {waiting !== null && (
        <div role="alert">
          <p>Some lines cannot be imported as they are:</p>
          <ul class="hierarchy-notes">{waiting.notes.slice(0, 20).map((note) => <li key={note}>{note}</li>)}</ul>
          {waiting.notes.length > 20 && <p>and {waiting.notes.length - 20} more</p>}
          <Button small onClick={() => onImport(waiting.grouping)}>Import anyway</Button>
        </div>
      )}
    </div>
  );
}
