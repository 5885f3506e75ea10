// A text to take elsewhere: shown as it is, copied with a button.

import { useEffect, useState } from "preact/hooks";
import { Button } from "../ui";

interface CopyProps {
  /** The text that is copied. */
  text: string;
  /** The button's words. */
  label: string;
  /** As large as other buttons. */
  large?: boolean;
}

/** A button that copies, and says that it has. */
export function Copy({ text, label, large }: CopyProps) {
  const [state, setState] = useState<"ready" | "copied" | "refused">("ready");
  useEffect(() => setState("ready"), [text]);
  const copy = () => navigator.clipboard.writeText(text).then(() => setState("copied"), () => setState("refused"));
  const words = { ready: label, copied: "Copied", refused: "Select and copy by hand" };
  return (
    <Button small={!large} class="publish-copy" onClick={() => void copy()}>
      <span aria-live="polite">{words[state]}</span>
    </Button>
  );
}

/** A command line with its button. */
export function Command({ command }: { command: string }) {
  return (
    <div class="publish-command">
      <code tabIndex={0} role="group" aria-label="Command line">{command}</code>
      <Copy text={command} label="Copy" />
    </div>
  );
}
