// Hierarchies without a script: bands, a prefix, a pasted table, an order with groups along it. What a check says stands
// beside the levels, and what was built ends in the policy. Each is done with the keyboard.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { answered, launch, policyText, profile, step } from "./browser.mjs";
import { ROOT, folder, remove, serve } from "./program.mjs";

const EXAMPLE = join(ROOT, "examples/hospitals/policy.toml");
let program, browser, page, complaints, work;

before(async () => {
  work = await folder();
  program = await serve({ at: work, args: [EXAMPLE, "--folder", work] });
  browser = await launch();
  ({ page, complaints } = await profile(browser));
  await page.goto(program.link);
  await answered(page);
  await step(page, "Columns");
});

after(async () => {
  await browser?.close();
  await program?.stop();
  await remove(work);
});

/** Opens the builder of a column and goes to a way by the arrow keys. */
async function build(column, way) {
  await page.getByRole("button", { name: new RegExp(`^Hierarchy of ${column}`) }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  const tab = dialog.getByRole("tab", { name: way, exact: true });
  await dialog.getByRole("tab", { selected: true }).focus();
  for (let tries = 0; (await tab.getAttribute("aria-selected")) !== "true"; tries++) {
    assert.ok(tries < 12, `arrow keys lead to ${way}`);
    await page.keyboard.press("ArrowRight");
  }
  return dialog;
}

/** Presses Enter on the last button, once it can be pressed, and waits for the answer. */
async function use(dialog, name) {
  const button = dialog.getByRole("button", { name });
  await button.click({ trial: true });
  await button.focus();
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  await answered(page);
}

const cell = (dialog, text) => dialog.getByRole("cell", { name: text, exact: true }).first().waitFor();
const findings = (dialog) => dialog.getByRole("list", { name: "What a check finds" });

test("bands of numbers, with open ends and a coarser level", async () => {
  const dialog = await build("age", "Bands");
  const first = dialog.getByRole("textbox", { name: "Level 1: bounds" });
  await first.fill("18, x");
  await dialog.getByText(/bound 2 of level 1 is not a number/).waitFor();
  assert.ok(await dialog.getByRole("button", { name: "Use these bands" }).isDisabled());
  await first.fill("25, 35, 45, 65");
  await cell(dialog, "[25-34]");
  await cell(dialog, "<25");
  await dialog.getByRole("button", { name: "Add a level" }).click();
  assert.equal(await dialog.getByRole("textbox", { name: "Level 2: bounds" }).inputValue(), "35, 65");
  await cell(dialog, "<35");
  await use(dialog, "Use these bands");
  await page.getByRole("button", { name: "Hierarchy of age: bands 25, 35, 45, 65 / 35, 65" }).waitFor();
});

test("the first characters of codes, and what a check says about them", async () => {
  const dialog = await build("zip", "Prefix");
  await dialog.getByRole("textbox", { name: "Characters kept" }).fill("5, 3");
  await findings(dialog).getByText("level 1 joins no values").waitFor();
  await dialog.getByRole("textbox", { name: "Characters kept" }).fill("3, 1");
  await cell(dialog, "123…");
  await use(dialog, "Use this prefix");
  await page.getByRole("button", { name: "Hierarchy of zip: prefix 3, 1" }).waitFor();
});

test("groups pasted from a table, with ranges and gaps that are counted", async () => {
  const dialog = await build("zip", "Pasted table");
  const lines = dialog.getByRole("textbox", { name: "Values and their groups" });
  await lines.fill("12000-12399;south\n");
  await dialog.getByText(/without a place/).first().waitFor();
  assert.match(await findings(dialog).innerText(), /the first at p\d\.csv/, "a check says where");
  await lines.fill("12000-12399;south;coast\n*;elsewhere;inland\n");
  await dialog.getByText("✓ Every value has a place.").waitFor();
  await cell(dialog, "south");
  await use(dialog, "Use this table");
  await page.getByRole("button", { name: "Hierarchy of zip: hierarchy: zip.hierarchy.csv" }).waitFor();
});

test("an order of categories, and groups of neighbours along it", async () => {
  const dialog = await build("disease", "Order");
  const list = dialog.getByRole("listbox", { name: "Values from smallest to largest" });
  const values = () => list.getByRole("option").locator(".hierarchy-value-name").allInnerTexts();
  await list.focus();
  await page.keyboard.press("Alt+End");
  const [first, second] = await values();
  await dialog.getByRole("textbox", { name: "Neighbours that make a group" }).fill("2, 3");
  await dialog.getByText(/group size 2 does not fit/).waitFor();
  await dialog.getByRole("textbox", { name: "Neighbours that make a group" }).fill("2");
  await cell(dialog, `${first} to ${second}`);
  await use(dialog, "Use this order");
});

test("all of it is in the policy, and the program says the same about it", async () => {
  await step(page, "Protection");
  const text = await policyText(page);
  assert.match(text, /bands = \[\[25, 35, 45, 65\], \[35, 65\]\]/);
  assert.match(text, /hierarchy = "zip\.hierarchy\.csv"/);
  assert.match(text, /order = \[/);
  await step(page, "Publish");
  await page.getByRole("textbox", { name: "Save it as" }).fill("built.toml");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText(/Saved to/).waitFor();
  assert.equal(await readFile(join(work, "zip.hierarchy.csv"), "utf8"), "12000-12399;south;coast;*\n*;elsewhere;inland;*\n");
});

test("nothing was forbidden", () => {
  assert.deepEqual(complaints.filter((one) => !/status of 4/.test(one)), []);
});
