// Whether a candidate's promises promise anything: groups of at least 1, at least 1 value, or a share of at most 1 are
// what every table has, and must not pass for protection.

import type { Candidate } from "../protocol";

/** Whether nothing is promised, whatever the policy lists. */
export function promisesNothing(candidate: Candidate): boolean {
  return candidate.promises.every(isVacuous);
}

/** Against whom the candidate protects, in a sentence. */
export function verdict(candidate: Candidate): string {
  return promisesNothing(candidate) ? "Nothing is promised yet" : `Protected against ${candidate.against}`;
}

/** Whether every table keeps a promise, by the words in which the program gives it: `k-anonymity, k = 1`. */
export function isVacuous(promise: string): boolean {
  // What follows is the name of a column, which may contain anything.
  const words = promise.split(", column ")[0] ?? "";
  const value = (key: string) => {
    const found = new RegExp(`, ${key} = ([0-9.]+)(?:/([0-9]+))?(?=,|$)`).exec(words);
    return found === null ? null : Number(found[1]) / Number(found[2] ?? 1);
  };
  const [k, c, l, max, sites] = ["k", "c", "l", "max", "site_diversity"].map(value);
  if ((sites ?? 1) > 1) return false;
  if (k !== null && k !== undefined) return k <= 1;
  // A recursive promise with c up to 1 bounds the share of the first value.
  if (l !== null && l !== undefined) return l <= 1 && (c ?? 2) > 1;
  return max !== null && max !== undefined && max >= 1;
}
