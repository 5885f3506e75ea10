// Rows before and after, side by side in each cell, so that one sees what generalization does to a person's row.

import { useEffect, useState } from "preact/hooks";
import { call, problemOf } from "../api";
import { count, counted } from "../format";
import type { PreviewAnswer, PreviewRow, ProblemView } from "../protocol";
import { current, freshness } from "../state";
import { Button, Problem } from "../ui";
import "./preview.css";

const PAGE = 20;

export function Preview() {
  const [offset, setOffset] = useState(0);
  const { rows, problem } = useRows(current.value?.id ?? null, offset);
  if (freshness.value === "problem") return <p class="soft preview-wait">There is no release to look at.</p>;
  if (problem !== null) return <Problem problem={problem} />;
  if (rows === null)
    return (
      <p class="soft preview-wait" aria-busy="true">
        Waiting for the answer…
      </p>
    );
  const old = current.value === null;
  return (
    <div class={old ? "is-old" : undefined} aria-busy={old}>
      <Pager offset={offset} total={rows.total} onGo={setOffset} />
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
              <Row key={offset + index} row={row} />
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

function Pager({ offset, total, onGo }: { offset: number; total: number; onGo: (offset: number) => void }) {
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
        rows {count(Math.min(total, offset + 1))} to {count(Math.min(total, offset + PAGE))} of{" "}
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

/** The rows of a candidate. While the next candidate is being made the old rows stay. */
function useRows(
  candidate: string | null,
  offset: number,
): { rows: PreviewAnswer | null; problem: ProblemView | null } {
  const [rows, setRows] = useState<PreviewAnswer | null>(null);
  const [problem, setProblem] = useState<ProblemView | null>(null);
  useEffect(() => {
    if (candidate === null) return;
    const stop = new AbortController();
    // A slider on its way makes candidates that nobody looks at the rows of.
    const timer = setTimeout(() => {
      call("/api/preview", { candidate, offset, count: PAGE }, stop.signal).then(
        (answered) => (setRows(answered), setProblem(null)),
        (error: unknown) => setProblem(problemOf(error)),
      );
    }, 120);
    return () => (clearTimeout(timer), stop.abort());
  }, [candidate, offset]);
  return { rows, problem };
}

function shown(cell: string): string {
  return cell === "" ? "(none)" : cell;
}
