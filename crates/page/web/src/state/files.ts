// Files that were dropped: those that have arrived, and those on their way.

import { signal } from "@preact/signals";
import { problemOf, removeFile, upload } from "../api";
import { bytes } from "../format";
import type { DroppedFile, ProblemView } from "../protocol";
import { tablesChanged } from "./tables";

/** A file on its way. */
export interface Sending {
  name: string;
  bytes: number;
  /** The share that is sent. */
  done: number;
  /** Why it did not arrive. */
  problem: ProblemView | null;
  stop: AbortController;
}

/** The files that have arrived, by name. */
export const dropped = signal<DroppedFile[]>([]);
/** The files on their way, and those that failed. */
export const sending = signal<Sending[]>([]);
/** The largest file that the program takes. */
export const largestUpload = signal(Number.POSITIVE_INFINITY);

/** Where other releases are kept among the dropped files. */
export const RELEASES = "releases/";

/** A file with the name it gets, which may have folders in it. */
export interface Named {
  name: string;
  file: File;
}

/** Sends files, one after the other, since all share one disk. Resolves with the names that arrived. */
export async function send(files: readonly Named[]): Promise<string[]> {
  const entries = files.map(begin);
  const arrived: string[] = [];
  for (const [index, { name, file }] of files.entries()) {
    const entry = entries[index];
    if (entry !== undefined && entry.problem === null && (await sendOne(entry, file))) arrived.push(name);
  }
  return arrived;
}

/** Forgets a file, whether it has arrived or not. */
export async function forget(name: string): Promise<ProblemView | null> {
  const open = sending.value.find((entry) => entry.name === name);
  open?.stop.abort();
  sending.value = sending.value.filter((entry) => entry.name !== name);
  if (!dropped.value.some((file) => file.name === name)) return null;
  try {
    dropped.value = (await removeFile(name)).files;
    changed(name);
    return null;
  } catch (error) {
    return problemOf(error);
  }
}

function begin({ name, file }: Named): Sending {
  const limit = largestUpload.value;
  const problem =
    file.size > limit ? plain(`${name} has ${bytes(file.size)}; at most ${bytes(limit)} can be dropped`, LARGE) : null;
  const entry = { name, bytes: file.size, done: 0, problem, stop: new AbortController() };
  sending.value = [...sending.value.filter((old) => old.name !== name), entry];
  return entry;
}

const LARGE = "name the file in a policy and start `mingle serve POLICY`: files that are not dropped are read in place";

async function sendOne(entry: Sending, file: File): Promise<boolean> {
  if (entry.stop.signal.aborted) return false;
  try {
    const { files } = await upload(entry.name, file, (done) => update(entry.name, { done }), entry.stop.signal);
    sending.value = sending.value.filter((old) => old.name !== entry.name);
    dropped.value = files;
    changed(entry.name);
    return true;
  } catch (error) {
    update(entry.name, { problem: problemOf(error) });
    return false;
  }
}

/** Other releases are no tables of ours. */
function changed(name: string): void {
  if (!name.startsWith(RELEASES)) tablesChanged();
}

function update(name: string, change: Partial<Sending>): void {
  sending.value = sending.value.map((entry) => (entry.name === name ? { ...entry, ...change } : entry));
}

function plain(text: string, hint: string): ProblemView {
  return { code: "", text, hint, excerpt: null, line: null, column: null };
}
