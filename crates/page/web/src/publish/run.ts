// A release that is being written, or was. It is kept outside of the view: going to another step neither stops a
// publication nor loses what it said.

import { signal } from "@preact/signals";
import { problemOf, stream, tab } from "../api";
import type { ProblemView, PublishEvent } from "../protocol";
import { step } from "../shell/step";
import { toast } from "../ui/Toasts";
import type { Release } from "./Published";

/** Where the publication stands. */
export type Run =
  | { state: "idle" }
  | { state: "running"; step: string; elapsed: number }
  | { state: "published"; release: Release; text: string }
  | { state: "failed"; problem: ProblemView };

/** What is published under which name. */
export interface Order {
  text: string;
  name: string;
  force: boolean;
}

/** The newest publication. */
export const run = signal<Run>({ state: "idle" });

let stopper: AbortController | null = null;

/** Publishes; one release at a time. */
export async function publish(order: Order): Promise<void> {
  if (run.value.state === "running") return;
  stopper = new AbortController();
  run.value = { state: "running", step: "starting", elapsed: 0 };
  run.value = await outcome(order, stopper.signal);
  if (step.value !== "publish") toast(run.value.state === "published" ? `Published ${order.name}` : `${order.name} was not published: see “Publish”`);
}

/** Stops the publication. */
export function stop(): void {
  stopper?.abort();
}

async function outcome({ text, name, force }: Order, signal: AbortSignal): Promise<Run> {
  const ended = said("the program ended before it said that the release is written", "look at its terminal, then publish again");
  let last: Run = { state: "failed", problem: ended };
  const take = (event: PublishEvent) => {
    if (event.event === "progress") run.value = { state: "running", step: event.step, elapsed: event.elapsed };
    else if (event.event === "published") last = { state: "published", release: event, text };
    else last = { state: "failed", problem: event.problem };
  };
  try {
    // A name of its own: moving a slider must not stop a release that is being written.
    await stream("/api/publish", { tab: `${tab}.publish`, text, name, force }, take, signal);
    return last;
  } catch (error) {
    const stopped = said("stopped before the program said that the release is written", "nothing is half written: the folder has the release, or it does not");
    return { state: "failed", problem: problemOf(error) ?? stopped };
  }
}

/** A problem that the page itself has to tell. */
function said(text: string, hint: string): ProblemView {
  return { code: "", text, hint, excerpt: null, line: null, column: null };
}
