// One role for many columns: how many are selected, and a button for each role. Everything at once is one step of undo.

import { useState } from "preact/hooks";
import { counted } from "../format";
import { NOTHING, type Selection } from "../hierarchy/selection";
import { edit, editable } from "../state";
import { Button } from "../ui";
import { ROLES } from "./RoleRadio";
import { type ColumnEntry, proposedEdits, roleEdits } from "./columnList";

interface RoleBarProps {
  /** The columns that are shown. */
  shown: readonly ColumnEntry[];
  /** Those of them that are selected. */
  selected: readonly ColumnEntry[];
  onSelect: (selection: Selection) => void;
}

export function RoleBar({ shown, selected, onSelect }: RoleBarProps) {
  const [said, say] = useState("");
  const none = selected.length === 0 || !editable.value;
  const names = selected.map((entry) => entry.name);
  const give = (role: string) => {
    edit(...roleEdits(selected, role));
    say(`${counted(names.length, "column")}: ${role}.`);
  };
  const propose = () => {
    edit(...proposedEdits(selected));
    say(`${counted(names.length, "column")}: as proposed.`);
  };
  const all = shown.length > 0 && selected.length === shown.length;
  const toggle = () => onSelect(all ? NOTHING : { values: new Set(shown.map((entry) => entry.name)), anchor: shown[0]?.name ?? null });
  return (
    <div class="role-bar" role="group" aria-label="Role of the selected columns">
      <label class="role-bar-all">
        <input
          type="checkbox"
          checked={all}
          disabled={shown.length === 0}
          ref={(box) => {
            if (box !== null) box.indeterminate = selected.length > 0 && !all;
          }}
          onChange={toggle}
        />
        <span>{selected.length === 0 ? "Select all shown" : `${selected.length} selected, make them`}</span>
      </label>
      <span class="role-bar-roles">
        {ROLES.map(({ role, letter, about }) => (
          <Button key={role} small class={`role-${role}`} disabled={none} title={about} onClick={() => give(role)}>
            <span class="role-letter" aria-hidden="true">
              {letter}
            </span>
            {role}
          </Button>
        ))}
        <Button small disabled={none} onClick={propose}>
          as proposed
        </Button>
      </span>
      <p class="visually-hidden" aria-live="polite">
        {said}
      </p>
    </div>
  );
}
