// Exposure against coalition size: who falls when 0, 1, 2 … all but one providers put their rows together.

import { Columns } from "../charts";
import { count, counted, percent } from "../format";
import type { Candidate } from "../protocol";
import { Table } from "../ui";
import { groupShare, share } from "./measures";

interface ExposureChartProps {
  candidate: Candidate;
  /** For small multiples. */
  small?: boolean;
}

/** Larger coalitions than these are not drawn, listed or read out one by one. */
const DRAWN = 60;
const LISTED = 100;
const READ_OUT = 20;

export function ExposureChart({ candidate, small }: ExposureChartProps) {
  const all = candidate.exposure;
  const points = all.slice(0, DRAWN).map((one) => ({
    label: String(one.size),
    wide: share(one.people, candidate),
    narrow: share(one.exposed, candidate),
    diamond: groupShare(one, candidate),
  }));
  return (
    <Columns
      label={finding(candidate)}
      points={points}
      axis={`providers who collude (0: a reader from outside)${all.length > DRAWN ? `; ${DRAWN} of ${count(all.length)} sizes` : ""}`}
      marked={{ count: candidate.m + 1, word: "promised" }}
      {...(small ? { small } : {})}
    />
  );
}

/** What the shapes mean. */
export function ExposureLegend() {
  return (
    <ul class="legend" aria-label="Legend">
      <li>
        <svg class="legend-mark" viewBox="0 0 16 16" aria-hidden="true">
          <rect class="series-wide" x="2" y="2" width="12" height="12" />
        </svg>
        people in broken groups
      </li>
      <li>
        <svg class="legend-mark" viewBox="0 0 16 16" aria-hidden="true">
          <rect class="series-narrow" x="5" y="2" width="6" height="12" />
        </svg>
        known for sure
      </li>
      <li>
        <svg class="legend-mark" viewBox="0 0 16 16" aria-hidden="true">
          <path class="series-diamond" d="M8 3l5 5l-5 5l-5 -5z" />
        </svg>
        groups
      </li>
      <li>
        <svg class="legend-mark" viewBox="0 0 16 16" aria-hidden="true">
          <rect class="chart-promised" x="1.5" y="1.5" width="13" height="13" />
        </svg>
        promised
      </li>
    </ul>
  );
}

/** The same as a table. */
export function ExposureTable({ candidate }: { candidate: Candidate }) {
  const undecided = candidate.exposure.some((one) => one.undecided > 0);
  const number = (label: string) => ({ label, number: true });
  const more = candidate.exposure.length - LISTED;
  return (
    <>
      <Table
        dense
        caption="Exposure by size of the coalition"
        hideCaption
        head={[
          { label: "colluding" },
          number("people"),
          number("share"),
          number("groups"),
          number("known for sure"),
          ...(undecided ? [number("undecided groups")] : []),
        ]}
        rows={candidate.exposure.slice(0, LISTED).map((one) => ({
          key: String(one.size),
          cells: [
            <>
              {one.size === 0 ? "0, outsider" : one.size}
              {one.size <= candidate.m && <span class="badge badge-good">promised</span>}
            </>,
            count(one.people),
            percent(share(one.people, candidate)),
            count(one.groups),
            count(one.exposed),
            ...(undecided ? [count(one.undecided)] : []),
          ],
        }))}
      />
      {more > 0 && <p class="field-hint">and {count(more)} more sizes</p>}
    </>
  );
}

function finding(candidate: Candidate): string {
  const more = candidate.exposure.length - READ_OUT;
  const parts = candidate.exposure.slice(0, READ_OUT).map((one) => {
    const who = one.size === 0 ? "a reader from outside" : counted(one.size, "colluding provider");
    return `${who}: ${percent(share(one.people, candidate))} of people, ${percent(groupShare(one, candidate))} of groups`;
  });
  return `Exposure by size of the coalition, promised up to ${candidate.m}. ${parts.join("; ")}${more > 0 ? `; and ${count(more)} more sizes` : ""}.`;
}
