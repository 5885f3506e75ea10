// A question that follows what is on the screen: asked anew whenever it changes, after a short rest, the request before
// being stopped. The answer before stays, marked as old, until the new one is there, so that nothing jumps.

import { useEffect, useState } from "preact/hooks";
import { type Calls, call, problemOf } from "./api";
import type { ProblemView } from "./protocol";

/** Where a question stands. */
export interface Latest<Question, Answer> {
  /** The newest answer and the question it belongs to. */
  known: { question: Question; answer: Answer } | null;
  /** Why there is no answer to the question as it is. */
  problem: ProblemView | null;
  /** Whether the answer to the question as it is has not come yet. */
  pending: boolean;
}

/** Asks `path` whenever `question` is another object; null asks nothing. `rest` is in milliseconds. */
export function useLatest<P extends keyof Calls>(
  path: P,
  question: Calls[P][0] | null,
  rest = 0,
): Latest<Calls[P][0], Calls[P][1]> {
  type Known = { question: Calls[P][0]; answer: Calls[P][1] };
  const [known, setKnown] = useState<Known | null>(null);
  const [failed, setFailed] = useState<{ question: Calls[P][0]; problem: ProblemView } | null>(null);
  useEffect(() => {
    if (question === null) return;
    const stop = new AbortController();
    const ask = () =>
      call(path, question, stop.signal).then(
        (answer) => stop.signal.aborted || setKnown({ question, answer }),
        (error: unknown) => {
          const problem = problemOf(error);
          if (problem !== null && !stop.signal.aborted) setFailed({ question, problem });
        },
      );
    const timer = setTimeout(() => void ask(), rest);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [path, question, rest]);
  const problem = failed !== null && failed.question === question ? failed.problem : null;
  const answered = known !== null && known.question === question;
  return { known, problem, pending: question !== null && !answered && problem === null };
}
