// A wide table: columns are found, selected and given roles many at a time; what the proposal left open is decided; and
// nothing is searched while more quasi-identifiers than twelve wait for somebody to confirm them.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { answer, answered, launch, policyText, profile, step } from "./browser.mjs";
import { run, serve } from "./program.mjs";

/** Columns that nobody can name a role for by their names. */
const ITEMS = Array.from({ length: 14 }, (_, index) => `item_${index + 1}`);
let program, browser, page, complaints;
/** The releases that were asked for. */
const plans = [];

before(async () => {
  program = await serve();
  browser = await launch();
  ({ page, complaints } = await profile(browser));
  page.on("request", (request) => new URL(request.url()).pathname === "/api/plan" && plans.push(request.postDataJSON()));
  await page.goto(program.link);
  await page.getByLabel("Files", { exact: true }).setInputFiles([{ name: "wide.csv", mimeType: "text/csv", buffer: Buffer.from(wide()) }]);
  await page.getByRole("heading", { name: "Columns" }).waitFor();
  await answered(page);
});

after(async () => {
  await browser?.close();
  await program?.close();
});

/** 200 made-up people. */
function wide() {
  const rows = [["patient_id", "age", "sex", "zip", "disease", ...ITEMS].join(",")];
  for (let row = 0; row < 200; row++) {
    const disease = ["Flu", "Cancer", "Gout", "Asthma"][(row * 7) % 4];
    const items = ITEMS.map((_, item) => `c${(row * (item + 2) + (row >> 3)) % (item + 3)}`);
    rows.push([10_000 + row * 37, 20 + (row * 13) % 60, row % 2 ? "f" : "m", 12_300 + (row * 11) % 50, disease, ...items].join(","));
  }
  return `${rows.join("\n")}\n`;
}

const table = () => page.getByRole("table", { name: "Columns" });
const row = (name) => table().locator(`[data-column="${name}"]`);
const box = (name) => page.getByRole("checkbox", { name: `Select ${name}`, exact: true });
const bulk = (role) => page.getByRole("group", { name: "Role of the selected columns" }).getByRole("button", { name: role, exact: true });
const find = (words) => page.getByRole("searchbox", { name: "Find columns" }).fill(words);
const show = (value) => page.getByLabel("Show", { exact: true }).selectOption(value);
const selected = () => table().getByRole("checkbox", { checked: true }).count();

test("every column has its figures and the reason of its proposal", async () => {
  assert.equal(await table().locator("[data-column]").count(), 5 + ITEMS.length);
  const key = row("patient_id");
  await key.getByRole("radio", { name: "identifier", exact: true, checked: true }).waitFor({ state: "attached" });
  assert.match(await key.innerText(), /200 values/);
  assert.match(await key.innerText(), /200\s+\(100 %\)/, "every row is alone with its number");
  assert.match(await row("sex").innerText(), /\b0\s+\(0 %\)/);
  assert.ok((await row("sex").locator(".column-why").innerText()).length > 5);
  await page.getByText(/In all quasi-identifiers together, [\d,]+ of 200 rows are alone/).waitFor();
});

test("what the proposal left open is marked, shown alone, and decided even by leaving it out", async () => {
  const open = Number(/^(\d+) columns? to decide/.exec(await page.getByText(/columns? to decide\./).innerText())[1]);
  assert.ok(open > 2, `${open}`);
  assert.equal(await table().getByText("decide", { exact: true }).count(), open);
  await page.getByRole("button", { name: "Show them alone" }).click();
  assert.equal(await table().locator("[data-column]").count(), open);
  const first = await table().locator("[data-column]").first().getAttribute("data-column");
  assert.equal(await row(first).getByRole("radio", { checked: true }).count(), 0, "it has no role yet");
  // Decided about, it is no longer among those that are shown.
  await row(first).getByRole("radio", { name: "drop" }).click();
  await row(first).waitFor({ state: "detached" });
  await page.getByText(`${open - 1} column${open === 2 ? "" : "s"} to decide.`).waitFor();
  await show("all");
  await row(first).getByRole("radio", { name: "drop", checked: true }).waitFor({ state: "attached" });
  assert.equal(await row(first).getByText("decide", { exact: true }).count(), 0);
});

test("columns are found by name and reason, and kept by role", async () => {
  await find("item_1");
  assert.equal(await table().locator("[data-column]").count(), 6, "item_1 and item_10 to item_14");
  await find("item nothing");
  await page.getByText("No column is called or said to be so.").waitFor();
  await find("");
  await show("identifier");
  assert.deepEqual(await table().locator("[data-column]").evaluateAll((rows) => rows.map((one) => one.dataset.column)), ["patient_id"]);
  await show("all");
  await page.getByLabel("Order", { exact: true }).selectOption("alone");
  assert.equal(await table().locator("[data-column]").first().getAttribute("data-column"), "patient_id");
  await page.getByLabel("Order", { exact: true }).selectOption("table");
});

