// The policy as text: the same text that a script would use, with a mistake shown at its line.

import { useEffect, useRef, useState } from "preact/hooks";
import { problem, replace, text } from "../state";
import { Problem } from "../ui";

export function PolicyText() {
  const wrong = problem.value;
  const area = useRef<HTMLTextAreaElement>(null);
  const [scrolled, setScrolled] = useState(0);
  const lines = text.value.split("\n").length;
  useEffect(() => setScrolled(area.current?.scrollTop ?? 0), [lines]);
  return (
    <div class="policy-text">
      <p id="policy-about" class="card-lead policy-about">
        Every control on this page edits this text, and nothing else is kept. It holds no data.
      </p>
      <div class={`editor${wrong === null ? "" : " is-wrong"}`}>
        <div class="editor-gutter" aria-hidden="true">
          <div style={{ transform: `translateY(${-scrolled}px)` }}>
            {Array.from({ length: lines }, (_, index) => (
              <div key={index} class={wrong?.line === index + 1 ? "is-wrong" : undefined}>
                {index + 1}
              </div>
            ))}
          </div>
        </div>
        <textarea
          ref={area}
          class="editor-text"
          aria-label="Policy as text"
          aria-describedby="policy-about policy-problem"
          aria-invalid={wrong !== null || undefined}
          spellcheck={false}
          autocomplete="off"
          autocapitalize="off"
          wrap="off"
          rows={Math.min(28, Math.max(14, lines + 1))}
          value={text.value}
          onInput={(event) => void replace(event.currentTarget.value, true)}
          onScroll={(event) => setScrolled(event.currentTarget.scrollTop)}
        />
      </div>
      <div id="policy-problem" class="policy-problem" aria-live="polite">
        {wrong === null ? <p class="field-hint">✓ The text can be read.</p> : <Problem problem={wrong} />}
      </div>
    </div>
  );
}
