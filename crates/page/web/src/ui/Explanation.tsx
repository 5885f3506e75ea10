// What `mingle explain` says about a code, unfolded where the code stands. It is asked for when somebody wants to read it;
// what a code means does not change while the program runs, so it is asked for once.

import { signal } from "@preact/signals";
import { call, problemOf } from "../api";
import type { ExplainedCode, ProblemView } from "../protocol";

/** What was asked for so far: the explanation, or why there is none. */
const known = signal<ReadonlyMap<string, ExplainedCode | string>>(new Map());
const asked = new Set<string>();

/** The codes that a problem has and mentions, its own first. */
export function codesOf({ code, text, hint }: ProblemView): string[] {
  const named = `${code} ${text} ${hint}`.match(/\bMG\d{4}\b/g) ?? [];
  return [...new Set(named)];
}

/** Each code of a problem with its explanation to unfold; the server's own refusals have none. */
export function Explanations({ problem }: { problem: ProblemView }) {
  const codes = codesOf(problem);
  if (codes.length === 0) return problem.code === "" ? null : <p class="problem-code">{problem.code}</p>;
  return (
    <>
      {codes.map((code) => (
        <Explanation key={code} code={code} />
      ))}
    </>
  );
}

function Explanation({ code }: { code: string }) {
  const found = known.value.get(code);
  return (
    <details class="problem-code" onToggle={(event) => event.currentTarget.open && void ask(code)}>
      <summary>
        <code>{code}</code> What this means
      </summary>
      <div class="problem-explained" aria-live="polite">
        {found === undefined && <p>Asking the program …</p>}
        {typeof found === "string" && <p>{found}</p>}
        {typeof found === "object" && (
          <>
            <p class="problem-title">{found.title}</p>
            <p>{found.text}</p>
          </>
        )}
      </div>
    </details>
  );
}

async function ask(code: string): Promise<void> {
  if (asked.has(code)) return;
  asked.add(code);
  try {
    keep(code, await call("/api/explain", { code }));
  } catch (error) {
    // Unfolded again, it is asked for again.
    asked.delete(code);
    keep(code, `${problemOf(error)?.text ?? "no answer"}; in a terminal: mingle explain ${code}`);
  }
}

function keep(code: string, found: ExplainedCode | string): void {
  known.value = new Map([...known.value, [code, found]]);
}
