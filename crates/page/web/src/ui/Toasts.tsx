// Short words that come and go: read out politely, never in the way, never the only place of something important.

import { signal } from "@preact/signals";
import { Button } from "./Button";

interface Toast {
  id: number;
  text: string;
  action?: { label: string; run: () => void };
}

const toasts = signal<Toast[]>([]);
let last = 0;

/** Shows a short text for some seconds, with a button if there is something to do about it. */
export function toast(text: string, action?: Toast["action"]): void {
  const id = ++last;
  toasts.value = [...toasts.value.slice(-1), action === undefined ? { id, text } : { id, text, action }];
  setTimeout(() => dismiss(id), action === undefined ? 5000 : 12000);
}

/** Where they appear. */
export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, action }) => (
        <div key={id} class="toast">
          <span>{text}</span>
          {action && (
            <Button small variant="quiet" onClick={() => (action.run(), dismiss(id))}>
              {action.label}
            </Button>
          )}
          <Button small variant="quiet" aria-label="Dismiss" onClick={() => dismiss(id)}>
            ✕
          </Button>
        </div>
      ))}
    </div>
  );
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}
