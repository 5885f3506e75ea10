// A dialog: the browser's own, which traps the focus, closes with Esc and gives the focus back.

import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { Button } from "./Button";

interface DialogProps {
  /** What it is about. */
  title: ComponentChildren;
  /** Called when it is closed, by Esc too. */
  onClose: () => void;
  /** As wide as the window allows. */
  wide?: boolean;
  /** Buttons at the bottom, the most likely one last. */
  actions?: ComponentChildren;
  children?: ComponentChildren;
}

export function Dialog({ title, onClose, wide, actions, children }: DialogProps) {
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = element.current;
    const before = document.activeElement;
    if (dialog !== null && !dialog.open) dialog.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  const cancel = (event: Event) => {
    event.preventDefault();
    onClose();
  };
  return (
    <dialog ref={element} class={`dialog${wide ? " dialog-wide" : ""}`} aria-labelledby={id} onCancel={cancel}>
      <header class="dialog-head">
        <h2 id={id}>{title}</h2>
        <Button variant="quiet" aria-label="Close" onClick={onClose}>
          ✕
        </Button>
      </header>
      <div class="dialog-body">{children}</div>
      {actions && <footer class="dialog-foot">{actions}</footer>}
    </dialog>
  );
}
