// A run over values and methods: points come in as they are made, and the run can be stopped; what has come stays.

import { useEffect, useRef, useState } from "preact/hooks";
import { problemOf, stream, tab } from "../api";
import type { FrontierEvent, FrontierPoint, ProblemView, Vary } from "../protocol";

/** What was asked for. */
export interface Question {
  text: string;
  vary: Vary;
  values: number[];
  methods: string[];
}

/** A combination without a candidate. */
export interface Missing {
  value: number;
  method: string;
  problem: ProblemView;
}

/** What has come so far. */
export interface Run {
  question: Question;
  points: FrontierPoint[];
  missing: Missing[];
  done: number;
  of: number;
  state: "running" | "stopped" | "finished";
  problem: ProblemView | null;
}

/** The run, and how to begin and stop one. */
export interface Runner {
  run: Run | null;
  begin: (question: Question) => void;
  stop: () => void;
}

/** A place for one run at a time; a new one stops the one before. */
export function useRun(): Runner {
  const [run, setRun] = useState<Run | null>(null);
  const stopper = useRef<AbortController | null>(null);
  useEffect(() => () => stopper.current?.abort(), []);
  const begin = (question: Question) => {
    stopper.current?.abort();
    const mine = new AbortController();
    stopper.current = mine;
    const update = (change: (run: Run) => Run) => mine === stopper.current && setRun((before) => before && change(before));
    setRun({ question, points: [], missing: [], done: 0, of: question.values.length * question.methods.length, state: "running", problem: null });
    // A name of its own: the sliders go on answering meanwhile.
    stream("/api/frontier", { tab: `${tab}.frontier`, ...question }, (event) => update((before) => received(before, event)), mine.signal).then(
      () => update((before) => ({ ...before, state: "finished" })),
      (error: unknown) => update((before) => ({ ...before, state: "stopped", problem: problemOf(error) })),
    );
  };
  return { run, begin, stop: () => stopper.current?.abort() };
}

function received(run: Run, event: FrontierEvent): Run {
  switch (event.event) {
    case "point":
      return { ...run, points: [...run.points, event.point], done: event.done, of: event.of };
    case "missing": {
      const { value, method, problem } = event;
      return { ...run, missing: [...run.missing, { value, method, problem }], done: event.done, of: event.of };
    }
    case "problem":
      return { ...run, problem: event.problem };
  }
}
