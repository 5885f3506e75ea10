// The program, started for a test in a folder of its own and stopped by its own process id.

import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
/** The repository. */
export const ROOT = resolve(here, "../../../../..");
/** The program. */
export const MINGLE = resolve(process.env.MINGLE ?? join(ROOT, "target/release/mingle"));
/** The four tables of the example. */
export const HOSPITALS = ["p1.csv", "p2.csv", "p3.csv", "p4.csv"].map((name) => join(ROOT, "examples/hospitals", name));

/** A folder that `remove` deletes. */
export async function folder() {
  return mkdtemp(join(tmpdir(), "mingle-browser-"));
}

/** Deletes a folder of `folder`. */
export async function remove(path) {
  await rm(path, { recursive: true, force: true });
}

/**
 * Starts `mingle serve` and waits for its link. `at` is the folder it works in (a new one unless given), `args` are
 * further arguments, `env` further variables.
 */
export async function serve({ at, args = [], env = {} } = {}) {
  if (!existsSync(MINGLE)) throw new Error(`${MINGLE} is missing: build the program, or name it in MINGLE`);
  const work = at ?? (await folder());
  const child = spawn(MINGLE, ["serve", ...args], { cwd: work, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  // Whatever ends the tests ends the program as well.
  const end = () => child.kill();
  process.once("exit", end);
  child.once("exit", () => process.off("exit", end));
  let said = "";
  child.stderr.on("data", (chunk) => (said += chunk));
  const ended = new Promise((done) => child.once("exit", done));
  const link = await firstLine(child, ended, () => said);
  const stop = async (signal = "SIGINT") => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await ended;
  };
  const close = async () => {
    await stop();
    if (at === undefined) await remove(work);
  };
  const url = new URL(link);
  return { link, origin: url.origin, port: url.port, folder: work, pid: child.pid, stop, close, said: () => said };
}

/** Runs a command line as a shell would, with the program on the path. */
export function shell(command, at) {
  const path = `${dirname(MINGLE)}:${process.env.PATH}`;
  return spawnSync("/bin/sh", ["-c", command], { cwd: at, env: { ...process.env, PATH: path }, encoding: "utf8" });
}

/** Runs the program. */
export function run(args, at) {
  const done = spawnSync(MINGLE, args, { cwd: at, encoding: "utf8" });
  if (done.status !== 0) throw new Error(`mingle ${args.join(" ")}: ${done.stderr}`);
  return done.stdout;
}

/** Seconds of processor time that a process has used. */
export async function processorTime(pid) {
  const line = await readFile(`/proc/${pid}/stat`, "utf8");
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function firstLine(child, ended, said) {
  const lines = createInterface({ input: child.stdout });
  const line = new Promise((done) => lines.once("line", done));
  const gone = ended.then((code) => {
    throw new Error(`mingle serve ended with ${code}: ${said()}`);
  });
  gone.catch(() => {});
  return Promise.race([line, gone]);
}
