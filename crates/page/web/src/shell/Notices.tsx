// What stands above everything while it lasts: the program is away, or a text of before can be restored.

import type { ComponentChildren } from "preact";
import { connection } from "../api";
import { connect, earlier, loaded, restoreEarlier, text } from "../state";
import { Button } from "../ui";
import { download } from "./download";

export function Notices() {
  const state = connection.value;
  return (
    <div class="notices" role="status">
      {state === "gone" && (
        <Notice>
          <p>
            <strong>The program has stopped.</strong> Start <code>mingle serve</code> again and open the link it prints
            in this tab; nothing you set here is lost.
          </p>
          <Save />
          <Button small onClick={() => void connect()}>
            Try again
          </Button>
        </Notice>
      )}
      {state === "locked" && loaded.value && (
        <Notice>
          <p>
            <strong>The program was started anew.</strong> Open the link that the terminal printed in this tab: what you
            set here is kept.
          </p>
          <Save />
        </Notice>
      )}
      {state === "open" && earlier.value !== null && (
        <Notice>
          <p>This tab holds a policy from before the program was started.</p>
          <Button small onClick={restoreEarlier}>
            Restore it
          </Button>
          <Button small variant="quiet" onClick={() => (earlier.value = null)}>
            Forget it
          </Button>
        </Notice>
      )}
    </div>
  );
}

function Notice({ children }: { children: ComponentChildren }) {
  return <div class="notice">{children}</div>;
}

function Save() {
  return loaded.value ? (
    <Button small onClick={() => download("policy.toml", text.value)}>
      Download policy
    </Button>
  ) : null;
}