test("rows are selected with the keyboard: one, a range, all that are shown", async () => {
  await box("age").focus();
  await page.keyboard.press("Space");
  assert.equal(await selected(), 1);
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Shift+ArrowDown");
  assert.equal(await selected(), 3);
  assert.ok(await box("zip").evaluate((one) => one === document.activeElement), "the focus goes along");
  await page.getByText("3 selected, make them").waitFor();
  await page.keyboard.press("Control+a");
  assert.equal(await selected(), 5 + ITEMS.length);
  await page.getByRole("checkbox", { name: /selected, make them$/ }).uncheck();
  assert.equal(await selected(), 0);
  assert.ok(await bulk("drop").isDisabled());
  await box("item_2").click();
  await box("item_5").click({ modifiers: ["Shift"] });
  assert.equal(await selected(), 4, "Shift with a click takes what is between");
  await find("item_2");
  await page.getByText("1 selected, make them").waitFor();
  await find("");
  await page.getByRole("checkbox", { name: /selected, make them$/ }).click();
  await page.getByRole("checkbox", { name: /selected, make them$/ }).uncheck();
});

test("many roles at once make many quasi-identifiers, and nothing is searched until they are confirmed", async () => {
  await answered(page);
  await find("item");
  await page.getByRole("checkbox", { name: "Select all shown" }).check();
  const before = plans.length;
  await bulk("quasi-identifier").click();
  await page.waitForFunction(() => document.querySelector('[aria-label="Answer"]')?.getAttribute("data-state") === "unconfirmed");
  const notice = answer(page).getByRole("region", { name: "Roles to confirm" });
  const many = Number(/(\d+) quasi-identifiers: nothing is searched yet/.exec(await notice.innerText())[1]);
  assert.ok(many >= ITEMS.length);
  assert.match(await notice.innerText(), /of 200 rows are alone/);
  assert.equal(await answer(page).locator("dl.figures dd").first().innerText(), "–", "no figure of other roles stands there");
  await step(page, "Compare");
  await page.getByText(/wait for somebody to confirm the roles/).waitFor();
  assert.equal(await page.getByRole("button", { name: /^Compute/ }).count(), 0);
  await step(page, "Publish");
  await page.getByText(/nothing to publish until somebody confirms the roles/).waitFor();
  assert.ok(await page.getByRole("button", { name: "Publish …" }).isDisabled());
  await page.reload();
  await page.getByRole("complementary", { name: "Answer" }).getByText("nothing is searched yet").waitFor();
  await page.waitForTimeout(400);
  assert.equal(plans.length, before, "no release was asked for");
});

test("fewer of them are searched without a word, and once confirmed they stay so", async () => {
  await step(page, "Columns");
  await find("item");
  await page.getByRole("checkbox", { name: "Select all shown" }).check();
  await bulk("drop").click();
  await answered(page);
  assert.equal(plans.at(-1).confirmed, false);
  await page.getByRole("button", { name: "Undo" }).click();
  await answer(page).getByText("nothing is searched yet").waitFor();
  await answered(page, () => answer(page).getByRole("button", { name: /^Confirm \d+ quasi-identifiers$/ }).click(), 60_000);
  assert.equal(plans.at(-1).confirmed, true);
  await answered(page, () => row("item_1").getByRole("radio", { name: "drop" }).check(), 60_000);
  await answered(page, () => row("item_1").getByRole("radio", { name: "quasi-identifier" }).check(), 60_000);
  await find("");
  await page.reload();
  await answered(page, undefined, 60_000);
  await step(page, "Columns");
  const seen = plans.length;
  await row("patient_id").getByRole("radio", { name: "quasi-identifier" }).check();
  await answer(page).getByText("nothing is searched yet").waitFor();
  await page.waitForTimeout(300);
  assert.equal(plans.length, seen, "a further one is a further question");
  await page.getByRole("button", { name: "Undo" }).click();
  await answered(page, undefined, 60_000);
  await step(page, "Protection");
  const text = await policyText(page);
  assert.equal(text.match(/role = "quasi-identifier"/g).length >= ITEMS.length, true);
});

test("a code unfolds to what mingle explain says", async () => {
  await page.getByRole("textbox", { name: "People in each group, k, as a number" }).fill("250");
  const problem = answer(page).getByRole("alert");
  await problem.waitFor();
  const code = await problem.locator("summary code").first().innerText();
  await problem.getByText("What this means").first().click();
  const said = JSON.parse(run(["explain", code, "--json"], program.folder)).codes[0];
  await problem.getByText(said.title, { exact: true }).waitFor();
  await problem.getByText(said.text, { exact: true }).waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
});

test("nothing was forbidden", () => {
  assert.deepEqual(complaints.filter((one) => !/status of 4/.test(one)), []);
});
