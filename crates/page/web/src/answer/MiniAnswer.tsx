// The gist of the answer at the bottom of a small screen, where the panel is out of sight.

import { answer, freshness, isWithout } from "../state";
import { HEADLINES } from "./measures";

export function MiniAnswer() {
  const state = freshness.value;
  const now = isWithout.value ? null : (answer.value?.candidate ?? null);
  return (
    <div class={`mini${state === "updating" ? " is-updating" : ""}`} aria-hidden="true">
      {HEADLINES.filter((measure) => measure.key !== "query-error").map((measure) => {
        const value = now === null ? null : measure.of(now);
        return (
          <span key={measure.key}>
            <b>{value === null ? "–" : measure.format(value)}</b>
            {measure.name}
          </span>
        );
      })}
    </div>
  );
}
