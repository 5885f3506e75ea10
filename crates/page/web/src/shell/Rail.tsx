// The steps, with a word about each.

import { counted } from "../format";
import { awaitsConfirmation, current, pins, problem, profile, view } from "../state";
import { run } from "../publish/run";
import { type Step, STEPS, go, step } from "./step";

const NAMES: Record<Step, string> = {
  data: "Data",
  columns: "Columns",
  protection: "Protection",
  compare: "Compare",
  publish: "Publish",
};

export function Rail() {
  return (
    <nav class="rail" aria-label="Steps">
      <ol>
        {STEPS.map((one, index) => (
          <li key={one}>
            <button
              type="button"
              class="rail-step"
              aria-current={step.value === one ? "step" : undefined}
              onClick={() => go(one)}
            >
              <span class="rail-number" aria-hidden="true">
                {index + 1}
              </span>
              <span>
                <span class="rail-name">{NAMES[one]}</span>
                <span class="rail-word">{word(one)}</span>
              </span>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function word(of: Step): string {
  const now = view.value;
  switch (of) {
    case "data":
      return profile.value === null ? "" : counted(profile.value.rows, "row");
    case "columns": {
      const undeclared = undeclaredColumns().length;
      if (awaitsConfirmation.value) return "to be confirmed";
      const open = now?.columns.filter((column) => column.decide).length ?? 0;
      if (undeclared === 0 && open > 0) return `${open} to decide`;
      return undeclared > 0 ? `${undeclared} undeclared` : counted(now?.columns.length ?? 0, "column");
    }
    case "protection":
      if (problem.value !== null) return "needs mending";
      return current.value === null ? "" : `m ${current.value.m} · k ${current.value.k}`;
    case "compare":
      return pins.value.length === 0 ? "none pinned" : `${pins.value.length} pinned`;
    case "publish":
      return run.value.state === "running" ? "publishing…" : (now?.format ?? "");
  }
}

/** Columns of the tables that the policy does not mention. */
export function undeclaredColumns(): string[] {
  const declared = new Set(view.value?.columns.map((column) => column.name));
  const provider = view.value?.provider_column;
  return (profile.value?.columns ?? [])
    .map((column) => column.name)
    .filter((name) => !declared.has(name) && name !== provider);
}
