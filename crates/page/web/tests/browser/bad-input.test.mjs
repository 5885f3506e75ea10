// What goes wrong, seen by the user: each case has a designed answer that says where and what to do, and loses nothing.

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readdir, rm, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { after, before, test } from "node:test";
import { K, M, answer, answered, falling, figure, launch, policyText, profile, slider, step, typeNumber } from "./browser.mjs";
import { HOSPITALS, ROOT, folder, processorTime, remove, run, serve } from "./program.mjs";

const EXAMPLE = join(ROOT, "examples/hospitals/policy.toml");
const LOCKED = "This page needs the link that the terminal printed";
let browser;

before(async () => {
  browser = await launch();
});

after(async () => {
  await browser?.close();
});

/** A program with the example, and a tab on it; both end with the test. */
async function example(t, options = {}) {
  const work = await folder();
  const program = await serve({ at: work, args: [EXAMPLE, "--folder", work, ...(options.args ?? [])] });
  const { context, page, complaints } = await profile(browser);
  t.after(async () => {
    await context.close();
    await program.stop();
    await remove(work);
  });
  await page.goto(program.link);
  await answered(page);
  return { program, context, page, complaints };
}

/** A program without a policy, and a tab on it. */
async function empty(t, args = [], env = {}) {
  const program = await serve({ args, env });
  const { context, page } = await profile(browser);
  t.after(async () => {
    await context.close();
    await program.close();
  });
  await page.goto(program.link);
  await page.getByRole("heading", { name: "Publish one anonymized table together" }).waitFor();
  return { program, page, files: page.getByLabel("Files", { exact: true }) };
}

test("without the token there is a designed message and no data; a used token gets no further", async (t) => {
  const { program } = await example(t);
  for (const address of [`${program.origin}/`, program.link, `${program.origin}/#${"A".repeat(43)}`]) {
    const { context, page } = await profile(browser);
    await page.goto(address);
    await page.getByRole("heading", { name: LOCKED }).waitFor();
    const body = await page.locator("body").innerText();
    assert.doesNotMatch(body, /Alice|12367|Cancer|disease|policy\.toml/);
    const statuses = await page.evaluate(() => Promise.all(["/api/start", "/api/files"].map((path) => fetch(path).then((answer) => answer.status))));
    assert.deepEqual(statuses, [401, 401]);
    await context.close();
  }
});

test("a policy that fails to parse is shown at its line, and undone", async (t) => {
  const { page } = await example(t);
  const text = await policyText(page);
  const lines = text.split("\n");
  const at = lines.findIndex((line) => line.startsWith("k = 3"));
  lines[at] = "k = = 3";
  const area = page.getByRole("textbox", { name: "Policy as text" });
  await area.fill(lines.join("\n"));
  const place = new RegExp(`policy\\.toml:${at + 1}:5|line ${at + 1}, column 5`);
  await answer(page).getByText(place).waitFor();
  await page.getByRole("tabpanel", { name: /Policy as text/ }).getByText(place).waitFor();
  assert.equal(await area.getAttribute("aria-invalid"), "true");
  assert.equal(await figure(page, "Detail lost"), "–", "no number of another policy stands there");
  assert.ok(await slider(page, K).isDisabled(), "sliders wait for a text that can be read");
  await page.getByRole("button", { name: "Undo" }).click();
  await answered(page);
  assert.equal(await area.inputValue(), text);
});

test("a policy that asks for the impossible has no numbers, and says why", async (t) => {
  const { page } = await example(t);
  await typeNumber(page, K, 11);
  await answer(page).getByRole("alert").waitFor();
  assert.equal(await figure(page, "Detail lost"), "–");
  await step(page, "Publish");
  assert.ok(await page.getByRole("button", { name: "Publish …" }).isDisabled());
});

