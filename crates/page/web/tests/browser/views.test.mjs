// Building hierarchies by mouse, file and keys, and the candidate beside other releases.

import assert from "node:assert/strict";
import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { answered, launch, policyText, profile, step } from "./browser.mjs";
import { ROOT, folder, remove, serve } from "./program.mjs";

let [work, program, browser, page, complaints] = [];

before(async () => {
  work = await folder();
  await cp(join(ROOT, "examples/hospitals"), work, { recursive: true });
  program = await serve({ at: work, args: ["policy.toml"] });
  browser = await launch();
  ({ page, complaints } = await profile(browser));
  await page.goto(program.link);
  await answered(page);
});

after(async () => {
  await browser?.close();
  await program?.stop();
  await remove(work);
});

/** Opens a tab of the builder of a column. */
async function build(column, way) {
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await step(page, "Columns");
  await page.getByRole("button", { name: `Hierarchy of ${column}` }).click();
  const dialog = page.getByRole("dialog", { name: `How ${column} generalizes` });
  await dialog.getByRole("tab", { name: way }).click();
  return dialog;
}

/** Drags from one element to another, a bit at a time; `end` lets go, or does something else. */
async function drag(from, to, end = () => page.mouse.up()) {
  const [start, goal] = [await from.boundingBox(), await to.boundingBox()];
  await page.mouse.move(start.x + 60, start.y + start.height / 2);
  await page.mouse.down();
  await page.mouse.move(start.x + 75, start.y + start.height / 2 + 12, { steps: 3 });
  await page.mouse.move(goal.x + goal.width / 2, goal.y + goal.height / 2, { steps: 6 });
  await end();
}

const loose = (dialog) => dialog.getByRole("region", { name: "Not yet placed" });
const waiting = async (dialog) => Number(await loose(dialog).locator("h3 .badge").innerText());

test("values are dragged into groups, several at once, and what is left over is a gap", async () => {
  const dialog = await build("zip", "Groups");
  const all = await waiting(dialog);
  const first = () => loose(dialog).getByRole("option").first();
  await drag(first(), dialog.getByText("drop here for a new group"));
  assert.equal(await waiting(dialog), all - 1);
  await first().click();
  await loose(dialog).getByRole("option").nth(2).click({ modifiers: ["Shift"] });
  await drag(first(), dialog.getByRole("group", { name: /^Level 1/ }).first());
  assert.equal(await waiting(dialog), all - 4, "three selected values moved together");
  await dialog.getByText(`${all - 4} values without a place.`).waitFor();
  await dialog.getByRole("button", { name: "next gap" }).click();
  await dialog.getByRole("row", { name: /no place/ }).first().waitFor();
  await dialog.getByRole("button", { name: "Undo" }).click();
  assert.equal(await waiting(dialog), all - 1);
  await page.keyboard.press("Escape");
});

test("a drag that is broken off changes nothing and does not close the dialog", async () => {
  const dialog = await build("zip", "Groups");
  const all = await waiting(dialog);
  await drag(loose(dialog).getByRole("option").first(), dialog.getByText("drop here for a new group"), () => page.keyboard.press("Escape"));
  await page.mouse.up();
  assert.equal(await waiting(dialog), all);
  assert.ok(await dialog.isVisible());
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
});

test("a hierarchy's file is taken over, or refused at its line and without its cells", async () => {
  const dialog = await build("zip", "Groups");
  await dialog.getByRole("button", { name: "Import a file …" }).click();
  const text = dialog.getByRole("textbox", { name: "or its text" });
  const take = dialog.getByRole("button", { name: "Take over", exact: true });
  for (const [content, said] of [["secret;a;*\nother;*", "line 2: 2 levels where the first row has 3"], ["secret", "single column"], ['a;"secret', "never closed"]]) {
    await text.fill(content);
    await take.click();
    const alert = dialog.getByRole("alert");
    await alert.getByText(said).waitFor();
    assert.doesNotMatch(await alert.innerText(), /secret/);
  }
  await text.fill("12300;south;*\n99999;north;*\n");
  await take.click();
  await dialog.getByRole("textbox", { name: "Name of the group south" }).waitFor();
  await dialog.getByRole("textbox", { name: "Name of the group south" }).fill("north");
  await dialog.getByText("another group has this name").first().waitFor();
  assert.ok(await dialog.getByRole("button", { name: /^Use these groups/ }).isDisabled());
  await page.keyboard.press("Escape");
});

test("a category gets an order by the keyboard, which the policy keeps", async () => {
  const dialog = await build("disease", "Order");
  const list = dialog.getByRole("listbox", { name: "Values from smallest to largest" });
  const values = () => list.getByRole("option").locator(".hierarchy-value-name").allInnerTexts();
  const [first, second, ...rest] = await values();
  await list.focus();
  await page.keyboard.press("Alt+ArrowDown");
  assert.deepEqual(await values(), [second, first, ...rest]);
  await dialog.getByRole("button", { name: "Use this order" }).click();
  await dialog.waitFor({ state: "detached" });
  await step(page, "Protection");
  await page.waitForFunction(() => document.querySelector('[aria-label="Answer"]')?.getAttribute("data-state") === "final");
  assert.ok((await policyText(page)).includes(`order = ["${second}", "${first}"`));
});

test("another release beside ours: what it adds is said, and the policy can take it into account", async () => {
  await step(page, "Protection");
  await page.getByRole("tab", { name: "Beside other releases" }).click();
  const lay = page.getByRole("button", { name: /with ours$/ });
  assert.ok(await lay.isDisabled(), "there is nothing to compare with ours yet");
  await page.getByLabel("Choose tables").last().setInputFiles([
    { name: "theirs.csv", mimeType: "text/csv", buffer: await readFile(join(work, "t_a.csv")) },
    { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("nothing") },
  ]);
  await page.getByText("1 file left alone").waitFor();
  await lay.click();
  const found = page.getByRole("article", { name: "disease" });
  await found.getByText(/of 10 people/).first().waitFor();
  await page.getByText(/^✓ Holds\.|^✕ Does not hold\./).waitFor();
  await page.getByRole("button", { name: "Take them into account when publishing" }).click();
  assert.match(await policyText(page), /\[composition\]\n(.*\n)*against = \["releases\/theirs\.csv"\]/);
  await page.getByRole("tab", { name: "Beside other releases" }).click();
  await page.getByRole("button", { name: "Remove theirs.csv" }).click();
  await page.getByText("No other release yet.").waitFor();
});

test("nothing was forbidden", () => {
  assert.deepEqual(complaints.filter((one) => !/status of 4/.test(one)), []);
});
