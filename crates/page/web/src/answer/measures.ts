// The measures of a candidate that are shown, compared and marked: what each is, and which way is better.

import { percent } from "../format";
import type { Candidate, ShownExposureOfSize, ShownLossName } from "../protocol";

/** A measure of which less is better. */
export interface Measure {
  key: string;
  name: string;
  /** What it means, in a sentence. */
  about: string;
  /** Its value; null where the candidate has none. */
  of: (candidate: Candidate) => number | null;
  /** What kind of value it is, where there are several: values of different kinds are not compared. */
  kind?: (candidate: Candidate) => ShownLossName;
  format: (value: number) => string;
}

/** The share of people in groups where some coalition of at most `size` breaks a promise; null beyond all but one. */
export function fallen(candidate: Candidate, size: number): number | null {
  const at = candidate.exposure.find((one) => one.size === size);
  return at === undefined ? null : share(at.people, candidate);
}

/** A number of people as a share of those who are published. */
export function share(people: number, candidate: Candidate): number {
  return candidate.people > 0 ? people / candidate.people : 0;
}

/** The share of groups at a size of the coalition. */
export function groupShare(exposure: ShownExposureOfSize, candidate: Candidate): number {
  return candidate.groups > 0 ? exposure.groups / candidate.groups : 0;
}

/** Whether a measure is of one kind for all of them. */
export function comparable(measure: Measure, candidates: readonly Candidate[]): boolean {
  const { kind } = measure;
  return kind === undefined || new Set(candidates.map(kind)).size < 2;
}

/** The four that stand first. */
export const HEADLINES: readonly Measure[] = [
  {
    key: "loss",
    name: "Detail lost",
    about:
      "How much detail a published cell has lost on average: 0 % exact, 100 % nothing left. NCP: the part of its column's range that it covers; information loss: the part of the spread that centroids level out.",
    of: (candidate) => candidate.loss,
    kind: (candidate) => candidate.loss_name,
    format: percent,
  },
  {
    key: "query-error",
    name: "Query error",
    about: "Mean relative error of COUNT queries that are answered from the release.",
    of: (candidate) => candidate.query_error.mean,
    format: percent,
  },
  {
    key: "risk",
    name: "Highest risk",
    about: "The best chance of an outsider to name the row of a person known to be in the table.",
    of: (candidate) => candidate.risk.prosecutor.highest,
    format: percent,
  },
  {
    key: "insider",
    name: "At risk from one insider",
    about: "People in groups where one provider, taking out its own rows, breaks a promise.",
    of: (candidate) => fallen(candidate, 1),
    format: percent,
  },
];

/** Further ones, for comparing. */
export const DETAILS: readonly Measure[] = [
  {
    key: "insiders-2",
    name: "At risk from two insiders",
    about: "The same for two providers together.",
    of: (candidate) => fallen(candidate, 2),
    format: percent,
  },
  {
    key: "average-risk",
    name: "Average risk",
    about: "The mean chance of an outsider over all people.",
    of: (candidate) => candidate.risk.prosecutor.average,
    format: percent,
  },
  {
    key: "median-error",
    name: "Query error, median",
    about: "Half of the queries do better.",
    of: (candidate) => candidate.query_error.median,
    format: percent,
  },
  {
    key: "suppressed",
    name: "Rows left out",
    about: "Rows that are not published at all.",
    of: (candidate) => (candidate.rows > 0 ? candidate.suppressed / candidate.rows : 0),
    format: percent,
  },
];
