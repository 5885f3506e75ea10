// The groups as boxes, those of higher levels around those of lower ones. Each is a place to drop things, has a name that
// can be typed over, and can be taken apart.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { count } from "../format";
import { Button } from "../ui";
import type { Drag } from "./drag";
import { type Group, type Grouping, dissolve, moveGroup, nameProblems, rename } from "./grouping";
import type { Selection } from "./selection";
import { ValueList } from "./ValueList";

/** Boxes drawn at first, those inside others included; more on demand. */
const BOXES = 60;

interface BoardProps {
  grouping: Grouping;
  /** The values of each group of level 1. */
  inside: ReadonlyMap<number, readonly string[]>;
  counts: ReadonlyMap<string, number>;
  selection: Selection;
  onSelect: (selection: Selection) => void;
  onMove: () => void;
  onChange: (grouping: Grouping, words: string) => void;
  drag: Drag;
  /** Only groups with this in their name or values. */
  wanted: string;
  /** A new group whose name is to be typed. */
  fresh: number | null;
  onNamed: () => void;
}

export function Board(props: BoardProps) {
  const { grouping, inside, drag, wanted } = props;
  const [most, setMost] = useState(BOXES);
  const problems = useMemo(() => nameProblems(grouping), [grouping]);
  const shown = useMemo(() => matching(grouping, inside, wanted), [grouping, inside, wanted]);
  const within = useMemo(() => byParent(shown), [shown]);
  const order = useMemo(() => depthFirst(within, null), [within]);
  const drawn = useMemo(() => new Set(order.slice(0, most).map((group) => group.id)), [order, most]);
  const tops = (within.get(null) ?? []).filter((group) => drawn.has(group.id));
  return (
    <section class="hierarchy-board" data-scroll data-drop="top" aria-label="Groups">
      {grouping.groups.length === 0 && <p class="hierarchy-none">No groups yet. Select values and move them to a new group, or drag them here.</p>}
      {tops.map((group) => <Box key={group.id} group={group} within={within} drawn={drawn} problems={problems} {...props} />)}
      {order.length > most && <Button small onClick={() => setMost(most + BOXES)}>{`Show more: ${count(most)} of ${count(order.length)} groups are shown`}</Button>}
      <div class={`hierarchy-new${drag.over.value === "new" ? " is-over" : ""}`} data-drop="new">drop here for a new group</div>
    </section>
  );
}

interface BoxProps extends BoardProps {
  group: Group;
  /** The groups in each group. */
  within: ReadonlyMap<number | null, readonly Group[]>;
  /** The groups that are drawn. */
  drawn: ReadonlySet<number>;
  problems: ReadonlyMap<number, string>;
}

function Box(props: BoxProps) {
  const { group, within, drawn, inside, drag } = props;
  const place = `group:${group.id}`;
  const children = within.get(group.id) ?? [];
  const values = inside.get(group.id) ?? [];
  return (
    <div class={`hierarchy-box level-${Math.min(group.level, 3)}${drag.over.value === place ? " is-over" : ""}`} data-drop={place} role="group" aria-label={`Level ${group.level}: ${group.label}`}>
      <BoxHead {...props} size={group.level === 1 ? values.length : children.length} />
      {group.level === 1 ? (
        <ValueList label={`Values in ${group.label}`} values={values} counts={props.counts} selection={props.selection} onSelect={props.onSelect} onMove={props.onMove} drag={drag} rows={5} empty="Nothing in it yet." />
      ) : (
        <>
          {children.filter((child) => drawn.has(child.id)).map((child) => <Box {...props} key={child.id} group={child} />)}
          {children.length === 0 && <p class="hierarchy-none">No group of level {group.level - 1} in it yet.</p>}
        </>
      )}
    </div>
  );
}

function BoxHead({ group, grouping, problems, size, fresh, onNamed, onChange, drag }: BoxProps & { size: number }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (fresh !== group.id) return;
    field.current?.select();
    field.current?.scrollIntoView({ block: "nearest" });
    onNamed();
  }, [fresh, group.id, onNamed]);
  const press = (event: PointerEvent) => drag.press(event, () => ({ kind: "group", id: group.id }), () => group.label);
  const problem = problems.get(group.id);
  const above = grouping.groups.filter((other) => other.level === group.level + 1);
  return (
    <header class="hierarchy-box-head">
      <span class="hierarchy-grip" data-grip aria-hidden="true" onPointerDown={press}>⠿</span>
      <input
        ref={field}
        class="input hierarchy-name"
        aria-label={`Name of the group ${group.label}`}
        aria-invalid={problem === undefined ? undefined : true}
        value={group.label}
        spellcheck={false}
        autocomplete="off"
        onInput={(event) => onChange(rename(grouping, group.id, event.currentTarget.value), "Renamed.")}
      />
      <span class="badge">{count(size)}</span>
      {above.length > 0 && <In group={group} above={above} onMove={(parent) => onChange(moveGroup(grouping, group.id, parent), "Group moved.")} />}
      <Button small variant="quiet" aria-label={`Dissolve ${group.label}`} onClick={() => onChange(dissolve(grouping, group.id), "Group dissolved.")} title="Dissolve the group">✕</Button>
      {problem !== undefined && <p class="field-error">{problem}</p>}
    </header>
  );
}

/** More choices than this are drawn only once somebody comes near: sixty boxes times a thousand choices are many. */
const CHOICES = 50;

/** The choice of the group above. */
function In({ group, above, onMove }: { group: Group; above: readonly Group[]; onMove: (parent: number | null) => void }) {
  const [near, setNear] = useState(false);
  const choices = near || above.length <= CHOICES ? above : above.filter((other) => other.id === group.parent);
  return (
    <select
      class="input select hierarchy-in"
      aria-label={`${group.label} is in`}
      value={group.parent === null ? "" : String(group.parent)}
      onPointerEnter={() => setNear(true)}
      onFocus={() => setNear(true)}
      onChange={(event) => onMove(event.currentTarget.value === "" ? null : Number(event.currentTarget.value))}
    >
      <option value="">on its own</option>
      {choices.map((other) => <option key={other.id} value={String(other.id)}>in {other.label}</option>)}
    </select>
  );
}

/** Groups that match, those around them, and those in them. */
function matching(grouping: Grouping, inside: ReadonlyMap<number, readonly string[]>, wanted: string): readonly Group[] {
  const text = wanted.trim().toLowerCase();
  if (text === "") return grouping.groups;
  const byId = new Map(grouping.groups.map((group) => [group.id, group]));
  const matches = (group: Group) => group.label.toLowerCase().includes(text) || (inside.get(group.id) ?? []).some((value) => value.toLowerCase().includes(text));
  const kept = new Set<number>();
  for (const group of grouping.groups) {
    if (!matches(group)) continue;
    for (let at: Group | undefined = group; at !== undefined; at = at.parent === null ? undefined : byId.get(at.parent)) kept.add(at.id);
  }
  return grouping.groups.filter((group) => kept.has(group.id));
}

/** The groups in each group; null has those in none. */
function byParent(groups: readonly Group[]): Map<number | null, Group[]> {
  const found = new Map<number | null, Group[]>();
  for (const group of groups) {
    const siblings = found.get(group.parent);
    if (siblings === undefined) found.set(group.parent, [group]);
    else siblings.push(group);
  }
  return found;
}

function depthFirst(within: ReadonlyMap<number | null, readonly Group[]>, parent: number | null): Group[] {
  return (within.get(parent) ?? []).flatMap((group) => [group, ...depthFirst(within, group.id)]);
}