test("a hierarchy with gaps says which values have no place, and the answer names the column", async (t) => {
  const { page } = await example(t);
  await step(page, "Columns");
  await page.getByRole("button", { name: /^Hierarchy of zip/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("tab", { name: "Groups" }).click();
  await dialog.getByRole("listbox").first().getByRole("option").first().click();
  await dialog.getByRole("button", { name: "Move", exact: true }).click();
  await dialog.getByText("✕ 9 values without a place.").waitFor();
  assert.equal(await dialog.getByRole("cell", { name: "no place" }).count(), 9);
  await dialog.getByRole("button", { name: "Use these groups, gaps and all" }).click();
  await dialog.waitFor({ state: "detached" });
  await answer(page).getByText(/zip/).first().waitFor();
  assert.equal(await answer(page).getAttribute("data-state"), "problem");
  assert.equal(await figure(page, "Detail lost"), "–");
  assert.doesNotMatch(await answer(page).innerText(), /12367|98745/, "no value is quoted");
});

test("a file beyond the limit is refused with the limit", async (t) => {
  const { page, files } = await empty(t, ["--max-upload", "1K"]);
  await files.setInputFiles({ name: "large.csv", mimeType: "text/csv", buffer: Buffer.alloc(5000, "a,b\n") });
  const list = page.getByRole("list", { name: "Dropped files" });
  await list.getByRole("alert").waitFor();
  assert.match(await list.innerText(), /1 ?KiB|1,?024|1\.0 kB/i);
  await list.getByRole("button", { name: "Remove large.csv" }).click();
  await list.waitFor({ state: "detached" });
});

test("a file that is no table is refused without showing what is in it", async (t) => {
  const { page, files } = await empty(t);
  await files.setInputFiles({ name: "picture.csv", mimeType: "text/csv", buffer: Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0]), randomBytes(3000)]) });
  const alert = page.getByRole("alert");
  await alert.waitFor();
  assert.match(await alert.innerText(), /picture\.csv/);
  await files.setInputFiles({ name: "ragged.csv", mimeType: "text/csv", buffer: Buffer.from('a,b\n1,2\n"Alice\n') });
  await page.getByText(/ragged\.csv/).first().waitFor();
  assert.doesNotMatch(await page.locator("body").innerText(), /Alice/);
});

test("messages call a dropped file as it was called, not where it is kept", async (t) => {
  const kept = await folder();
  t.after(() => remove(kept));
  const { page, files } = await empty(t, [], { TMPDIR: kept });
  for (const [name, text] of [["headerless.csv", "17,3\n18,4\n17,5\n19,5\n"], ["ragged.csv", "a,b\n1,2\n3\n"], ["none.csv", ""]]) {
    await files.setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
    const alert = page.getByRole("alert").filter({ hasText: name });
    await alert.waitFor();
    assert.ok(!(await page.locator("body").innerText()).includes(kept), await alert.innerText());
  }
});

