// Choosing providers: a chip each that is in or out, and coalitions that are worth a look.

import { useMemo, useState } from "preact/hooks";
import { count, counted } from "../format";
import type { Candidate, LabelledCount } from "../protocol";
import { Button, Field } from "../ui";
import { quickPicks } from "./sentence";

/** Beyond this many providers they are searched rather than seen. */
const SEARCHED = 12;
/** More than this many are not listed: the search finds them. */
const LISTED = 60;

interface PickerProps {
  candidate: Candidate;
  /** Who is in the coalition. */
  members: readonly string[];
  /** Called with the new coalition. */
  onChange: (members: string[]) => void;
}

export function Picker({ candidate, members, onChange }: PickerProps) {
  const [wanted, setWanted] = useState("");
  const chosen = useMemo(() => new Set(members), [members]);
  const found = candidate.providers.filter((bar) => bar.label.toLowerCase().includes(wanted.trim().toLowerCase()));
  const shown = found.slice(0, LISTED);
  const toggle = (name: string) => {
    const next = candidate.providers.map((bar) => bar.label).filter((label) => chosen.has(label) !== (label === name));
    onChange(next);
  };
  return (
    <div class="coalition-picker">
      <QuickPicks candidate={candidate} members={members} onChange={onChange} />
      {candidate.providers.length > SEARCHED && (
        <Field label="Find a provider" type="search" value={wanted} onInput={setWanted} />
      )}
      <div class="coalition-chips" role="group" aria-label="Providers in the coalition">
        {shown.map((bar) => (
          <Chip key={bar.label} bar={bar} on={chosen.has(bar.label)} onToggle={() => toggle(bar.label)} />
        ))}
        {found.length > shown.length && <p class="coalition-none">and {count(found.length - shown.length)} more: find them by name</p>}
        {shown.length === 0 && <p class="coalition-none">No provider has that in its name.</p>}
      </div>
    </div>
  );
}

function QuickPicks({ candidate, members, onChange }: PickerProps) {
  const picks = useMemo(() => quickPicks(candidate), [candidate]);
  const same = (other: readonly string[]) => other.length === members.length && other.every((name) => members.includes(name));
  return (
    <div class="coalition-picks" role="group" aria-label="Coalitions worth a look">
      <Button small variant="quiet" aria-pressed={members.length === 0} onClick={() => onChange([])}>
        nobody
      </Button>
      {picks.map((pick) => (
        <Button key={pick.name} small variant="quiet" aria-pressed={same(pick.members)} onClick={() => onChange(pick.members)}>
          {pick.name}
        </Button>
      ))}
    </div>
  );
}

function Chip({ bar, on, onToggle }: { bar: LabelledCount; on: boolean; onToggle: () => void }) {
  return (
    <button type="button" class="coalition-chip" aria-pressed={on} onClick={onToggle} title={counted(bar.count, "row")}>
      <span class="coalition-chip-mark" aria-hidden="true">{on ? "✓" : ""}</span>
      {bar.label}
      <span class="coalition-chip-rows">
        {count(bar.count)}
        <span class="visually-hidden"> rows</span>
      </span>
    </button>
  );
}
