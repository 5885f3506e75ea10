// A labelled choice of one among few: the browser's own select, which works everywhere and by keyboard.

import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface SelectProps<T extends string> {
  /** What is chosen. */
  label: ComponentChildren;
  /** The choice now. */
  value: T;
  /** The choices: value and text. */
  options: ReadonlyArray<{ value: T; label: string; disabled?: boolean }>;
  /** Called with the new choice. */
  onChange: (value: T) => void;
  /** A line of help under it. */
  hint?: ComponentChildren;
  disabled?: boolean;
  /** The label is there for screen readers only. */
  hideLabel?: boolean;
}

export function Select<T extends string>(props: SelectProps<T>) {
  const id = useId();
  return (
    <div class="field">
      <label for={id} class={props.hideLabel ? "visually-hidden" : "field-label"}>
        {props.label}
      </label>
      <select
        id={id}
        class="input select"
        value={props.value}
        disabled={props.disabled}
        aria-describedby={props.hint ? `${id}-hint` : undefined}
        onChange={(event) => props.onChange(event.currentTarget.value as T)}
      >
        {props.options.map((option) => (
          <option
            key={option.value}
            value={option.value}
            disabled={option.disabled}
            selected={option.value === props.value}
          >
            {option.label}
          </option>
        ))}
      </select>
      {props.hint && (
        <p id={`${id}-hint`} class="field-hint">
          {props.hint}
        </p>
      )}
    </div>
  );
}
