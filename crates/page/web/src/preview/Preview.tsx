// Rows before and after, side by side in each cell, so that one sees what generalization does to a person's row.

import { useMemo, useState } from "preact/hooks";
import { count, counted } from "../format";
import { useOfCandidate } from "../ofCandidate";
import type { PreviewRow } from "../protocol";
import { current, isWithout } from "../state";
import { Button, Problem } from "../ui";
import "./preview.css";

const PAGE = 20;

export function Preview() {
  const [offset, setOffset] = useState(0);
  const candidate = current.value;
  const question = useMemo(
    () => (candidate === null ? null : { candidate: candidate.id, offset, count: PAGE }),
    [candidate, offset],
  );
  // A slider on its way makes candidates that nobody looks at the rows of.
  const { known, problem, pending } = useOfCandidate("/api/preview", question, 120);
  if (isWithout.value) return <p class="soft preview-wait">There is no release to look at.</p>;
  if (problem !== null) return <Problem problem={problem} />;
  if (known === null)
    return (
      <p class="soft preview-wait" aria-busy="true">
        Waiting for the answer…
      </p>
    );
  const rows = known.answer;
  // Rows of another candidate or another place are never shown as those that were asked for.
  const old = candidate === null || pending;
  return (
    <div class={old ? "is-old" : undefined} aria-busy={old}>
      <Pager offset={offset} shown={known.question.offset} total={rows.total} onGo={setOffset} />
      <div class="table-frame" role="region" aria-label="Rows before and after" tabIndex={0}>
        <table class="table table-dense preview">
          <caption class="visually-hidden">Rows as read and as published</caption>
          <thead>
            <tr>
              <th scope="col">provider</th>
              {rows.columns.map((column) => (
                <th key={column.name} scope="col">
                  <span class={`preview-role role-${column.role}`}>{column.name}</span>
                </th>
              ))}
              <th scope="col" class="number">
                group
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.rows.map((row, index) => (
              <Row key={known.question.offset + index} row={row} />
            ))}
          </tbody>
        </table>
      </div>
      <p class="field-hint preview-note">
        As read → as published. The provider is shown here only; it is never published.
      </p>
    </div>
  );
}

function Row({ row }: { row: PreviewRow }) {
  const out = row.published === null;
  return (
    <tr class={out ? "is-out" : undefined}>
      <th scope="row">{row.provider}</th>
      {row.original.map((cell, index) => (
        <td key={index}>{out ? <s>{shown(cell)}</s> : <Cell before={cell} after={row.published?.[index] ?? ""} />}</td>
      ))}
      <td class="number">{out ? <span class="badge badge-warn">left out</span> : count(row.group_size)}</td>
    </tr>
  );
}

function Cell({ before, after }: { before: string; after: string }) {
  if (before === after) return <>{shown(after)}</>;
  return (
    <>
      <span class="preview-before">{shown(before)}</span>
      <span class="preview-arrow" aria-label="becomes">
        {" "}
        →{" "}
      </span>
      <span class="preview-after" title={after}>
        {shown(after)}
      </span>
    </>
  );
}

interface PagerProps {
  /** The place that is asked for. */
  offset: number;
  /** The place of the rows that are shown. */
  shown: number;
  total: number;
  onGo: (offset: number) => void;
}

function Pager({ offset, shown, total, onGo }: PagerProps) {
  const last = Math.max(0, Math.floor((total - 1) / PAGE) * PAGE);
  return (
    <div class="pager">
      <Button small disabled={offset === 0} onClick={() => onGo(0)}>
        First
      </Button>
      <Button small disabled={offset === 0} onClick={() => onGo(Math.max(0, offset - PAGE))}>
        Previous
      </Button>
      <span class="pager-place">
        rows {count(Math.min(total, shown + 1))} to {count(Math.min(total, shown + PAGE))} of{" "}
        {counted(total, "row").replace(/ rows?$/, "")}
      </span>
      <Button small disabled={offset >= last} onClick={() => onGo(Math.min(last, offset + PAGE))}>
        Next
      </Button>
      <Button small disabled={offset >= last} onClick={() => onGo(last)}>
        Last
      </Button>
    </div>
  );
}

function shown(cell: string): string {
  return cell === "" ? "(none)" : cell;
}
