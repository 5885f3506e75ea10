// Many quasi-identifiers: why nothing is searched yet, which of them single out most, and the button that lets it begin.

import { count, percent } from "../format";
import type { ColumnProfile } from "../protocol";
import { confirmRoles, mostUnconfirmed, profile, quasiIdentifiers } from "../state";
import { Button } from "../ui";

/** So many columns are named. */
const NAMED = 3;

export function ConfirmRoles() {
  const names = quasiIdentifiers.value;
  const worst = mostAlone(names);
  return (
    <section class="confirm-roles" aria-label="Roles to confirm">
      <p class="confirm-roles-title">
        <span aria-hidden="true">! </span>
        {names.length} quasi-identifiers: nothing is searched yet
      </p>
      <p>
        With more than {mostUnconfirmed.value} hardly two rows are alike: a search takes long, and what it finds says
        little. <Together />
        {worst.length > 0 && (
          <>
            {" "}
            Most rows are alone in <NamedColumns columns={worst} />.
          </>
        )}
      </p>
      <p>Give another role to what nobody outside can know, or confirm the roles as they are.</p>
      <Button variant="primary" onClick={confirmRoles}>
        Confirm {names.length} quasi-identifiers
      </Button>
    </section>
  );
}

/** How many rows the quasi-identifiers single out, all of them together. */
export function Together() {
  const now = profile.value;
  if (now === null || now.sample_rows === 0 || quasiIdentifiers.value.length === 0) return null;
  const of = now.sample_rows < now.rows ? `${count(now.sample_rows)} rows of a sample` : `${count(now.rows)} rows`;
  const share = percent(now.alone_together / now.sample_rows);
  return (
    <span>
      In all quasi-identifiers together, {count(now.alone_together)} of {of} are alone ({share}).
    </span>
  );
}

function NamedColumns({ columns }: { columns: readonly ColumnProfile[] }) {
  return (
    <>
      {columns.map((column, index) => (
        <span key={column.name}>
          {index > 0 && ", "}
          <code>{column.name}</code> ({count(column.alone)})
        </span>
      ))}
    </>
  );
}

function mostAlone(names: readonly string[]): ColumnProfile[] {
  const among = (profile.value?.columns ?? []).filter((column) => names.includes(column.name) && column.alone > 0);
  return among.sort((one, other) => other.alone - one.alone).slice(0, NAMED);
}
