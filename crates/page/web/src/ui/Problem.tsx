// What is wrong, where, and what to do: the same words and the same code as in the terminal.

import type { ComponentChildren } from "preact";
import type { ProblemView } from "../protocol";
import { Explanations } from "./Explanation";

interface ProblemProps {
  /** What is wrong. */
  problem: ProblemView;
  /** `error` stops the work, `warning` is for the steward to know. */
  tone?: "error" | "warning";
  /** Read out at once; for problems that appear by themselves. */
  announce?: boolean;
  /** Buttons that help. */
  children?: ComponentChildren;
}

export function Problem({ problem, tone = "error", announce, children }: ProblemProps) {
  return (
    <div class={`problem problem-${tone}`} role={announce ? "alert" : undefined}>
      <p class="problem-text">
        <span class="problem-mark" aria-hidden="true">
          {tone === "error" ? "✕" : "!"}
        </span>
        <span>
          <strong class="visually-hidden">{tone === "error" ? "Error: " : "Warning: "}</strong>
          <Coded text={problem.text} />
          {placeMissing(problem) && (
            <span class="problem-place">
              {" "}
              (line {problem.line}
              {problem.column !== null && `, column ${problem.column}`})
            </span>
          )}
        </span>
      </p>
      {problem.excerpt && <pre class="problem-excerpt">{problem.excerpt}</pre>}
      {problem.hint && (
        <p class="problem-hint">
          <Coded text={problem.hint} />
        </p>
      )}
      <Explanations problem={problem} />
      {children && <div class="problem-actions">{children}</div>}
    </div>
  );
}

/** Whether the text does not name the line itself, as messages about files do. */
function placeMissing({ line, text }: ProblemView): boolean {
  return line !== null && !text.includes(`:${line}:`);
}

/** A text in which what stands between backticks is code, as messages write it. */
export function Coded({ text }: { text: string }) {
  return <>{text.split("`").map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>;
}
