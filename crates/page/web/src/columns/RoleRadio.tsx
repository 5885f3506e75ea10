// The role of a column: five choices, each with a colour, a letter and its name.

import { useId } from "preact/hooks";

/** The roles: name, letter, and what they mean. */
export const ROLES = [
  { role: "identifier", letter: "I", about: "names a person: dropped" },
  { role: "quasi-identifier", letter: "Q", about: "others may know it: published less precisely" },
  { role: "sensitive", letter: "S", about: "nobody may learn it about a person: protected" },
  { role: "insensitive", letter: "N", about: "neither: published unchanged" },
  { role: "drop", letter: "D", about: "not needed: left out" },
] as const;

interface RoleRadioProps {
  /** The column. */
  column: string;
  /** Its role; null where it has none yet, so that each can be chosen. */
  role: string | null;
  /** Called with the role that is chosen. */
  onChange: (role: string) => void;
  disabled?: boolean;
}

export function RoleRadio({ column, role, onChange, disabled }: RoleRadioProps) {
  const name = useId();
  return (
    <fieldset class="roles" disabled={disabled}>
      <legend class="visually-hidden">Role of {column}</legend>
      {ROLES.map((one) => (
        <label key={one.role} class={`role role-${one.role}`} title={`${one.role}: ${one.about}`}>
          <input type="radio" name={name} value={one.role} checked={role === one.role} onChange={() => onChange(one.role)} />
          <span class="role-letter" aria-hidden="true">
            {one.letter}
          </span>
          <span class="visually-hidden">{one.role}</span>
        </label>
      ))}
    </fieldset>
  );
}
