// Hierarchies that follow a rule: intervals of numbers, masked codes, dates.

import { Button, Field } from "../ui";
import { nextWidth, widthProblems } from "./widths";

interface IntervalsProps {
  widths: readonly string[];
  onChange: (widths: string[]) => void;
}

/** Widths from fine to coarse. */
export function Intervals({ widths, onChange }: IntervalsProps) {
  const problems = widthProblems(widths);
  const set = (index: number, value: string) => onChange(widths.map((width, i) => (i === index ? value : width)));
  return (
    <div class="hierarchy-rule">
      <p class="soft">Numbers become intervals that start at multiples of the width. Each width is a multiple of the one before, so that intervals nest; above the last one is *.</p>
      <ol class="hierarchy-widths" aria-label="Widths, from fine to coarse">
        {widths.map((width, i) => (
          <li key={i}>
            <Field label={`Level ${i + 1}: width`} value={width} narrow onInput={(value) => set(i, value)} {...(problems[i] ? { error: problems[i] } : {})} />
            <Button small variant="quiet" disabled={widths.length === 1} aria-label={`Remove level ${i + 1}`} onClick={() => onChange(widths.filter((_, at) => at !== i))}>
              Remove
            </Button>
          </li>
        ))}
      </ol>
      <Button small onClick={() => onChange([...widths, nextWidth(widths)])} disabled={problems.some((problem) => problem !== null)}>
        Add a level
      </Button>
    </div>
  );
}

interface MaskProps {
  digits: number;
  /** The length of the longest value. */
  longest: number;
  onChange: (digits: number) => void;
}

/** How many characters are masked, from the right. */
export function Mask({ digits, longest, onChange }: MaskProps) {
  const wrong = !Number.isInteger(digits) || digits < 1;
  const error = wrong ? { error: "a whole number from 1 on" } : {};
  return (
    <div class="hierarchy-rule">
      <p class="soft">Characters are replaced by stars from the right, one more on each level: 12345, 1234*, 123** … up to *. It suits codes whose beginning says most, such as ZIP codes.</p>
      <Field label="Characters to mask" type="number" min={1} max={longest} step={1} narrow value={Number.isNaN(digits) ? "" : String(digits)} onInput={(value) => onChange(value === "" ? NaN : Number(value))} hint={`the longest value has ${longest}`} {...error} />
    </div>
  );
}

/** Nothing to set. */
export function Dates({ kind }: { kind: string }) {
  return (
    <div class="hierarchy-rule">
      <p class="soft">Days become months, quarters, years and decades: 2001-03-02, 2001-03, 2001-Q1, 2001, 2000s, *. Fewer levels can be chosen in the policy’s text.</p>
      {kind !== "date" && <p class="hierarchy-warn">This column’s kind is {kind}; dates are written as 2001-03-02.</p>}
    </div>
  );
}
