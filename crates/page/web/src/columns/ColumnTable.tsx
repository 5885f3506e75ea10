// The table of columns. Rows are selected by their boxes: Shift with a click or an arrow key extends, Ctrl+A takes all that
// are shown, and arrow keys go from box to box.

import { useRef } from "preact/hooks";
import { Histogram } from "../charts";
import { count, counted, percent } from "../format";
import { type Selection, choose } from "../hierarchy/selection";
import type { ColumnProfile } from "../protocol";
import { edit, editable, profile } from "../state";
import { HierarchyButton } from "./HierarchyButton";
import { RoleRadio } from "./RoleRadio";
import { type ColumnEntry, roleEdits } from "./columnList";

interface ColumnTableProps {
  shown: readonly ColumnEntry[];
  selection: Selection;
  onSelect: (selection: Selection) => void;
  /** Called with the column whose hierarchy is to be built. */
  onBuild: (column: string) => void;
}

export function ColumnTable({ shown, selection, onSelect, onBuild }: ColumnTableProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const names = shown.map((entry) => entry.name);
  const pick = (name: string, extend: boolean) => onSelect(choose(selection, names, name, extend ? "range" : "toggle"));
  const keys = (event: KeyboardEvent, at: number) => {
    if (event.key === "a" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      onSelect({ values: new Set(names), anchor: names[0] ?? null });
      return;
    }
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: names.length - 1 }[event.key];
    const name = to === undefined ? undefined : names[to];
    if (to === undefined || name === undefined) return;
    event.preventDefault();
    body.current?.querySelectorAll<HTMLElement>(".column-box")[to]?.focus();
    if (event.shiftKey) onSelect(extended(selection, names, names[at] ?? name, name));
  };
  return (
    <table class="columns" role="table" aria-label="Columns">
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader" scope="col"><span class="visually-hidden">selected</span></th>
          <th role="columnheader" scope="col">column, and why</th>
          <th role="columnheader" scope="col">values</th>
          <th role="columnheader" scope="col" title="Rows that no other row shares the value with">rows alone</th>
          <th role="columnheader" scope="col">role</th>
        </tr>
      </thead>
      <tbody role="rowgroup" ref={body}>
        {shown.map((entry, at) => (
          <tr key={entry.name} role="row" class={`column column-${entry.role ?? "undeclared"}`} data-column={entry.name}>
            <td role="cell" class="column-pick">
              <input
                type="checkbox"
                class="column-box"
                aria-label={`Select ${entry.name}`}
                checked={selection.values.has(entry.name)}
                onClick={(event) => pick(entry.name, event.shiftKey)}
                onKeyDown={(event) => keys(event, at)}
              />
            </td>
            <th role="rowheader" scope="row" class="column-what"><What entry={entry} /></th>
            <td role="cell" class="column-values">{entry.seen !== null && <Values name={entry.name} seen={entry.seen} />}</td>
            <td role="cell" class="column-alone">{entry.seen !== null && <Alone seen={entry.seen} />}</td>
            <td role="cell" class="column-role">
              <RoleRadio column={entry.name} role={entry.role} disabled={!editable.value} onChange={(role) => edit(...roleEdits([entry], role))} />
              <span class="column-role-foot">
                <span class={`role-name role-${entry.role ?? "none"}`}>{roleWords(entry)}</span>
                <HierarchyButton entry={entry} onBuild={() => onBuild(entry.name)} />
              </span>
            </td>
          </tr>
        ))}
        {shown.length === 0 && (
          <tr role="row">
            <td role="cell" class="columns-none" colSpan={5}>No column is called or said to be so.</td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

/** From a selection by arrow keys: the box where it began is part of it. */
function extended(selection: Selection, names: readonly string[], from: string, to: string): Selection {
  const begun = selection.values.has(from) ? selection : choose(selection, names, from, "toggle");
  return choose(begun, names, to, "range");
}

function roleWords(entry: ColumnEntry): string {
  if (entry.role !== null) return entry.role;
  return entry.decide ? "left out until decided" : "no role yet";
}

function What({ entry }: { entry: ColumnEntry }) {
  const { name, declared, seen } = entry;
  const kind = declared?.kind ?? seen?.kind ?? "";
  const recognised = seen === null || seen.recognised === kind ? "" : ` · ${seen.recognised}`;
  return (
    <>
      <span class="column-name">
        {name}
        {entry.decide && <span class="badge badge-warn">decide</span>}
        {declared === null && <span class="badge badge-warn">undeclared</span>}
        {seen === null && profile.value !== null && <span class="badge badge-bad">not in the tables</span>}
      </span>
      <span class="column-kind">{kind}{recognised}</span>
      {seen !== null && <Why entry={entry} seen={seen} />}
      {entry.role === "insensitive" && seen?.unique && (
        <span class="field-error">Nearly every row has a value of its own: published unchanged, it names people.</span>
      )}
    </>
  );
}

/** Why the proposal is what it is, and what it is where that is not the role of the column. */
function Why({ entry, seen }: { entry: ColumnEntry; seen: ColumnProfile }) {
  const other = entry.role !== seen.proposed_role && !entry.decide;
  return (
    <span class="column-why">
      {other && <b>{`proposed ${seen.proposed_role}: `}</b>}
      {seen.reason}
    </span>
  );
}

function Values({ name, seen }: { name: string; seen: ColumnProfile }) {
  const missing = seen.missing > 0 ? `, ${count(seen.missing)} missing` : "";
  return (
    <>
      <Histogram label={`Distribution of ${name}`} bars={seen.bars} rest={seen.rest} ordered={seen.ordered} />
      <span class="column-facts">
        {counted(seen.distinct, "value")}
        {missing}
      </span>
    </>
  );
}

/** Rows that are alone with their value, and those that nearly are. */
function Alone({ seen }: { seen: ColumnProfile }) {
  const rows = profile.value?.rows ?? 0;
  const share = rows > 0 ? seen.alone / rows : 0;
  return (
    <>
      <span class="column-share" style={{ "--share": `${share * 100}%` }} aria-hidden="true" />
      <span class="column-facts">
        <b>{count(seen.alone)}</b> <span class="column-alone-word">alone</span> <span class="column-percent">({percent(share)})</span>
        {seen.rare > seen.alone && <span class="column-rare" title="Rows whose value fewer than five rows have">{`${count(seen.rare)} nearly alone`}</span>}
      </span>
    </>
  );
}
