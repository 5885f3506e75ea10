// The pictures of README and docs, taken from the real page: npm run pictures
//
// Each is taken at a fixed size, without motion, from tables that are the same each time. What differs from run to run is
// the time that an answer took, which the page says.

import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { K, M, answer, answered, launch, press, profile, step, typeNumber } from "./browser.mjs";
import { HOSPITALS, ROOT, remove, run, serve } from "./program.mjs";

const PICTURES = process.env.PICTURES ?? join(ROOT, "docs/pictures");
const browser = await launch({ scrollbars: true });
// The folder is seen in the pictures, so it has a name that means something.
const work = join(tmpdir(), "mingle-tour");

try {
  await fresh();
  await hospitals({});
  await fresh();
  await patients({});
  await fresh();
  await wide();
  await phone();
} finally {
  await browser.close();
  await remove(work);
}

async function fresh() {
  await remove(work);
  await mkdir(work, { recursive: true });
}

/** The tour, from the empty page to the reports. */
async function hospitals(options) {
  await within(options, [], async (page, context) => {
    await page.getByRole("heading", { name: "Publish one anonymized table together" }).waitFor();
    await take(page, "page-empty");
    await page.getByLabel("Files", { exact: true }).setInputFiles(HOSPITALS);
    await page.getByRole("heading", { name: "Columns" }).waitFor();
    await answered(page);
    await take(page, "page-columns");
    await page.getByRole("button", { name: /^Hierarchy of age/ }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Level 1: width" }).fill("5");
    await dialog.getByRole("textbox", { name: "Level 2: width" }).fill("10");
    await dialog.getByRole("textbox", { name: "Level 3: width" }).fill("20");
    await dialog.getByRole("cell", { name: "[20-24]" }).first().waitFor();
    await take(page, "page-hierarchy");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await step(page, "Protection");
    await answered(page, () => typeNumber(page, K, 3));
    await press(page, M, "Home");
    await settle(page);
    await take(page, "page-outsider");
    await answer(page).getByRole("button", { name: "Pin", exact: true }).click();
    await page.getByRole("tab", { name: "Who learns what" }).click();
    await page.getByRole("group", { name: "Providers in the coalition" }).getByRole("button", { name: /^p1/ }).click();
    await page.getByText(/^p1 takes out/).waitFor();
    await takeOf(page, "A closer look", "page-coalition");
    await page.getByRole("tab", { name: "Rows before and after" }).click();
    await press(page, M, "ArrowRight");
    await settle(page);
    await take(page, "page-insider");
    await answer(page).getByRole("button", { name: "Pin", exact: true }).click();
    await page.emulateMedia({ colorScheme: "dark" });
    await settle(page);
    await take(page, "page-dark");
    await page.emulateMedia({ colorScheme: "light" });
    await step(page, "Compare");
    await settle(page);
    await take(page, "page-compare");
    await publish(page, context);
  });
}

async function publish(page, context) {
  await step(page, "Publish");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText(/Saved to/).waitFor();
  await page.getByRole("button", { name: "Publish …" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Publish", exact: true }).click();
  await page.getByText(/Published to/).waitFor();
  await settle(page);
  await take(page, "page-publish", { fullPage: true });
  for (const which of ["Public", "Private"]) {
    const opened = context.waitForEvent("page");
    await page.getByRole("button", { name: `${which} report` }).click();
    const report = await opened;
    await report.waitForLoadState();
    await take(report, `report-${which.toLowerCase()}`);
    if (which === "Private") await takeOf(report, "If providers collude", "report-collude");
    await report.close();
  }
}

/** A made-up table of ten hospitals: what real work looks like. */
async function patients(options) {
  run(["synth", "hospital", "--rows", "5000", "--providers", "10", "--out", "patients.csv"], work);
  run(["init", "patients.csv", "--out", "patients.toml"], work);
  await within(options, ["patients.toml"], async (page) => {
    await answered(page, undefined, 60_000);
    await settle(page);
    await take(page, "page-patients");
    await step(page, "Compare");
    await page.getByRole("textbox", { name: "Values of k" }).fill("2, 3, 5, 8, 12, 20");
    await page.getByRole("group", { name: "Methods" }).getByRole("checkbox", { name: /^mondrian/ }).check();
    await page.getByRole("button", { name: "Compute 12 points" }).click();
    await page.getByText(/^\d+ points(, \d+ without a release)?\.$/).waitFor({ timeout: 120_000 });
    await page.getByRole("group", { name: /of them on the frontier$/ }).getByRole("button").nth(4).click();
    await page.getByText("As a table").click();
    await takeOf(page, "Risk against loss", "page-frontier");
  });
}

/** Many columns: some left to decide, more quasi-identifiers than are searched unconfirmed. */
async function wide() {
  const items = Array.from({ length: 14 }, (_, index) => `item_${index + 1}`);
  const rows = [["patient_id", "age", "sex", "zip", "disease", ...items].join(",")];
  for (let row = 0; row < 2000; row++) {
    const disease = ["Flu", "Cancer", "Gout", "Asthma"][(row * 7) % 4];
    const codes = items.map((_, item) => `c${(row * (item + 2) + (row >> 3)) % (item + 3)}`);
    rows.push([10_000 + row * 37, 20 + (row * 13) % 60, row % 2 ? "f" : "m", 12_300 + (row * 11) % 450, disease, ...codes].join(","));
  }
  await within({}, [], async (page) => {
    await page.getByLabel("Files", { exact: true }).setInputFiles([{ name: "patients.csv", mimeType: "text/csv", buffer: Buffer.from(rows.join("\n")) }]);
    await answered(page);
    await page.getByRole("searchbox", { name: "Find columns" }).fill("item");
    await page.getByRole("checkbox", { name: "Select item_1", exact: true }).click();
    await page.getByRole("checkbox", { name: "Select item_11", exact: true }).click({ modifiers: ["Shift"] });
    await page.getByRole("button", { name: "quasi-identifier", exact: true }).click();
    await answer(page).getByText("nothing is searched yet").waitFor();
    await settle(page);
    await take(page, "page-wide");
  });
}

async function phone() {
  await fresh();
  await within({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }, [join(ROOT, "examples/hospitals/policy.toml"), "--folder", work], async (page) => {
    await answered(page);
    await settle(page);
    await take(page, "page-phone");
  });
}

async function within(options, args, work_) {
  const program = await serve({ at: work, args });
  const { context, page } = await profile(browser, { colorScheme: "light", reducedMotion: "reduce", ...options });
  try {
    await page.goto(program.link);
    await work_(page, context);
  } finally {
    await context.close();
    await program.stop();
  }
}

/** Waits for short messages to go and for late views to come; takes the focus away. */
async function settle(page) {
  for (const button of await page.getByRole("button", { name: "Dismiss" }).all()) await button.click().catch(() => {});
  await page.evaluate(() => document.activeElement?.blur());
  await page.waitForTimeout(600);
}

async function take(page, name, options = {}) {
  await page.screenshot({ path: join(PICTURES, `${name}.png`), animations: "disabled", ...options });
}

/** A part of the page, in a window that is high enough for it, so that nothing lies over it. */
async function takeOf(page, title, name) {
  const size = page.viewportSize();
  await page.setViewportSize({ width: size.width, height: 2200 });
  await settle(page);
  const place = page.locator("section", { has: page.getByRole("heading", { name: title, exact: true }) });
  await place.screenshot({ path: join(PICTURES, `${name}.png`), animations: "disabled" });
  await page.setViewportSize(size);
}
