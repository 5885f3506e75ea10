// What a hierarchy does to the column: each value with its label on every level. Values without a place stand out, are
// counted at the top, and can be jumped to.

import { useRef, useState } from "preact/hooks";
import { count, counted } from "../format";
import type { HierarchyAnswer, HierarchyRow } from "../protocol";
import { Button } from "../ui";
import { shown } from "./ValueList";
import { reveal, useWindow } from "./windowing";

const ROW = 32;

interface LevelsTableProps {
  answer: HierarchyAnswer;
  /** Whether the answer is of settings before the last change. */
  old: boolean;
}

export function LevelsTable({ answer, old }: LevelsTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [marked, setMarked] = useState(-1);
  const { rows, distinct } = answer;
  const levels = Math.max(1, distinct.length, ...rows.slice(0, 1).map((row) => row.labels.length));
  const { first, last, above, below, onScroll } = useWindow(scroller, rows.length, ROW);
  const nextGap = () => {
    const after = rows.findIndex((row, i) => i > marked && row.gap);
    const next = after >= 0 ? after : rows.findIndex((row) => row.gap);
    setMarked(next);
    reveal(scroller.current, next, ROW);
  };
  return (
    <div class={`hierarchy-levels${old ? " is-old" : ""}`} aria-busy={old}>
      {answer.problem === null && <Gaps answer={answer} onNext={nextGap} />}
      <div class="hierarchy-frame" ref={scroller} onScroll={onScroll} role="region" aria-label="Values and their labels" tabIndex={0}>
        <table aria-rowcount={rows.length + 1}>
          <thead>
            <tr>
              {Array.from({ length: levels }, (_, level) => (
                <th key={level} scope="col">
                  {level === 0 ? "value" : `level ${level}`}
                  <span class="hierarchy-distinct">{distinct[level] === undefined ? "" : `${count(distinct[level])} different`}</span>
                </th>
              ))}
              <th scope="col" class="number">rows</th>
            </tr>
          </thead>
          <tbody>
            <Space height={above} />
            {rows.slice(first, last).map((row, i) => (
              <Row key={first + i} row={row} levels={levels} marked={first + i === marked} index={first + i} />
            ))}
            <Space height={below} />
          </tbody>
        </table>
      </div>
      <p class="hierarchy-more">{rows.length < answer.values ? `${counted(rows.length, "value")} of ${count(answer.values)} shown` : counted(answer.values, "value")}</p>
    </div>
  );
}

function Gaps({ answer, onNext }: { answer: HierarchyAnswer; onNext: () => void }) {
  const listed = answer.rows.some((row) => row.gap);
  return (
    <p class={`hierarchy-gaps${answer.gaps > 0 ? " has-gaps" : ""}`} aria-live="polite">
      {answer.gaps > 0 ? <span><strong>✕ {counted(answer.gaps, "value")} without a place.</strong> Nothing can be published until each has one.</span> : <span>✓ Every value has a place.</span>}
      {listed && <Button small variant="quiet" onClick={onNext}>next gap</Button>}
    </p>
  );
}

function Row({ row, levels, marked, index }: { row: HierarchyRow; levels: number; marked: boolean; index: number }) {
  const cells = Array.from({ length: levels - 1 }, (_, i) => row.labels[i + 1] ?? "");
  return (
    <tr class={`${row.gap ? "is-gap" : ""}${marked ? " is-marked" : ""}`} aria-rowindex={index + 2}>
      <th scope="row" title={row.labels[0]}>{shown(row.labels[0] ?? "")}</th>
      {row.gap ? <td colSpan={Math.max(1, levels - 1)}>no place</td> : cells.map((label, i) => <td key={i} title={label}>{label}</td>)}
      <td class="number">{count(row.count)}</td>
    </tr>
  );
}

function Space({ height }: { height: number }) {
  return <tr class="hierarchy-space" aria-hidden="true" style={{ height: `${height}px` }} />;
}
