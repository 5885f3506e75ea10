// Every view, light and dark, wide and narrow: no serious finding of axe, no sideways scrolling, everything within reach
// of the Tab key, and nothing that jumps while a slider moves.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { K, M, answer, answered, launch, profile, slider, step } from "./browser.mjs";
import { ROOT, folder, remove, run, serve } from "./program.mjs";

const EXAMPLE = join(ROOT, "examples/hospitals/policy.toml");
const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** What is there is the same in the dark; only colours differ. */
const RULES = { light: {}, dark: { runOnly: ["color-contrast"] } };
const SIZES = { wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 844 } };

/** The views: how to get there from the one before. */
const VIEWS = [
  ["data", (page) => step(page, "Data")],
  ["columns", (page) => step(page, "Columns")],
  ["hierarchy by mask", (page) => page.getByRole("button", { name: /^Hierarchy of zip/ }).click().then(() => page.getByText("Every value has a place.").waitFor())],
  ["hierarchy by bands", (page) => page.getByRole("tab", { name: "Bands" }).click()],
  ["hierarchy by prefix", (page) => page.getByRole("tab", { name: "Prefix" }).click().then(() => page.getByText("Every value has a place.").waitFor())],
  ["hierarchy by a pasted table", (page) => page.getByRole("tab", { name: "Pasted table" }).click()],
  ["hierarchy by groups", (page) => page.getByRole("tab", { name: "Groups" }).click().then(() => page.getByRole("listbox").first().waitFor())],
  ["order of values", (page) => page.getByRole("tab", { name: "Order" }).click()],
  ["protection", async (page) => {
    await page.keyboard.press("Escape");
    await step(page, "Protection");
    await page.getByRole("region", { name: "Rows before and after" }).waitFor();
    for (const summary of await answer(page).locator("summary").all()) await summary.click();
  }],
  ["coalitions", async (page) => {
    await page.getByRole("tab", { name: "Who learns what" }).click();
    await page.getByRole("group", { name: "Providers in the coalition" }).getByRole("button").first().click();
    await page.getByText(/^P1 takes out/).waitFor();
  }],
  ["other releases", (page) => page.getByRole("tab", { name: "Beside other releases" }).click()],
  ["policy as text", (page) => page.getByRole("tab", { name: "Policy as text" }).click()],
  ["compare", async (page) => {
    await answer(page).getByRole("button", { name: "Pin", exact: true }).click();
    await step(page, "Compare");
    await page.getByRole("button", { name: /^Compute/ }).click();
    await page.getByText(/^\d+ points?(, \d+ without a release)?\.$/).waitFor();
  }],
  ["publish", async (page) => {
    await step(page, "Publish");
    await page.getByRole("textbox", { name: "Name of the release" }).fill(`release-${counter++}`);
    await page.getByRole("button", { name: "Publish …" }).click();
    await page.getByRole("dialog").waitFor();
  }],
  ["published", async (page) => {
    await page.getByRole("dialog").getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByText(/Published to/).waitFor();
  }],
];

let program, browser, work, counter = 1;

before(async () => {
  work = await folder();
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await remove(work);
});

/** A fresh program and tab. */
async function opened(t, options = {}, args = [EXAMPLE, "--folder", work]) {
  program = await serve({ at: work, args });
  const { context, page } = await profile(browser, { reducedMotion: "reduce", ...options });
  const ends = program;
  t.after(async () => {
    await context.close();
    await ends.stop();
  });
  await page.goto(program.link);
  return page;
}

for (const colorScheme of ["light", "dark"]) {
  for (const [size, viewport] of Object.entries(SIZES)) {
    test(`axe finds nothing serious, and nothing scrolls sideways: ${colorScheme}, ${size}`, async (t) => {
      const page = await opened(t, { colorScheme, viewport });
      await answered(page);
      const found = [];
      for (const [name, go] of VIEWS) {
        await go(page);
        found.push(...(await serious(page, name, RULES[colorScheme])), ...(await sideways(page, name)));
      }
      assert.deepEqual(found, []);
    });
  }
}

test("the empty, the locked and the stopped page are accessible as well", async (t) => {
  const page = await opened(t, {}, ["--folder", work]);
  await page.getByRole("heading", { name: "Publish one anonymized table together" }).waitFor();
  const found = await serious(page, "empty");
  const { context, page: locked } = await profile(browser);
  await locked.goto(program.origin);
  await locked.getByRole("heading", { name: /needs the link/ }).waitFor();
  found.push(...(await serious(locked, "locked")));
  await context.close();
  await page.getByRole("button", { name: "Try the hospitals example" }).click();
  await answered(page);
  await program.stop();
  await slider(page, M).focus();
  await page.keyboard.press("Home");
  await page.getByText("The program has stopped.").waitFor();
  found.push(...(await serious(page, "stopped")));
  assert.deepEqual(found, []);
});

