// A slider with a number field beside it. The thumb follows the hand at once if the caller gives back the value that it
// was handed, without waiting for anybody (see `wish`). Positions may be any list of numbers, so that steps can grow.

import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";

interface SliderProps {
  /** What is set. */
  label: ComponentChildren;
  /** The value; between positions the thumb stands at the nearest one. */
  value: number;
  /** The positions of the thumb, ascending. */
  positions: readonly number[];
  /** Called with each new value, of the slider or of the field. */
  onInput: (value: number) => void;
  /** Reads a value in words, for screen readers. */
  describe?: (value: number) => string;
  /** The field's text for a value, and back; null where a text is no value. */
  format?: (value: number) => string;
  parse?: (text: string) => number | null;
  /** What the field takes, in words; shown when something else is typed. */
  range?: string;
  /** Words under the two ends of the slider. */
  ends?: readonly [string, string];
  /** A line of help under it. */
  hint?: ComponentChildren;
  /** What stands after the field, such as a unit. */
  unit?: string;
  disabled?: boolean;
}

export function Slider(props: SliderProps) {
  const id = useId();
  const { positions, value } = props;
  const format = props.format ?? String;
  const at = nearest(positions, value);
  const [wrong, setWrong] = useState(false);
  const say = (index: number) => props.onInput(positions[index] ?? value);
  return (
    <div class={`slider${props.disabled ? " is-disabled" : ""}`}>
      <div class="slider-head">
        <label for={id} class="field-label">
          {props.label}
        </label>
        <NumberText {...props} id={`${id}-number`} format={format} onWrong={setWrong} />
      </div>
      <input
        id={id}
        class="range"
        type="range"
        min={0}
        max={Math.max(0, positions.length - 1)}
        step={1}
        value={at}
        disabled={props.disabled || positions.length < 2}
        style={{ "--filled": `${positions.length > 1 ? (100 * at) / (positions.length - 1) : 0}%` }}
        aria-valuetext={props.describe?.(value) ?? format(value)}
        aria-describedby={props.hint ? `${id}-hint` : undefined}
        onInput={(event) => say(Number(event.currentTarget.value))}
      />
      {props.ends && (
        <div class="slider-ends" aria-hidden="true">
          <span>{props.ends[0]}</span>
          <span>{props.ends[1]}</span>
        </div>
      )}
      {wrong ? (
        <p id={`${id}-hint`} class="field-error">
          {props.range ?? "Not a value that can be set."}
        </p>
      ) : (
        props.hint && (
          <p id={`${id}-hint`} class="field-hint">
            {props.hint}
          </p>
        )
      )}
    </div>
  );
}

/** The field beside a slider: what is being typed stays as typed until it is left. */
function NumberText(
  props: SliderProps & { id: string; format: (value: number) => string; onWrong: (wrong: boolean) => void },
) {
  const [typed, setTyped] = useState<string | null>(null);
  const parse = props.parse ?? parseNumber;
  const invalid = typed !== null && parse(typed) === null;
  const type = (text: string) => {
    setTyped(text);
    const value = parse(text);
    props.onWrong(value === null);
    if (value !== null && value !== props.value) props.onInput(value);
  };
  return (
    <span class="slider-number">
      <input
        id={props.id}
        class="input"
        inputMode="decimal"
        autocomplete="off"
        aria-label={`${typeof props.label === "string" ? props.label : "value"}, as a number`}
        aria-invalid={invalid || undefined}
        disabled={props.disabled}
        value={typed ?? props.format(props.value)}
        onInput={(event) => type(event.currentTarget.value)}
        onBlur={() => (setTyped(null), props.onWrong(false))}
      />
      {props.unit && <span class="field-unit">{props.unit}</span>}
    </span>
  );
}

function parseNumber(text: string): number | null {
  const value = Number(text.trim().replace(",", "."));
  return text.trim() === "" || !Number.isFinite(value) ? null : value;
}

function nearest(positions: readonly number[], value: number): number {
  let best = 0;
  positions.forEach((position, index) => {
    if (Math.abs(position - value) < Math.abs((positions[best] ?? 0) - value)) best = index;
  });
  return best;
}
