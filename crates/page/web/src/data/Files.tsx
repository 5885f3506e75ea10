// The files that were dropped: on their way, arrived, or refused, each with its problem beside it.

import { bytes } from "../format";
import { dropped, forget, loaded, planAgain, profileAgain, sending, text } from "../state";
import { Button, Problem, Progress, toast } from "../ui";
import { isTable } from "./collect";

interface FilesProps {
  /** The chosen tables; without, nothing can be chosen. */
  chosen?: ReadonlySet<string>;
  /** Called when a table is chosen or no longer. */
  onChoose?: (name: string, chosen: boolean) => void;
}

export function Files({ chosen, onChoose }: FilesProps) {
  return (
    <ul class="files" aria-label="Dropped files">
      {sending.value.map((entry) => (
        <li key={entry.name} class="file">
          <div class="file-line">
            <span class="file-name">{entry.name}</span>
            <span class="file-size">{bytes(entry.bytes)}</span>
            <Remove name={entry.name} word={entry.problem === null ? "Stop" : "Remove"} />
          </div>
          {entry.problem === null ? (
            <Progress label={`Sending ${entry.name}`} done={entry.done} hideLabel />
          ) : (
            <Problem problem={entry.problem} announce />
          )}
        </li>
      ))}
      {dropped.value.map((file) => (
        <li key={file.name} class="file">
          <div class="file-line">
            {chosen !== undefined && isTable(file.name) ? (
              <label class="file-name file-choice">
                <input
                  type="checkbox"
                  checked={chosen.has(file.name)}
                  onChange={(event) => onChoose?.(file.name, event.currentTarget.checked)}
                />
                {file.name}
              </label>
            ) : (
              <span class="file-name">{file.name}</span>
            )}
            <span class="file-size">{bytes(file.bytes)}</span>
            <Remove name={file.name} word="Remove" />
          </div>
        </li>
      ))}
    </ul>
  );
}

function Remove({ name, word }: { name: string; word: string }) {
  const remove = async () => {
    const problem = await forget(name);
    if (problem !== null) toast(problem.text);
    else if (loaded.value) {
      // It may have been a table of the policy.
      planAgain();
      profileAgain(text.value);
    }
  };
  return (
    <Button small variant="quiet" aria-label={`${word} ${name}`} onClick={() => void remove()}>
      {word}
    </Button>
  );
}
