// A button. It is `type="button"` unless said otherwise, so that none submits a form by accident.

import type { ButtonHTMLAttributes, ComponentChildren, Ref } from "preact";

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "class"> {
  /** `primary` once per view, `danger` for what cannot be undone, `quiet` inside rows and tables. */
  variant?: "primary" | "danger" | "quiet" | "plain";
  /** Smaller, for rows and tables. */
  small?: boolean;
  /** Work is going on: shown, and further clicks are ignored; the width stays. */
  busy?: boolean;
  /** Further classes. */
  class?: string;
  /** The element. */
  buttonRef?: Ref<HTMLButtonElement>;
  children?: ComponentChildren;
}

export function Button({
  variant = "plain",
  small,
  busy,
  class: more = "",
  buttonRef,
  children,
  ...rest
}: ButtonProps) {
  const classes = `button button-${variant}${small ? " button-small" : ""}${busy ? " is-busy" : ""} ${more}`.trim();
  return (
    <button
      type="button"
      {...(buttonRef ? { ref: buttonRef } : {})}
      {...rest}
      class={classes}
      aria-disabled={busy || undefined}
      onClick={busy ? undefined : rest.onClick}
    >
      {children}
    </button>
  );
}
