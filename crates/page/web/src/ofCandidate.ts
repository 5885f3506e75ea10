// A question about a candidate. The program keeps a few candidates only; if it has let this one go, the page has it made
// again by itself, once, and asks anew.

import { useEffect, useRef } from "preact/hooks";
import type { Calls } from "./api";
import { type Latest, useLatest } from "./latest";
import { planGone } from "./state";

/** The code with which the program says that a candidate is no longer at hand. */
const GONE = "MG0801";

/** Asks as `useLatest` does; `question` must become another object when its candidate was made again. */
export function useOfCandidate<P extends "/api/preview" | "/api/coalition">(
  path: P,
  question: Calls[P][0] | null,
  rest: number,
): Latest<Calls[P][0], Calls[P][1]> {
  const latest = useLatest(path, question, rest);
  /** The question that had its candidate made again; null once a later one was answered. */
  const tried = useRef<Calls[P][0] | null>(null);
  const gone = question !== null && latest.problem?.code === GONE;
  const first = gone && (tried.current === question || tried.current?.candidate !== question.candidate);
  useEffect(() => {
    if (first && tried.current !== question) {
      tried.current = question;
      planGone();
    } else if (latest.known !== null && latest.known.question === question) tried.current = null;
  }, [first, question, latest.known]);
  return first ? { ...latest, problem: null, pending: true } : latest;
}
