// A run over values and methods: points come in as they are made, and the run can be stopped; what has come stays. It is
// kept outside of the view, so that it goes on while other steps are looked at.

import { signal } from "@preact/signals";
import { problemOf, stream, tab } from "../api";
import type { FrontierEvent, FrontierPoint, ProblemView, Vary } from "../protocol";
import { areConfirmed } from "../state/roles";
import { dataVersion } from "../state/tables";

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
  /** The state of the tables when it began. */
  version: number;
  points: FrontierPoint[];
  missing: Missing[];
  done: number;
  of: number;
  state: "running" | "stopped" | "finished";
  problem: ProblemView | null;
}

/** The newest run. */
export const run = signal<Run | null>(null);

let stopper: AbortController | null = null;

/** Begins a run; the one before is stopped and forgotten. */
export async function begin(question: Question): Promise<void> {
  stopper?.abort();
  const mine = new AbortController();
  stopper = mine;
  const update = (change: (run: Run) => Partial<Run>) => {
    if (mine === stopper && run.value !== null) run.value = { ...run.value, ...change(run.value) };
  };
  const of = question.values.length * question.methods.length;
  run.value = { question, version: dataVersion.value, points: [], missing: [], done: 0, of, state: "running", problem: null };
  try {
    // A name of its own: the sliders go on answering meanwhile.
    await stream("/api/frontier", { tab: `${tab}.frontier`, ...question, confirmed: areConfirmed.value }, (event) => update((before) => received(before, event)), mine.signal);
    update(() => ({ state: "finished" }));
  } catch (error) {
    update(() => ({ state: "stopped", problem: problemOf(error) }));
  }
}

/** Stops the run. */
export function stop(): void {
  stopper?.abort();
}

function received(run: Run, event: FrontierEvent): Partial<Run> {
  switch (event.event) {
    case "point":
      return { points: [...run.points, event.point], done: event.done, of: event.of };
    case "missing": {
      const { value, method, problem } = event;
      return { missing: [...run.missing, { value, method, problem }], done: event.done, of: event.of };
    }
    case "problem":
      return { problem: event.problem };
  }
}
