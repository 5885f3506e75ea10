// How long a slider takes to be answered, measured in the browser:
//
//     npm run latency -- DATA_FOLDER [--moves 60] [--only adult|million] [--method NAME] [--json FILE]
//
// DATA_FOLDER has adult/adult_all_clean.csv and hierarchies/adult_arx/. Each move sets one of the sliders for m, k and l
// to a random place, so that the combination has not been asked for before, and is timed from the input event to the end
// of the frame in which (first) verified figures of the new setting and (final) those of the policy's own method are
// painted. The first figures are of the same method at effort quick, where it knows efforts. Moves back to settings that
// were asked for before are on a line of their own.

import { readFile, writeFile } from "node:fs/promises";
import { cpus, loadavg } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { answered, launch, profile } from "./browser.mjs";
import { folder, remove, run, serve } from "./program.mjs";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { moves: { type: "string", default: "60" }, only: { type: "string" }, method: { type: "string" }, json: { type: "string" } },
});
if (positionals.length !== 1) throw new Error("usage: npm run latency -- DATA_FOLDER [--moves 60] [--only adult|million] [--method NAME] [--json FILE]");
const data = resolve(positionals[0]);
const MOVES = Number(options.moves);

const TABLES = {
  adult: { about: "Adult, 45,222 rows", budget: 200, make: makeAdult },
  million: { about: "census, 1,000,000 rows", budget: 3000, make: makeMillion },
};
const METHODS = ["mondrian", "agglomerative"];
/** The places of each slider that are tried, by its positions. */
const PLACES = { m: [0, 1, 2, 3], k: range(1, 19), l: range(0, 5) };
const LABELS = { m: "Colluding providers, m", k: "People in each group, k", l: "Different values in each group, l" };

const results = [];
const browser = await launch();
try {
  for (const [name, table] of Object.entries(TABLES)) {
    if (options.only !== undefined && options.only !== name) continue;
    const work = await folder();
    try {
      await table.make(work);
      for (const method of METHODS) {
        if (options.method !== undefined && options.method !== method) continue;
        const found = await measure(table, method, work);
        print(found);
        results.push(...found);
      }
    } finally {
      await remove(work);
    }
  }
} finally {
  await browser.close();
}
if (options.json !== undefined) await writeFile(options.json, `${JSON.stringify({ processors: cpus().length, results }, null, 2)}\n`);

async function measure(table, method, work) {
  await writeFile(join(work, "policy.toml"), policy(method, work));
  const program = await serve({ at: work, args: ["policy.toml"] });
  const { context, page } = await profile(browser);
  try {
    await page.goto(program.link);
    await answered(page, undefined, 120_000);
    await page.evaluate(installTimer);
    const random = seeded(7);
    const asked = [{ m: 1, k: 4, l: 2 }];
    const fresh = [];
    while (fresh.length < MOVES) fresh.push(await one(page, next(asked, random)));
    const repeated = [];
    // The program keeps the last few candidates, so these are among the last few settings.
    while (repeated.length < 20) repeated.push(await one(page, asked.at(-2 - (repeated.length % 4))));
    const about = { table: table.about, method, budget: table.budget, load: loadavg()[0].toFixed(1) };
    return [summary({ ...about, settings: "new" }, fresh), summary({ ...about, settings: "asked before" }, repeated)];
  } finally {
    await context.close();
    await program.stop();
  }
}

/** One move: the sliders that differ are set at once. */
async function one(page, setting) {
  return page.evaluate(([labels, to]) => window.timeMove(labels, to), [LABELS, setting]);
}

/** A setting that differs from the last in one slider and was not asked for before. */
function next(asked, random) {
  const last = asked.at(-1);
  for (;;) {
    const moved = ["m", "k", "l"][Math.floor(random() * 3)];
    const places = PLACES[moved];
    const setting = { ...last, [moved]: places[Math.floor(random() * places.length)] };
    if (asked.some((old) => old.m === setting.m && old.k === setting.k && old.l === setting.l)) continue;
    asked.push(setting);
    return setting;
  }
}

