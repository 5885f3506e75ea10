// The page's head: whose policy this is, undo and redo.

import { canRedo, canUndo, close, loaded, redo, started, undo } from "../state";
import { Button } from "../ui";

export function Header() {
  const file = started.value?.policy_file;
  const Name = loaded.value ? "h1" : "p";
  return (
    <header class="head">
      <Name class="head-name">
        <svg class="head-mark" viewBox="0 0 32 20" aria-hidden="true">
          <circle class="head-mark-one" cx="11" cy="10" r="9" />
          <circle class="head-mark-other" cx="21" cy="10" r="9" />
        </svg>
        mingle
      </Name>
      {loaded.value && (
        <>
          <p class="head-file">{file ?? "a new policy"}</p>
          <div class="head-actions">
            <Button small variant="quiet" disabled={!canUndo.value} onClick={undo} title="Undo (Ctrl+Z)">
              ↶ Undo
            </Button>
            <Button small variant="quiet" disabled={!canRedo.value} onClick={redo} title="Redo (Ctrl+Shift+Z)">
              ↷ Redo
            </Button>
            <Button small variant="quiet" onClick={close} title="Back to the beginning; Undo brings the policy back">
              Start over
            </Button>
          </div>
        </>
      )}
      <p class="head-local" title="The program listens on this machine only">
        <span class="head-dot" aria-hidden="true" /> on this machine only
      </p>
    </header>
  );
}
