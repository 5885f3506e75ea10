// The whole way, as a steward goes it: from four tables to a published release and its reports, and again by the command
// line that the page hands out. Nothing may leave the machine meanwhile, and the browser may find nothing to forbid.

import assert from "node:assert/strict";
import { copyFile, readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { K, M, answer, answered, exposure, falling, figure, launch, number, policyText, press, profile, step, typeNumber } from "./browser.mjs";
import { HOSPITALS, folder, remove, serve, shell } from "./program.mjs";

let program, browser, context, page, complaints;
/** Answers without the headers that every answer has. */
const bare = [];

before(async () => {
  program = await serve();
  browser = await launch();
  ({ context, page, complaints } = await profile(browser));
  context.on("response", (response) => void response.allHeaders().then((headers) => guarded(headers) || bare.push(response.url())));
  await context.grantPermissions(["clipboard-write"], { origin: program.origin });
});

after(async () => {
  await browser?.close();
  await program?.close();
});

test("the link opens an empty page, and its token leaves the address bar", async () => {
  await page.goto(program.link);
  await page.getByRole("heading", { name: "Publish one anonymized table together" }).waitFor();
  assert.equal(page.url(), `${program.origin}/`);
  await page.getByText("Nothing leaves this machine.").waitFor();
});

test("four tables get a policy proposed", async () => {
  await page.getByLabel("Files", { exact: true }).setInputFiles(HOSPITALS);
  await page.getByRole("heading", { name: "Columns" }).waitFor();
  for (const column of ["name", "age", "zip", "disease"]) {
    await page.getByRole("img", { name: `Distribution of ${column}` }).waitFor();
  }
});

test("roles are set by the coloured buttons", async () => {
  await role("name", "insensitive").check();
  await page.getByText("published unchanged, it names people").waitFor();
  await role("name", "identifier").check();
  await role("age", "quasi-identifier").check();
  await role("zip", "quasi-identifier").check();
  await role("disease", "sensitive").check();
  await page.getByText("published unchanged, it names people").waitFor({ state: "detached" });
  await answered(page);
});

test("moving m from 0 to 1 takes the exposure to single providers to zero and raises the cost, and back again", async () => {
  await step(page, "Protection");
  await answered(page, () => typeNumber(page, K, 3));
  await press(page, M, "Home");
  const outsider = await numbers();
  assert.ok(outsider.one > 0, "one provider alone breaks a promise when only outsiders are kept out");
  assert.equal(outsider.zero, 0);
  await page.getByText("Withstands readers from outside only.").waitFor();

  await press(page, M, "ArrowRight");
  const insider = await numbers();
  assert.equal(insider.one, 0);
  assert.ok(insider.loss > outsider.loss, `${insider.loss} is more than ${outsider.loss}`);
  await answer(page).getByText(/Protected against outsiders and any 1 of 4 providers/).first().waitFor();
  assert.equal(await figure(page, "At risk from one insider"), "0 %");

  await press(page, M, "ArrowLeft");
  assert.deepEqual(await numbers(), outsider);
});

test("two candidates are pinned and compared", async () => {
  await answer(page).getByRole("button", { name: "Pin", exact: true }).click();
  await answer(page).getByRole("button", { name: "Pinned as A" }).waitFor();
  await press(page, M, "ArrowRight");
  await answer(page).getByRole("button", { name: "Pin", exact: true }).click();
  await step(page, "Compare");
  const table = page.getByRole("region", { name: "Candidates side by side" });
  await table.getByRole("columnheader", { name: "Candidate A" }).waitFor();
  const cells = async (name) => (await table.getByRole("row", { name }).getByRole("cell").allInnerTexts()).map((cell) => cell.replace(/\s+/g, " ").trim());
  assert.deepEqual(await cells(/^m, colluding/), ["0", "1"]);
  const [lossA, lossB] = await cells(/^Detail lost/);
  assert.match(lossA, /best/);
  assert.doesNotMatch(lossB, /best/);
  const [oneA, oneB] = await cells(/^At risk from one insider/);
  assert.match(oneB, /^0 %\s*★ best$/);
  assert.doesNotMatch(oneA, /best/);
});

test("the coalition explorer says what a provider alone would learn", async () => {
  await step(page, "Compare");
  const column = page.getByRole("region", { name: "Candidates side by side" });
  await answeredLater(() => column.getByRole("button", { name: "Use this one" }).first().click());
  await step(page, "Protection");
  await page.getByRole("tab", { name: "Who learns what" }).click();
  const explorer = page.getByRole("tabpanel", { name: "Who learns what" });
  await explorer.getByText(/^An outsider takes out nothing/).waitFor();
  const providers = explorer.getByRole("group", { name: "Providers in the coalition" });
  const headlines = [];
  for (const provider of ["p1", "p2", "p3", "p4"]) {
    await explorer.getByRole("button", { name: "nobody" }).click();
    const chip = providers.getByRole("button", { name: new RegExp(`^${provider} `) });
    await chip.click();
    assert.equal(await chip.getAttribute("aria-pressed"), "true");
    const headline = explorer.getByText(new RegExp(`^${provider} takes out [23] rows of its own`));
    await headline.waitFor();
    headlines.push(await headline.innerText());
  }
  assert.ok(headlines.some((one) => /a promise breaks/.test(one)), headlines.join("\n"));
});

test("an interval hierarchy is built with the keyboard", async () => {
  await step(page, "Columns");
  await page.getByRole("button", { name: /^Hierarchy of age/ }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("tab", { name: "Intervals" }).focus();
  if ((await dialog.getByRole("tab", { name: "Intervals" }).getAttribute("aria-selected")) !== "true") await page.keyboard.press("Home");
  await dialog.getByRole("textbox", { name: "Level 1: width" }).fill("5");
  await dialog.getByRole("textbox", { name: "Level 2: width" }).fill("7");
  await dialog.getByText("a multiple of the one before: 10, 15, 20").waitFor();
  await dialog.getByRole("textbox", { name: "Level 2: width" }).fill("10");
  await dialog.getByRole("textbox", { name: "Level 3: width" }).fill("20");
  await dialog.getByText("Every value has a place.").waitFor();
  await dialog.getByRole("cell", { name: "[20-24]" }).first().waitFor();
  await enter(dialog.getByRole("button", { name: "Use these intervals" }));
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Hierarchy of age: intervals 5, 10, 20" }).waitFor();
});

test("values of a category are grouped with the keyboard", async () => {
  await page.getByRole("button", { name: /^Hierarchy of zip/ }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("tab", { selected: true }).focus();
  await goToTab(dialog, "Groups");
  for (const [name, many] of [["south", 6], ["north", 4]]) {
    const loose = dialog.getByRole("listbox", { name: "Values that are not yet placed" });
    await loose.focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("Space");
    for (let more = 1; more < many; more++) await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Enter");
    const target = dialog.getByLabel(`Move ${many} selected values to`);
    await target.selectOption("a new group");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    // The new group waits for its name.
    await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label")?.startsWith("Name of the group group"));
    await page.keyboard.type(name);
    await dialog.getByRole("group", { name: `Level 1: ${name}` }).waitFor();
  }
  await dialog.getByText("✓ Every value has a place.").waitFor();
  await enter(dialog.getByRole("button", { name: "Use these groups" }));
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Hierarchy of zip: hierarchy: zip.hierarchy.csv" }).waitFor();
  await step(page, "Protection");
  await answered(page);
  const text = await policyText(page);
  assert.match(text, /intervals = \[5, 10, 20\]/);
  assert.match(text, /hierarchy = "zip\.hierarchy\.csv"/);
});

test("the preview shows rows before and after", async () => {
  await page.getByRole("tab", { name: "Rows before and after" }).click();
  const rows = page.getByRole("region", { name: "Rows before and after" });
  await rows.getByRole("row", { name: /^p1/ }).first().waitFor();
  assert.equal(await rows.getByRole("row").count(), 11);
});

test("the frontier over k with two methods", async () => {
  await step(page, "Compare");
  await page.getByRole("textbox", { name: "Values of k" }).fill("2, 3, 4");
  await page.getByRole("group", { name: "Methods" }).getByRole("checkbox", { name: /^mondrian/ }).check();
  await page.getByRole("button", { name: "Compute 6 points" }).click();
  const table = page.getByRole("region", { name: /^Table: All points/ });
  await table.getByRole("row", { name: /^4 mondrian/ }).waitFor();
  await page.getByText(/^6 points\.$/).waitFor();
  await table.getByText("● yes").first().waitFor();
  const first = page.getByRole("group", { name: /of them on the frontier$/ }).getByRole("button").first();
  await first.focus();
  await page.keyboard.press("ArrowRight");
  await page.getByRole("button", { name: "Use this setting" }).waitFor();
});

test("the policy is saved with its tables, and published", async () => {
  await step(page, "Protection");
  await press(page, M, "ArrowRight");
  await step(page, "Publish");
  await page.getByRole("textbox", { name: "Save it as" }).fill("ours.toml");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText(/Saved to/).waitFor();
  assert.deepEqual((await readdir(program.folder)).sort(), ["ours.toml", "p1.csv", "p2.csv", "p3.csv", "p4.csv", "zip.hierarchy.csv"]);
  await page.getByRole("button", { name: "Publish …" }).click();
  const dialog = page.getByRole("dialog", { name: "Publish release?" });
  await dialog.getByText("never to be handed out:").waitFor();
  await dialog.getByRole("button", { name: "Publish", exact: true }).click();
  const release = page.getByRole("region", { name: "Release release" });
  await release.getByText(/Published to/).waitFor();
  await release.getByRole("group", { name: "Summary" }).getByText(/any 1 of 4 providers/).waitFor();
});

test("both reports open and say what is protected", async () => {
  for (const [which, title] of [["Public", "Report on a release"], ["Private", "Private report on a release"]]) {
    const opened = context.waitForEvent("page");
    await page.getByRole("button", { name: `${which} report` }).click();
    const report = await opened;
    await report.waitForLoadState();
    assert.match(new URL(report.url()).pathname, /^\/report\//);
    await report.getByRole("heading", { name: title, exact: true }).waitFor();
    await report.getByText("Protected against outsiders and any single provider").waitFor();
    assert.equal(await report.getByRole("heading", { name: "If providers collude" }).count(), which === "Private" ? 1 : 0);
    assert.doesNotMatch(await report.locator("body").innerText(), which === "Private" ? /Alice/ : /Alice|12367|p1/);
    await report.close();
  }
});

test("the exported command line makes the same release, byte for byte", async () => {
  const command = await page.getByRole("group", { name: "Command line" }).first().innerText();
  assert.equal(command, "mingle publish ours.toml --out release");
  const again = await folder();
  for (const name of await readdir(program.folder)) if (name !== "release") await copyFile(join(program.folder, name), join(again, name));
  const done = shell(command, again);
  assert.equal(done.status, 0, done.stderr);
  const [one, other] = await Promise.all([program.folder, again].map((at) => readFile(join(at, "release/public/data.csv"))));
  assert.ok(one.length > 100 && one.equals(other), "the same bytes");
  const said = JSON.parse(shell(`${command}-2 --dry-run --json`, again).stdout);
  await step(page, "Protection");
  assert.equal(await figure(page, "Detail lost"), `${(100 * said.utility.ncp.overall).toFixed(said.utility.ncp.overall === 1 ? 0 : 1)} %`);
  await remove(again);
});

test("a reload keeps what was set", async () => {
  await step(page, "Protection");
  const text = await policyText(page);
  await page.reload();
  await answered(page);
  assert.equal(await policyText(page), text);
});

test("nothing left the machine, there was nothing to forbid, and every answer was guarded", () => {
  assert.deepEqual(complaints, []);
  assert.deepEqual(bare, []);
});

function role(column, name) {
  return page.getByRole("group", { name: `Role of ${column}` }).getByRole("radio", { name: new RegExp(`^${name}`) });
}

async function numbers() {
  const shown = { loss: number(await figure(page, "Detail lost")), error: await figure(page, "Query error") };
  return { ...shown, zero: await falling(page, 0), one: await falling(page, 1), all: await exposure(page) };
}

/** The answer of a view that has no panel is waited for in the next view that has one. */
async function answeredLater(act) {
  await act();
  await page.getByText("The policy is set to this candidate").waitFor();
}

/** Presses Enter on a button, once it can be pressed. */
async function enter(button) {
  await button.click({ trial: true });
  await button.focus();
  await page.keyboard.press("Enter");
}

async function goToTab(dialog, name) {
  for (let tries = 0; tries < 6; tries++) {
    if ((await dialog.getByRole("tab", { name }).getAttribute("aria-selected")) === "true") return;
    await page.keyboard.press("ArrowRight");
  }
  assert.fail(`arrow keys lead to ${name}`);
}

function guarded(headers) {
  const policy = headers["content-security-policy"] ?? "";
  return (
    policy.includes("default-src 'none'") &&
    policy.includes("frame-ancestors 'none'") &&
    // Styles of a report are inside of it, as it is one file; scripts never are.
    !/script-src[^;]*unsafe|connect-src[^;]*\*|default-src[^;]*unsafe/.test(policy) &&
    headers["x-content-type-options"] === "nosniff" &&
    headers["referrer-policy"] === "no-referrer" &&
    headers["cache-control"] === "no-store" &&
    headers["cross-origin-resource-policy"] === "same-origin" &&
    headers["access-control-allow-origin"] === undefined
  );
}
