// A slider on a table that is large enough to be waited for: a quick look by the policy's own method, refined in place,
// and differences that compare like with like.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { K, answered, launch, press, profile } from "./browser.mjs";
import { folder, remove, run, serve } from "./program.mjs";

let [work, program, browser, page, complaints] = [];

const QUASI = ["age", "workclass", "education", "marital_status", "sex"];
const POLICY = `[data]
path = "table.csv"
provider_column = "provider"
undeclared = "drop"

${QUASI.map((name) => `[columns.${name}]\nrole = "quasi-identifier"\n`).join("\n")}
[columns.occupation]
role = "sensitive"

[privacy]
m = 1
k = 5
`;

before(async () => {
  work = await folder();
  run(["synth", "census", "--rows", "6000", "--providers", "4", "--out", "table.csv"], work);
  await writeFile(join(work, "policy.toml"), POLICY);
  program = await serve({ at: work, args: ["policy.toml"] });
  browser = await launch();
  ({ page, complaints } = await profile(browser));
  await page.goto(program.link);
  await answered(page, undefined, 60_000);
  await page.evaluate(installRecorder);
});

after(async () => {
  await browser?.close();
  await program?.stop();
  await remove(work);
});

/** Runs in the page: writes down what the panel shows whenever it shows another candidate. */
function installRecorder() {
  const panel = document.querySelector('[aria-label="Answer"]');
  let last = panel.dataset.candidate;
  window.shown = [];
  const look = () => {
    const { state, candidate } = panel.dataset;
    if (candidate === last || (state !== "quick" && state !== "final")) return;
    last = candidate;
    const loss = panel.querySelector('[data-measure="loss"]');
    window.shown.push({
      state,
      words: panel.querySelector(".status-words").textContent,
      loss: parseFloat(loss.querySelector(".figure-value").textContent),
      change: loss.querySelector(".figure-change").textContent,
    });
  };
  new MutationObserver(look).observe(panel, { attributes: true, childList: true, subtree: true, characterData: true });
}

/** What is shown from pressing a key on the slider for k to the final answer. */
async function slide(key) {
  await page.evaluate(() => (window.shown = []));
  await press(page, K, key);
  return page.evaluate(() => window.shown);
}

/** A difference as it is written, in points; null where none is. */
function points(change) {
  if (change === "") return null;
  if (change === "no change") return 0;
  const size = parseFloat(change.match(/[\d.]+/)[0]);
  return change.includes("▼") ? -size : size;
}

/** Each of three figures is rounded to a tenth. */
const ROUNDING = 0.16;

test("the look is by the policy's method, and differences compare looks with looks and answers with answers", async () => {
  const first = await slide("ArrowRight");
  const second = await slide("ArrowRight");
  for (const shown of [first, second]) {
    assert.deepEqual(shown.map((one) => one.state), ["quick", "final"]);
    assert.equal(shown[0].words, "A quick look by agglomerative; refining…");
    assert.match(shown[1].words, /^Up to date · agglomerative · /);
  }
  for (const stage of [0, 1]) {
    const change = points(second[stage].change);
    assert.notEqual(change, null, `${second[stage].state} has a difference`);
    const real = second[stage].loss - first[stage].loss;
    assert.ok(Math.abs(change - real) < ROUNDING, `${change} is written for ${real}`);
  }
  assert.ok(Math.abs(second[0].loss - first[1].loss - points(second[0].change)) > ROUNDING, "a look and an answer differ enough on this table for the test to tell");
  assert.deepEqual(complaints, []);
});
