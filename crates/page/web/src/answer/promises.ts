// Whether a candidate's promises promise anything: groups of at least 1, at least 1 value, or a share of at most 1 are
// what every table has, and must not pass for protection. The program says which promises do.

import type { Candidate } from "../protocol";

/** Whether nothing is promised, whatever the policy lists. */
export function promisesNothing(candidate: Candidate): boolean {
  return candidate.promises.every((promise) => !promise.says_something);
}

/** Against whom the candidate protects, in a sentence. */
export function verdict(candidate: Candidate): string {
  return promisesNothing(candidate) ? "Nothing is promised yet" : `Protected against ${candidate.against}`;
}
