// Exposure by size of the coalition, with the size of the chosen one marked: whether the choice is a harmless one among
// its equals. Bars are shares of all people, from 0 to 100 %.

import { count, percent } from "../format";
import type { Candidate, ShownExposureOfSize } from "../protocol";

interface StripProps {
  candidate: Candidate;
  /** How many are in the chosen coalition. */
  size: number;
}

/** Sizes beyond this are not listed, but for the one that was chosen. */
const LISTED = 20;

export function ExposureStrip({ candidate, size }: StripProps) {
  const people = Math.max(1, candidate.people);
  const listed = candidate.exposure.filter((exposure, index) => index < LISTED || exposure.size === size);
  const more = candidate.exposure.length - listed.length;
  return (
    <figure class="coalition-strip">
      <figcaption>People in groups where some coalition of at most this size breaks a promise</figcaption>
      <ol>
        {listed.map((exposure) => (
          <Step key={exposure.size} exposure={exposure} people={people} promised={exposure.size <= candidate.m} here={exposure.size === size} />
        ))}
        {more > 0 && <li class="soft">and {count(more)} more sizes</li>}
      </ol>
    </figure>
  );
}

function Step({ exposure, people, promised, here }: { exposure: ShownExposureOfSize; people: number; promised: boolean; here: boolean }) {
  const share = exposure.people / people;
  const undecided = exposure.undecided > 0 ? `, ${count(exposure.undecided)} groups undecided` : "";
  return (
    <li class={`coalition-step${here ? " is-here" : ""}`} aria-current={here ? "true" : undefined}>
      <span class="coalition-step-size">
        {exposure.size === 0 ? "outsider" : exposure.size}
        {here && <span class="coalition-step-here">this pick</span>}
      </span>
      <span class="coalition-step-track" aria-hidden="true">
        <span class="coalition-step-fill" style={{ "--share": `${100 * share}%` }} />
      </span>
      <span class="coalition-step-text">
        {percent(share)}
        <span class="visually-hidden"> of people{undecided}</span>
        {promised && <span class="coalition-step-promised">promised: none</span>}
      </span>
    </li>
  );
}
