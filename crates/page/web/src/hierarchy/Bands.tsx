// Bands between bounds, of numbers or days, and ages from dates of birth.

import { Button, Field } from "../ui";
import { parts } from "./lists";

interface BandsProps {
  /** The bounds of each level as typed, from fine to coarse. */
  levels: readonly string[];
  onChange: (levels: string[]) => void;
}

/** Bounds from fine to coarse. */
export function Bands({ levels, onChange }: BandsProps) {
  return (
    <div class="hierarchy-rule">
      <p class="soft">Values fall into bands between bounds; the outermost are open, so that nobody stands out by an extreme value. 18, 65 makes &lt;18, [18-64] and ≥65. Days are written as 2001-03-02.</p>
      <Levels levels={levels} least={1} onChange={onChange} />
    </div>
  );
}

interface AgesProps extends BandsProps {
  /** The day on which ages are taken. */
  at: string;
  /** The column's kind. */
  kind: string;
  onDay: (at: string) => void;
}

/** Whole years on a day, then bands of them. */
export function Ages({ at, kind, levels, onDay, onChange }: AgesProps) {
  return (
    <div class="hierarchy-rule">
      <p class="soft">Dates of birth become whole years of age on one day, and then bands of years.</p>
      {kind !== "date" && <p class="hierarchy-warn">This column’s kind is {kind}; ages need dates of birth.</p>}
      <Field label="Ages on" value={at} placeholder="2024-12-31" onInput={onDay} hint="a day that suits the data, the same for everybody" />
      <Levels levels={levels} least={0} onChange={onChange} />
    </div>
  );
}

interface LevelsProps extends BandsProps {
  /** So many levels cannot be removed. */
  least: number;
}

function Levels({ levels, least, onChange }: LevelsProps) {
  const set = (index: number, value: string) => onChange(levels.map((level, i) => (i === index ? value : level)));
  return (
    <>
      <ol class="hierarchy-widths" aria-label="Bounds, from fine to coarse">
        {levels.map((level, i) => (
          <li key={i}>
            <Field label={`Level ${i + 1}: bounds`} value={level} onInput={(value) => set(i, value)} placeholder="18, 65" {...(i > 0 ? { hint: "bounds of the level before, fewer of them" } : {})} />
            <Button small variant="quiet" disabled={levels.length <= least} aria-label={`Remove level ${i + 1}`} onClick={() => onChange(levels.filter((_, at) => at !== i))}>
              Remove
            </Button>
          </li>
        ))}
      </ol>
      <Button small onClick={() => onChange([...levels, coarser(levels[levels.length - 1] ?? "")])}>
        Add a level
      </Button>
    </>
  );
}

/** Every second bound, so that bands of the new level are made of bands of the one before. */
function coarser(level: string): string {
  return parts(level)
    .filter((_, i) => i % 2 === 1)
    .join(", ");
}
