// Groups that a coalition learns most about: what is published, how many rows are left without its own, which promise
// that breaks, and which sensitive values are left.

import { count } from "../format";
import type { Candidate, CoalitionGroup, RemainingValue } from "../protocol";
import { Table } from "../ui";

interface ExamplesProps {
  candidate: Candidate;
  groups: readonly CoalitionGroup[];
}

export function Examples({ candidate, groups }: ExamplesProps) {
  const quasi = groups[0]?.labels.map((_, i) => candidate.columns[i]?.column ?? `column ${i + 1}`) ?? [];
  const sensitive = candidate.balance.map((balance) => balance.column);
  const head = [
    ...quasi.map((label) => ({ label })),
    { label: "people → left", number: true },
    { label: "promise" },
    ...sensitive.map((column) => ({ label: `${column} that is left` })),
  ];
  const rows = groups.map((group, i) => ({
    key: String(i),
    cells: [
      ...group.labels,
      `${count(group.rows)} → ${count(group.left)}`,
      <Promise key="promise" group={group} />,
      ...sensitive.map((column, at) => <Remaining key={column} values={group.remaining[at] ?? []} left={group.left} />),
    ],
    ...(group.fallen ? { class: "coalition-fallen" } : {}),
  }));
  return <Table caption="Groups they learn most about" head={head} rows={rows} dense />;
}

function Promise({ group }: { group: CoalitionGroup }) {
  if (!group.fallen) return <span class="coalition-holds">holds</span>;
  return <strong class="coalition-breaks">✕ {group.broken ?? "falls"}</strong>;
}

function Remaining({ values, left }: { values: readonly RemainingValue[]; left: number }) {
  const others = left - values.reduce((sum, value) => sum + value.count, 0);
  return (
    <ul class="coalition-values">
      {values.map((value) => (
        <li key={value.value}>
          <span class="coalition-value-track" aria-hidden="true">
            <span class="coalition-value-fill" style={{ "--share": `${left > 0 ? (100 * value.count) / left : 0}%` }} />
          </span>
          <span class="coalition-value-name">{value.value === "" ? "(missing)" : value.value}</span>
          <span class="coalition-value-count">{count(value.count)}</span>
        </li>
      ))}
      {others > 0 && <li class="coalition-value-more">and {count(others)} with other values</li>}
    </ul>
  );
}