/** Runs in the page: moves sliders and times the answer. */
function installTimer() {
  const painted = () => new Promise((done) => requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => done(performance.now());
    channel.port2.postMessage(null);
  }));
  const input = (label) => [...document.querySelectorAll("label")].find((one) => one.textContent === label).control;
  window.timeMove = (labels, setting) =>
    new Promise((done, fail) => {
      const panel = document.querySelector('[aria-label="Answer"]');
      const before = panel.dataset.candidate;
      const times = { first: null, final: null, progress: false, outcome: "answer" };
      const changed = Object.keys(labels).filter((name) => Number(input(labels[name]).value) !== setting[name]);
      const timeout = setTimeout(() => fail(new Error(`no answer: ${panel.dataset.state}`)), 120_000);
      const start = performance.now();
      const note = async (key) => {
        times[key] = 0;
        times[key] = (await painted()) - start;
      };
      const look = async () => {
        const { state, candidate } = panel.dataset;
        if (/^Updating: |at work|refining/.test(panel.querySelector(".status-words")?.textContent ?? "")) times.progress = true;
        const answers = candidate !== before && (state === "quick" || state === "final");
        if (!answers && state !== "problem") return;
        if (state === "problem") times.outcome = "no release";
        const last = state !== "quick" && times.final === null;
        const waits = [];
        if (times.first === null) waits.push(note("first"));
        if (last) waits.push(note("final"));
        await Promise.all(waits);
        if (!last) return;
        watcher.disconnect();
        clearTimeout(timeout);
        done(times);
      };
      const watcher = new MutationObserver(() => void look());
      watcher.observe(panel, { attributes: true, childList: true, subtree: true, characterData: true });
      for (const name of changed) {
        const slider = input(labels[name]);
        slider.value = String(setting[name]);
        slider.dispatchEvent(new Event("input", { bubbles: true }));
      }
    });
}

function summary(about, moves) {
  const answers = moves.filter((move) => move.outcome === "answer");
  const slow = moves.filter((move) => move.final > 500);
  return {
    ...about,
    moves: moves.length,
    without_release: moves.length - answers.length,
    progress_seen: slow.length === 0 ? null : slow.filter((move) => move.progress).length / slow.length,
    first: distribution(moves.map((move) => move.first), about.budget),
    final: distribution(moves.map((move) => move.final), about.budget),
  };
}

function distribution(times, budget) {
  const sorted = [...times].sort((one, other) => one - other);
  const at = (share) => Math.round(sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] * 10) / 10;
  const within = sorted.filter((time) => time <= budget).length / sorted.length;
  return { min: at(1e-9), median: at(0.5), p90: at(0.9), p95: at(0.95), max: at(1), within };
}

function print(all) {
  const head = ["table", "method", "settings", "figures", "n", "min", "median", "90 %", "95 %", "max", "in budget", "load"];
  const rows = all.flatMap((one) => ["first", "final"].map((key) => {
    const times = one[key];
    return [one.table, one.method, one.settings, key, one.moves, ...[times.min, times.median, times.p90, times.p95, times.max].map((time) => `${Math.round(time)} ms`), `${Math.round(times.within * 100)} %`, one.load];
  }));
  const widths = head.map((title, index) => Math.max(title.length, ...rows.map((row) => String(row[index]).length)));
  for (const row of [head, ...rows]) console.log(row.map((cell, index) => (index < 4 ? String(cell).padEnd(widths[index]) : String(cell).padStart(widths[index]))).join("  "));
  for (const one of all.filter((one) => one.progress_seen !== null)) console.log(`${one.table}, ${one.method}, ${one.settings}: progress seen in ${Math.round(one.progress_seen * 100)} % of the moves that took over half a second`);
}

async function makeAdult(work) {
  const [head, ...rows] = (await readFile(join(data, "adult/adult_all_clean.csv"), "utf8")).trim().split(/\r?\n/);
  const random = seeded(11);
  const provided = rows.map((row) => `${row},S${1 + Math.floor(random() * 10)}`);
  await writeFile(join(work, "table.csv"), `${head},provider\n${provided.join("\n")}\n`);
}

async function makeMillion(work) {
  run(["synth", "census", "--rows", "1000000", "--providers", "10", "--out", "table.csv"], work);
}

function policy(method) {
  const hierarchy = (name) => `hierarchy = ${JSON.stringify(join(data, "hierarchies/adult_arx", `${name}.csv`))}\n`;
  const quasi = ["age", "workclass", "education", "marital_status", "race", "sex", "native_country"];
  const generalized = new Set(["workclass", "education", "marital_status", "native_country"]);
  const columns = quasi.map((name) => `[columns.${name}]\nrole = "quasi-identifier"\n${generalized.has(name) ? hierarchy(name) : ""}`);
  return `[data]
path = "table.csv"
provider_column = "provider"
undeclared = "drop"

${columns.join("\n")}
[columns.occupation]
role = "sensitive"

[privacy]
m = 1
k = 5
l = { distinct = 3 }

[method]
name = "${method}"
`;
}

/** A generator of numbers between 0 and 1 that gives the same ones each time. */
function seeded(state) {
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function range(first, last) {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