test("both reports are accessible, fit a phone, and ask nobody for anything", async (t) => {
  run(["publish", EXAMPLE, "--out", "reported"], work);
  const found = [];
  for (const colorScheme of ["light", "dark"]) {
    for (const viewport of Object.values(SIZES)) {
      const { context, page } = await profile(browser, { colorScheme, viewport });
      t.after(() => context.close());
      context.on("request", (request) => request.url().startsWith("file:") || request.url().startsWith("data:") || found.push(`asks for ${request.url()}`));
      for (const part of ["public", "private"]) {
        await page.goto(`file://${join(work, "reported", part, "report.html")}`);
        const name = `${part} report, ${colorScheme}, ${viewport.width}`;
        found.push(...(await serious(page, name, RULES[colorScheme])), ...(await sideways(page, name)));
      }
    }
  }
  assert.deepEqual(found, []);
});

for (const width of [390, 360]) {
  test(`all five steps are in sight on a phone, ${width} wide`, async (t) => {
    const page = await opened(t, { viewport: { width, height: 700 }, isMobile: true, hasTouch: true });
    await answered(page);
    const steps = page.getByRole("navigation", { name: "Steps" }).getByRole("button");
    assert.equal(await steps.count(), 5);
    for (const one of await steps.all()) {
      const { x, width: wide, height } = await one.boundingBox();
      assert.ok(x >= 0 && x + wide <= width && height >= 24, `${await one.innerText()}: ${x} to ${x + wide}`);
    }
    await steps.last().tap();
    await page.getByRole("button", { name: "Publish …" }).waitFor();
  });
}

test("everything is within reach of the Tab key", async (t) => {
  const page = await opened(t);
  await answered(page);
  for (const [name, go] of VIEWS) {
    if (name === "publish" || name === "published") continue;
    await go(page);
    assert.deepEqual(await beyondTab(page), [], name);
  }
  await step(page, "Publish");
  assert.deepEqual(await beyondTab(page), [], "publish");
});

test("nothing jumps while sliders move", async (t) => {
  const page = await opened(t);
  await answered(page);
  await page.getByRole("region", { name: "Rows before and after" }).waitFor();
  await page.evaluate(() => {
    window.shifts = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.shifts.push({ value: entry.value, where: entry.sources.map((source) => source.node?.className ?? source.node?.nodeName) });
    }).observe({ type: "layout-shift" });
  });
  for (const [name, keys] of [[M, ["Home", "ArrowRight", "ArrowRight", "ArrowLeft"]], [K, ["ArrowLeft", "ArrowRight", "ArrowRight", "ArrowRight"]]]) {
    await slider(page, name).focus();
    for (const key of keys) await answered(page, () => page.keyboard.press(key));
  }
  const shifts = await page.evaluate(() => new Promise((done) => setTimeout(() => done(window.shifts), 300)));
  const sum = shifts.reduce((total, shift) => total + shift.value, 0);
  assert.ok(sum < 0.05, `${sum}: ${JSON.stringify(shifts)}`);
});

/** Serious and critical findings, one line each. */
async function serious(page, view, rules = {}) {
  await page.evaluate(AXE);
  // A colour on its way to another is neither.
  await page.evaluate(() => Promise.race([Promise.allSettled(document.getAnimations().map((one) => one.finished)), new Promise((done) => setTimeout(done, 1000))]));
  const { violations } = await page.evaluate((only) => window.axe.run(document, { resultTypes: ["violations"], ...only }), rules);
  const grave = violations.filter((one) => one.impact === "serious" || one.impact === "critical");
  return grave.flatMap((one) => one.nodes.slice(0, 3).map((node) => `${view}: ${one.id}: ${node.html.slice(0, 160)} ${node.failureSummary.split("\n")[1] ?? ""}`));
}

async function sideways(page, view) {
  const { scroll, width } = await page.evaluate(() => ({ scroll: document.documentElement.scrollWidth, width: innerWidth }));
  // Tabs that scroll are cut off by their own scroll bars, which a browser without a window does not draw.
  const tabs = await page.evaluate(() => [...document.querySelectorAll("[role=tablist]")].filter((one) => one.scrollWidth > one.clientWidth || (getComputedStyle(one).overflowY !== "visible" && one.scrollHeight > one.clientHeight)).map((one) => one.getAttribute("aria-label")));
  return [...(scroll > width ? [`${view}: ${scroll} wide in ${width}`] : []), ...tabs.map((name) => `${view}: tabs "${name}" scroll`)];
}

/** What can be operated and is not reached by pressing Tab. Of a group of radios and of tabs one is enough. */
async function beyondTab(page) {
  const total = await page.evaluate(() => {
    const operable = "a[href], button, input, select, textarea, summary, [tabindex='0'], [role=button], [role=tab]";
    // While a dialog is open the rest of the page is out of reach, as it should be.
    const root = document.querySelector("dialog[open]") ?? document;
    const shown = [...root.querySelectorAll(operable)].filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.matches(":disabled"));
    const chosen = (name) => document.querySelector(`input[name="${name}"]:checked`) ?? document.querySelector(`input[name="${name}"]`);
    const stops = shown.filter((one) => one.tabIndex >= 0 && (one.type !== "radio" || one === chosen(one.name)));
    window.missing = new Set(stops);
    document.activeElement?.blur();
    return stops.length;
  });
  for (let pressed = 0; pressed < total + 5; pressed++) {
    await page.keyboard.press("Tab");
    const left = await page.evaluate(() => (window.missing.delete(document.activeElement), window.missing.size));
    if (left === 0) break;
  }
  return page.evaluate(() => [...window.missing].map((one) => one.outerHTML.slice(0, 120)));
}
