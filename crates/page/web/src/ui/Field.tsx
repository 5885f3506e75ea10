// A labelled input with a hint and an error, both tied to it for screen readers.

import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface FieldProps {
  /** What is asked for. */
  label: ComponentChildren;
  /** The text in it. */
  value: string;
  /** Called with each change of the text. */
  onInput: (value: string) => void;
  /** Called when the change is done (Enter, or the focus leaves). */
  onCommit?: (value: string) => void;
  /** `text` unless said otherwise. */
  type?: "text" | "number" | "search";
  /** Bounds and step of a number. */
  min?: number;
  max?: number;
  step?: number | "any";
  /** A line of help under the field. */
  hint?: ComponentChildren;
  /** What is wrong with the text; marks the field as invalid. */
  error?: ComponentChildren;
  /** What stands after the field, such as a unit. */
  unit?: string;
  placeholder?: string;
  disabled?: boolean;
  /** The label is there for screen readers only. */
  hideLabel?: boolean;
  /** Wide as its number needs, not as its container. */
  narrow?: boolean;
}

export function Field(props: FieldProps) {
  const id = useId();
  const described = [props.hint && `${id}-hint`, props.error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div class={`field${props.narrow ? " field-narrow" : ""}`}>
      <label for={id} class={props.hideLabel ? "visually-hidden" : "field-label"}>
        {props.label}
      </label>
      <span class="field-line">
        <input
          id={id}
          class="input"
          type={(props.type ?? "text") as "text"}
          value={props.value}
          min={props.min}
          max={props.max}
          step={props.step}
          placeholder={props.placeholder}
          disabled={props.disabled}
          spellcheck={false}
          autocomplete="off"
          aria-invalid={props.error ? true : undefined}
          aria-describedby={described || undefined}
          onInput={(event) => props.onInput(event.currentTarget.value)}
          onChange={(event) => props.onCommit?.(event.currentTarget.value)}
        />
        {props.unit && <span class="field-unit">{props.unit}</span>}
      </span>
      {props.hint && (
        <p id={`${id}-hint`} class="field-hint">
          {props.hint}
        </p>
      )}
      {props.error && (
        <p id={`${id}-error`} class="field-error">
          {props.error}
        </p>
      )}
    </div>
  );
}
