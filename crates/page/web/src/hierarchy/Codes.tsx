// Codes whose beginning says most: their first characters, or the structure of a public code system.

import { Field, Select } from "../ui";
import { wholeNumbers } from "./lists";

interface PrefixProps {
  /** The lengths as typed, from many characters to few. */
  lengths: string;
  onChange: (lengths: string) => void;
}

/** The first characters, fewer on each level. */
export function Prefix({ lengths, onChange }: PrefixProps) {
  const wrong = wholeNumbers(lengths) === null;
  return (
    <div class="hierarchy-rule">
      <p class="soft">Codes keep their first characters, fewer on each level: with 3, 1 a code 250.83 becomes 250…, then 2…, then *. Unlike a mask it does not show how long a code is.</p>
      <Field label="Characters kept" value={lengths} onInput={onChange} hint="from many to few, such as 3, 1" {...(wrong ? { error: "whole numbers from 1 on, such as 3, 1" } : {})} />
    </div>
  );
}

/** The code systems that the program knows. */
const SYSTEMS = [
  { value: "icd-10", label: "ICD-10: diagnoses, by blocks and chapters" },
  { value: "icd-9", label: "ICD-9: diagnoses, by ranges and chapters" },
  { value: "atc", label: "ATC: medicines, by its five levels" },
];

/** The structure of a public code system. */
export function CodeSystem({ name, onChange }: { name: string; onChange: (name: string) => void }) {
  return (
    <div class="hierarchy-rule">
      <p class="soft">Codes generalize by the published structure of their system. What is no code of it generalizes together, and is counted on the right.</p>
      <Select label="Code system" value={name} options={SYSTEMS} onChange={onChange} />
    </div>
  );
}
