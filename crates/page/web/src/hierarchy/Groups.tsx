// Grouping by hand: values that have no place yet on the left, groups on the right. Values go into groups and groups into
// groups above them by dragging, or with "move to" and by the choice at each group.

import { useMemo, useRef, useState } from "preact/hooks";
import { count, counted } from "../format";
import { Button, Field } from "../ui";
import { Board } from "./Board";
import { GroupTools } from "./GroupTools";
import { type Drag, type Payload, useDrag } from "./drag";
import { type Grouping, addGroup, freeName, members, moveGroup, moveValues } from "./grouping";
import { type Selection, NOTHING } from "./selection";
import { Ghost, ValueList } from "./ValueList";

interface GroupsProps {
  grouping: Grouping;
  /** The column's values, and the rows that have each. */
  values: readonly string[];
  counts: ReadonlyMap<string, number>;
  onChange: (grouping: Grouping) => void;
  /** Takes the last step back; null where there is none. */
  onUndo: (() => void) | null;
  /** The groups that the policy makes now, to start from. */
  current: Grouping;
}

export function Groups({ grouping, values, counts, onChange, onUndo, current }: GroupsProps) {
  const [selection, setSelection] = useState<Selection>(NOTHING);
  const [wanted, setWanted] = useState("");
  const [said, say] = useState("");
  const [fresh, setFresh] = useState<number | null>(null);
  const target = useRef<HTMLSelectElement>(null);
  const inside = useMemo(() => members(grouping), [grouping]);
  const loose = useMemo(() => values.filter((value) => !grouping.place.has(value)), [values, grouping]);
  const change = (next: Grouping, words: string) => {
    onChange(next);
    const left = values.reduce((sum, value) => sum + (next.place.has(value) ? 0 : 1), 0);
    say(`${words} ${left === 0 ? "Every value has a place." : `${counted(left, "value")} not yet placed.`}`);
  };
  const moveTo = (moving: readonly string[], to: number | null | "new") => {
    if (moving.length === 0) return;
    const [base, id] = to === "new" ? addGroup(grouping, 1, freeName(grouping, 1)) : [grouping, to];
    const label = id === null ? "no group" : (base.groups.find((group) => group.id === id)?.label ?? "");
    change(moveValues(base, moving, id), `${counted(moving.length, "value")} moved to ${label}.`);
    if (to === "new") setFresh(id);
    setSelection(NOTHING);
  };
  const drag = useDrag((payload: Payload, place) => {
    if (payload.kind === "values") {
      const to = place === "new" || place === "top" ? "new" : place === "none" ? null : levelOne(grouping, place);
      if (to !== undefined) moveTo(payload.values, to);
    } else if (payload.kind === "group") {
      const parent = parentAt(grouping, payload.id, place);
      if (parent !== undefined) change(moveGroup(grouping, payload.id, parent), "Group moved.");
    }
  });
  const undoKey = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.key !== "z" || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    // The page's own undo would change the policy behind this dialog.
    event.stopPropagation();
    onUndo?.();
  };
  // What is selected is moved in the order in which it is shown.
  const selected = useMemo(() => [...loose, ...grouping.place.keys()].filter((value) => selection.values.has(value)), [loose, grouping, selection]);
  return (
    <div class="hierarchy-groups" onKeyDown={undoKey}>
      <GroupTools
        grouping={grouping}
        selected={selected.length}
        target={target}
        onMove={(to) => moveTo(selected, to)}
        onChange={change}
        onFresh={setFresh}
        onUndo={onUndo}
        current={current}
      />
      <Loose values={loose} counts={counts} wanted={wanted} onWanted={setWanted} selection={selection} onSelect={setSelection} onMove={() => target.current?.focus()} drag={drag} />
      <Board grouping={grouping} inside={inside} counts={counts} selection={selection} onSelect={setSelection} onMove={() => target.current?.focus()} onChange={change} drag={drag} wanted={wanted} fresh={fresh} onNamed={() => setFresh(null)} />
      <Ghost ghost={drag.ghost} />
      <p class="visually-hidden" aria-live="polite">{said}</p>
    </div>
  );
}

interface LooseProps {
  values: readonly string[];
  counts: ReadonlyMap<string, number>;
  /** What is searched for. */
  wanted: string;
  onWanted: (wanted: string) => void;
  selection: Selection;
  onSelect: (selection: Selection) => void;
  onMove: () => void;
  drag: Drag;
}

/** The values that have no place yet. */
function Loose({ values, counts, wanted, onWanted, selection, onSelect, onMove, drag }: LooseProps) {
  const found = useMemo(() => matching(values, wanted), [values, wanted]);
  const empty = values.length === 0 ? "Every value has a place." : "No value has that in it.";
  return (
    <section class={`hierarchy-loose${drag.over.value === "none" ? " is-over" : ""}`} data-drop="none" aria-label="Not yet placed">
      <h3>Not yet placed <span class="badge">{count(values.length)}</span></h3>
      <Field label="Find values" hideLabel type="search" placeholder="find …" value={wanted} onInput={onWanted} />
      <ValueList label="Values that are not yet placed" values={found} counts={counts} selection={selection} onSelect={onSelect} onMove={onMove} drag={drag} rows={12} empty={empty} />
      <Button small disabled={found.length === 0} onClick={() => onSelect({ values: new Set(found), anchor: found[0] ?? null })}>
        Select {wanted === "" ? "all" : "those found"}
      </Button>
    </section>
  );
}

/** Values that have the text in them. */
function matching(values: readonly string[], wanted: string): readonly string[] {
  const text = wanted.trim().toLowerCase();
  return text === "" ? values : values.filter((value) => value.toLowerCase().includes(text));
}

/** The group of level 1 that a place stands for; undefined where values cannot go. */
function levelOne(grouping: Grouping, place: string): number | undefined {
  const id = Number(place.replace("group:", ""));
  return grouping.groups.find((group) => group.id === id && group.level === 1)?.id;
}

/** The group above that a place means for a group; a place among its equals means the group that they are in. */
function parentAt(grouping: Grouping, id: number, place: string): number | null | undefined {
  if (place === "top" || place === "new") return null;
  const level = grouping.groups.find((group) => group.id === id)?.level ?? 0;
  const target = grouping.groups.find((group) => `group:${group.id}` === place);
  if (target === undefined || target.id === id) return undefined;
  return target.level === level ? target.parent : target.id;
}
