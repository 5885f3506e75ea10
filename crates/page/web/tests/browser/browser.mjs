// A browser, and what a user does and sees on the page: things are found by role, label and text.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "playwright-core";

const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Starts the browser; pictures show scroll bars as a user sees them. */
export async function launch({ scrollbars = false } = {}) {
  const hidden = scrollbars ? { ignoreDefaultArgs: ["--hide-scrollbars"] } : {};
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ARGUMENTS, ...hidden });
}

/** A new browser profile with one tab, which writes down everything that should not happen. */
export async function profile(browser, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(15_000);
  const complaints = watch(context);
  if (process.env.MINGLE_DIST) await replaceAssets(context, process.env.MINGLE_DIST);
  const page = await context.newPage();
  return { context, page, complaints };
}

/** Shows a page that was built later than the program: its files are taken from a folder, the headers stay. */
async function replaceAssets(context, dist) {
  for (const [path, file] of [["/", "index.html"], ["/page.js", "page.js"], ["/page.css", "page.css"]]) {
    const shown = async (route) => route.fulfill({ response: await route.fetch(), body: await readFile(join(dist, file)) });
    await context.route((url) => url.pathname === path, shown);
  }
}

/** Everything the browser complains about, and every request that leaves the machine. */
function watch(context) {
  const complaints = [];
  context.on("request", (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol !== "data:" && protocol !== "blob:" && hostname !== "127.0.0.1") complaints.push(`request to ${hostname}`);
  });
  context.on("console", (message) => {
    if (message.type() === "error" || /content security policy/i.test(message.text())) complaints.push(message.text());
  });
  context.on("weberror", (error) => complaints.push(String(error.error())));
  void context.exposeBinding("mingleComplain", (_, text) => complaints.push(text));
  void context.addInitScript(() => {
    addEventListener("securitypolicyviolation", (event) => window.mingleComplain(`${event.violatedDirective} ${event.blockedURI}`));
  });
  return complaints;
}

/** Goes to a step of the work. */
export async function step(page, name) {
  await page.getByRole("navigation", { name: "Steps" }).getByRole("button", { name }).click();
}

/** The panel with the answer. */
export function answer(page) {
  return page.getByRole("complementary", { name: "Answer" });
}

/** Does something and waits until its final answer, of another candidate than before, is on the screen. */
export async function answered(page, act, timeout = 15_000) {
  const before = act === undefined ? "" : await answer(page).getAttribute("data-candidate");
  await act?.();
  await page.waitForFunction(
    (old) => {
      const panel = document.querySelector('[aria-label="Answer"]');
      return panel?.getAttribute("data-state") === "final" && panel.getAttribute("data-candidate") !== old;
    },
    before,
    { timeout },
  );
}

/** A number of the answer, as it is written, by its name. */
export async function figure(page, name) {
  const term = answer(page).locator("dl.figures dt").filter({ hasText: new RegExp(`^${name}$`) });
  return (await term.locator("xpath=following-sibling::dd[1]/span[1]").innerText()).trim();
}

/** A number as it is written, as a number. */
export function number(text) {
  const value = Number(text.replace(/[<>%,\s]/g, ""));
  assert.ok(Number.isFinite(value), `${text} is a number`);
  return value;
}

/** The table beside the exposure chart: by size of the coalition, the cells of the row. */
export async function exposure(page) {
  const more = answer(page).locator("details", { hasText: "The same as a table" }).first();
  if ((await more.getAttribute("open")) === null) await more.locator("summary").click();
  const rows = await more.getByRole("row").allInnerTexts();
  return rows.slice(1).map((row) => row.split("\t").map((cell) => cell.trim()));
}

/** The people who fall to a coalition of a size. */
export async function falling(page, size) {
  return number((await exposure(page))[size][1]);
}

/** A slider. */
export function slider(page, name) {
  return page.getByRole("slider", { name });
}

/** Presses a key on a slider and waits for the answer. */
export async function press(page, name, key) {
  await slider(page, name).focus();
  await answered(page, () => page.keyboard.press(key));
}

/** Types a number into the field beside a slider. */
export async function typeNumber(page, name, value) {
  await page.getByRole("textbox", { name: `${name}, as a number` }).fill(String(value));
}

/** The policy's text, read where it is shown. */
export async function policyText(page) {
  await page.getByRole("tab", { name: "Policy as text" }).click();
  return page.getByRole("textbox", { name: "Policy as text" }).inputValue();
}

/** Names of the sliders. */
export const M = "Colluding providers, m";
export const K = "People in each group, k";
export const L = "Different values in each group, l";
