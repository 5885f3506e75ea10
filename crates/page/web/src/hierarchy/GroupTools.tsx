// What can be done with groups, by keyboard as well: move what is selected, make groups and levels, take a step back,
// take over a file or what the policy says.

import type { RefObject } from "preact";
import { useId, useMemo, useState } from "preact/hooks";
import { counted } from "../format";
import { Button } from "../ui";
import { ImportFile } from "./ImportFile";
import { type Grouping, MOST_LEVELS, addGroup, addLevel, freeName, removeLevel } from "./grouping";

interface GroupToolsProps {
  grouping: Grouping;
  /** How many values are selected. */
  selected: number;
  /** The choice of where to move them. */
  target: RefObject<HTMLSelectElement | null>;
  onMove: (to: number | null | "new") => void;
  onChange: (grouping: Grouping, words: string) => void;
  /** Called with a new group, whose name is to be typed. */
  onFresh: (id: number) => void;
  onUndo: (() => void) | null;
  current: Grouping;
}

export function GroupTools(props: GroupToolsProps) {
  const { grouping, onChange, onFresh, onUndo, current } = props;
  const [importing, setImporting] = useState(false);
  const add = (level: number) => {
    const [next, id] = addGroup(grouping, level, freeName(grouping, level));
    onChange(next, "Group added.");
    onFresh(id);
  };
  const above = Array.from({ length: grouping.levels - 1 }, (_, i) => i + 2);
  return (
    <div class="hierarchy-tools" role="group" aria-label="Groups">
      <div class="hierarchy-line">
        <MoveTo {...props} />
        <Button small variant="quiet" disabled={onUndo === null} onClick={() => onUndo?.()}>Undo</Button>
      </div>
      <div class="hierarchy-line">
        <Button small onClick={() => add(1)}>New group</Button>
        {above.map((level) => <Button key={level} small onClick={() => add(level)}>New group of level {level}</Button>)}
        {grouping.levels < MOST_LEVELS && <Button small variant="quiet" onClick={() => onChange(addLevel(grouping), `Level ${grouping.levels + 1} added.`)}>Add level {grouping.levels + 1}</Button>}
        {grouping.levels > 1 && <Button small variant="quiet" onClick={() => onChange(removeLevel(grouping), `Level ${grouping.levels} removed.`)}>Remove level {grouping.levels}</Button>}
        <Button small variant="quiet" aria-expanded={importing} onClick={() => setImporting(!importing)}>Import a file …</Button>
        {current.groups.length > 0 && grouping.groups.length === 0 && <Button small variant="quiet" onClick={() => onChange(current, "Taken from the policy.")}>Start from what the policy says</Button>}
      </div>
      {importing && <ImportFile onImport={(next) => (onChange(next, "File taken over."), setImporting(false))} />}
    </div>
  );
}

function MoveTo({ grouping, selected, target, onMove }: GroupToolsProps) {
  const id = useId();
  const [to, setTo] = useState("new");
  const first = useMemo(() => grouping.groups.filter((group) => group.level === 1), [grouping.groups]);
  const choices = useMemo(() => first.map((group) => <option key={group.id} value={String(group.id)}>{group.label === "" ? "(no name)" : group.label}</option>), [first]);
  const known = to === "new" || to === "none" || first.some((group) => String(group.id) === to);
  const value = known ? to : "new";
  const move = (event: Event) => {
    event.preventDefault();
    if (selected > 0) onMove(value === "new" ? "new" : value === "none" ? null : Number(value));
  };
  return (
    <form class="hierarchy-move" onSubmit={move}>
      <label for={id}>{selected === 0 ? "Select values, then move them to" : `Move ${counted(selected, "selected value")} to`}</label>
      <select id={id} ref={target} class="input select" value={value} onChange={(event) => setTo(event.currentTarget.value)}>
        <option value="new">a new group</option>
        {choices}
        <option value="none">not yet placed</option>
      </select>
      <Button type="submit" small variant="primary" disabled={selected === 0}>Move</Button>
    </form>
  );
}
