// Whether a candidate's promises promise anything: groups of at least 1, at least 1 value, or a share of at most 1 are
// what every table has, and must not pass for protection. The program says which promises do. What the program warns of
// belongs to the verdict: a promise that holds may still protect less than it seems to.

import { counted } from "../format";
import type { Candidate } from "../protocol";

/** Whether nothing is promised, whatever the policy lists. */
export function promisesNothing(candidate: Candidate): boolean {
  return candidate.promises.every((promise) => !promise.says_something);
}

/** Against whom the candidate protects, in a sentence, and of how much the program warns. */
export function verdict(candidate: Candidate): string {
  const protection = promisesNothing(candidate) ? "Nothing is promised yet" : `Protected against ${candidate.against}`;
  const warnings = candidate.warnings.length;
  return warnings === 0 ? protection : `${protection}, with ${counted(warnings, "warning")}`;
}
