// A closer look at the answer: rows, coalitions, other releases, and the policy as text.

import { signal } from "@preact/signals";
import { AttackView } from "../attack/AttackView";
import { CoalitionExplorer } from "../coalition/CoalitionExplorer";
import { Preview } from "../preview/Preview";
import { answer, current, freshness, isWithout, problem, replace, text } from "../state";
import { Card, Tabs } from "../ui";
import { PolicyText } from "./PolicyText";

type Look = "rows" | "coalitions" | "releases" | "text";

const look = signal<Look>("rows");

export function Closer() {
  return (
    <Card class="closer" title="A closer look">
      <Tabs<Look>
        label="A closer look"
        value={look.value}
        onChange={(next) => (look.value = next)}
        tabs={[
          { value: "rows", label: "Rows before and after" },
          { value: "coalitions", label: "Who learns what" },
          { value: "releases", label: "Beside other releases" },
          { value: "text", label: "Policy as text", ...(problem.value === null ? {} : { badge: "!" }) },
        ]}
      >
        {look.value === "rows" && <Preview />}
        {look.value === "coalitions" && <Coalitions />}
        {look.value === "releases" && (
          <AttackView text={text.value} candidate={current.value} onUse={(next) => void replace(next)} />
        )}
        {look.value === "text" && <PolicyText />}
      </Tabs>
    </Card>
  );
}

function Coalitions() {
  const now = answer.value;
  if (now === null || isWithout.value)
    return <p class="soft preview-wait">There is no release to look at.</p>;
  const old = freshness.value === "updating";
  return (
    <div class={old ? "is-old" : undefined} aria-busy={old}>
      <CoalitionExplorer candidate={now.candidate} />
    </div>
  );
}
