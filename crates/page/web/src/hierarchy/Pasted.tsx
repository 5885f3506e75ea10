// Groups pasted from a table, such as two columns of a spreadsheet: a value or a range of values, then its group, then
// groups of groups. The program reads the lines, so that a pasted table means what a file would.

import { useId } from "preact/hooks";

export function Pasted({ lines, onChange }: { lines: string; onChange: (lines: string) => void }) {
  const id = useId();
  return (
    <div class="hierarchy-rule hierarchy-pasted">
      <p id={`${id}-about`} class="soft">
        One line for each value or range: the value, its group, then groups of groups, separated by tabs, semicolons or
        commas. A range such as 390-459 takes all codes in it; a line that begins with * takes what no other line names. The
        root need not be there.
      </p>
      <label for={id} class="field-label">Values and their groups</label>
      <textarea
        id={id}
        class="input"
        rows={12}
        spellcheck={false}
        value={lines}
        aria-describedby={`${id}-about`}
        placeholder={"12300;south\n12301;south\n98700;north"}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  );
}