test("what the program warns of is part of the verdict, and a strict policy is not published with it", async (t) => {
  const { page } = await example(t);
  const before = await policyText(page);
  // A method of whole levels, and a column that has none.
  await page.getByRole("textbox", { name: "Policy as text" }).fill(before.replace("agglomerative", "datafly"));
  await answered(page);
  await answer(page).getByText(/^Protected against .*, with 1 warning$/).waitFor();
  await step(page, "Publish");
  await page.getByRole("button", { name: "Publish …" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText(/, with 1 warning\.$/).waitFor();
  await dialog.getByRole("region", { name: "Warnings" }).getByText(/age/).first().waitFor();
  await dialog.getByText("What this means").click();
  await dialog.locator(".problem-title").waitFor();
  assert.ok(await dialog.getByRole("button", { name: "Publish", exact: true }).isEnabled());
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await step(page, "Protection");
  const text = await policyText(page);
  await page.getByRole("textbox", { name: "Policy as text" }).fill(text.replace("[release]", "[release]\nstrict = true"));
  await answered(page);
  await step(page, "Publish");
  await page.getByRole("button", { name: "Publish …" }).click();
  await dialog.getByText("The policy is strict").waitFor();
  assert.ok(await dialog.getByRole("button", { name: "Publish", exact: true }).isDisabled());
});

test("a name that is taken is not published over; a release that disappeared is said to be gone", async (t) => {
  const { program, page } = await example(t);
  await step(page, "Publish");
  const publish = async (word) => {
    await page.getByRole("button", { name: "Publish …" }).click();
    await page.getByRole("dialog").getByRole("button", { name: word, exact: true }).click();
  };
  await publish("Publish");
  await page.getByText(/Published to/).waitFor();
  await publish("Publish");
  await page.getByRole("alert").getByText(/exist|there already|not empty/i).waitFor();
  await page.getByRole("checkbox", { name: "replace a release of that name" }).check();
  await publish("Publish and replace");
  await page.getByText(/Published to/).waitFor();
  await rm(join(program.folder, "release"), { recursive: true });
  await page.getByRole("button", { name: "Public report" }).click();
  await page.getByRole("alert").getByText(/moved or removed/).waitFor();
  await page.getByRole("textbox", { name: "Name of the release" }).fill("../elsewhere");
  await page.getByText("letters, digits, - _ and . only").waitFor();
  assert.ok(await page.getByRole("button", { name: "Publish …" }).isDisabled());
});

test("a policy's file that somebody else changed is not replaced unasked", async (t) => {
  const { program, page } = await example(t);
  await writeFile(join(program.folder, "policy.toml"), "# somebody's own\n");
  await step(page, "Publish");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("alert").getByText(/not as this page knows it/).waitFor();
  await page.getByRole("button", { name: "Replace that file" }).waitFor();
});

test("a stopped program is noticed, and nothing is lost when it is back", async (t) => {
  const { program, page } = await example(t);
  await answered(page, () => typeNumber(page, K, 4));
  await program.stop();
  await slider(page, M).focus();
  await page.keyboard.press("Home");
  await page.getByRole("status").getByText("The program has stopped.").waitFor();
  assert.equal(await slider(page, M).inputValue(), "0", "the hand's last change stays");
  const back = await serve({ at: program.folder, args: [EXAMPLE, "--folder", program.folder, "--port", program.port] });
  t.after(() => back.stop());
  await page.goto(back.link);
  await answered(page);
  await page.getByText("The program has stopped.").waitFor({ state: "detached" });
  const text = await policyText(page);
  assert.match(text, /^k = 4\b/m);
  assert.match(text, /^m = 0\b/m);
});

test("a program that stops leaves nothing of what was dropped", async (t) => {
  const kept = await folder();
  t.after(() => remove(kept));
  const program = await serve({ env: { TMPDIR: kept } });
  const { context, page } = await profile(browser);
  t.after(() => context.close());
  await page.goto(program.link);
  await page.getByLabel("Files", { exact: true }).setInputFiles(HOSPITALS);
  await answered(page);
  const [place, ...others] = await readdir(kept);
  assert.deepEqual(others, []);
  assert.deepEqual((await readdir(join(kept, place))).sort(), HOSPITALS.map((path) => basename(path)));
  assert.equal((await stat(join(kept, place))).mode & 0o077, 0, "readable by this user alone");
  await program.close();
  assert.deepEqual(await readdir(kept), []);
});

test("two tabs do not disturb each other", async (t) => {
  const { program, context, page } = await example(t);
  const other = await context.newPage();
  await other.goto(`${program.origin}/`);
  await answered(other);
  await slider(page, M).focus();
  await Promise.all([answered(page, () => page.keyboard.press("Home")), answered(other, () => typeNumber(other, K, 2))]);
  assert.ok((await falling(page, 1)) > 0);
  assert.equal(await falling(other, 1), 0);
  const [one, two] = [await policyText(page), await policyText(other)];
  assert.match(one, /^m = 0\b/m);
  assert.match(one, /^k = 3\b/m);
  assert.match(two, /^m = 1\b/m);
  assert.match(two, /^k = 2\b/m);
});

test("a browser that is closed during a run leaves no work behind", { timeout: 60_000 }, async (t) => {
  const work = await folder();
  run(["synth", "census", "--rows", "400000", "--providers", "8", "--out", "big.csv"], work);
  run(["init", "big.csv", "--out", "big.toml"], work);
  const program = await serve({ at: work, args: ["big.toml"] });
  const own = await launch();
  t.after(async () => {
    await own.close();
    await program.stop();
    await remove(work);
  });
  const { page } = await profile(own);
  await page.goto(program.link);
  await answer(page).getByText(/^Updating: /).waitFor();
  await own.close();
  await until(async () => {
    const before = await processorTime(program.pid);
    await pause(400);
    return (await processorTime(program.pid)) - before < 0.08;
  }, 8_000);
});

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

async function until(holds, within) {
  const end = Date.now() + within;
  while (!(await holds())) assert.ok(Date.now() < end, "the program is still at work");
}
