// Bars that lie: one labelled row each, as plain HTML, so that labels wrap, zoom and are read out like any text.

import type { ComponentChildren } from "preact";

interface BarsProps {
  /** What is shown, for screen readers. */
  label: string;
  /** A row each: label, value, and the value's text. `mark` says that it stands out, in words. */
  bars: ReadonlyArray<{
    label: ComponentChildren;
    value: number;
    text: string;
    note?: ComponentChildren;
    mark?: string;
  }>;
  /** The value that fills a row: 1 for shares. */
  max: number;
}

export function Bars({ label, bars, max }: BarsProps) {
  return (
    <ul class="bars" aria-label={label}>
      {bars.map((bar, index) => (
        <li key={index} class={bar.mark ? "bar is-marked" : "bar"}>
          <span class="bar-label">{bar.label}</span>
          <span class="bar-track" aria-hidden="true">
            <span class="bar-fill" style={{ "--length": `${max > 0 ? (100 * bar.value) / max : 0}%` }} />
          </span>
          <span class="bar-value">{bar.text}</span>
          {bar.note !== undefined && <span class="bar-note">{bar.note}</span>}
        </li>
      ))}
    </ul>
  );
}
