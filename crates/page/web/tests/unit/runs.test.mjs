// Runs that outlive the view, and what a tab knows of a policy's file, against a program that answers when told.
import assert from "node:assert/strict";
import { test } from "node:test";

const store = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };
Object.assign(globalThis, { localStorage: store, sessionStorage: store, window: globalThis, scrollTo: () => undefined });
let request = null;
globalThis.fetch = (path, { body, signal }) =>
  new Promise((resolve, reject) => {
    signal?.addEventListener("abort", () => reject(new DOMException("stopped", "AbortError")));
    request = { path, body: JSON.parse(body), resolve, reject };
  });

const frontier = await import("../../src/frontier/run.ts");
const release = await import("../../src/publish/run.ts");
const { save, saving } = await import("../../src/publish/form.ts");
const { go } = await import("../../src/shell/step.ts");
const { baseOf, holds } = await import("../../src/state.ts");
const { tablesChanged } = await import("../../src/state/tables.ts");

const settled = (milliseconds = 5) => new Promise((done) => setTimeout(done, milliseconds));
const lines = (...events) => request.resolve(new Response(events.map((event) => `${JSON.stringify(event)}\n`).join("")));
const question = { text: "t", vary: "k", values: [2, 3], methods: ["mondrian"] };
const point = (value) => ({ event: "point", point: { value, method: "mondrian" }, done: value - 1, of: 2 });

test("a frontier goes on while another step is looked at, and keeps its points", async () => {
  void frontier.begin(question);
  go("data");
  await settled();
  lines(point(2), point(3));
  await settled();
  assert.equal(frontier.run.value.state, "finished");
  assert.equal(frontier.run.value.points.length, 2);
  assert.deepEqual(Object.keys(request.body).sort(), ["confirmed", "methods", "tab", "text", "values", "vary"]);
});

test("a stopped frontier keeps what it has, and a new one forgets the old", async () => {
  void frontier.begin(question);
  assert.equal(frontier.run.value.points.length, 0);
  frontier.stop();
  await settled();
  assert.equal(frontier.run.value.state, "stopped");
  assert.equal(frontier.run.value.problem, null);
  const { version } = frontier.run.value;
  tablesChanged();
  void frontier.begin(question);
  assert.notEqual(frontier.run.value.version, version);
});

test("a publication goes on while another step is looked at, one at a time", async () => {
  void release.publish({ text: "t", name: "r", force: false });
  const first = request;
  void release.publish({ text: "other", name: "r", force: true });
  assert.equal(request, first, "the second is not sent");
  go("protection");
  await settled();
  lines({ event: "progress", step: "writing", elapsed: 1 }, { event: "published", folder: "f/r", name: "r", summary: "", command: null, warnings: [] });
  await settled();
  assert.equal(release.run.value.state, "published");
  assert.equal(release.run.value.release.command, null);
});

test("a publication that ends without a word, is refused or is stopped has failed", async () => {
  const problem = { code: "MG0401", text: "there", hint: "", excerpt: null, line: null, column: null };
  for (const end of [() => lines(), () => lines({ event: "problem", problem }), () => release.stop(), () => request.reject(new TypeError("gone"))]) {
    void release.publish({ text: "t", name: "r", force: false });
    await settled();
    end();
    await settled();
    assert.equal(release.run.value.state, "failed");
  }
});

test("saving says what this tab saw in the file, and learns only from what was written", async () => {
  holds("policy.toml", "as read");
  const saved = async (name, status) => {
    const done = save("new", name, false);
    const { base } = request.body;
    request.resolve(new Response(JSON.stringify(status === 200 ? { path: name, copied: [], command: "" } : { code: "MG0804", text: "" }), { status }));
    await done;
    return base;
  };
  assert.equal(await saved("policy.toml", 409), "as read");
  assert.equal(saving.value.state, "refused");
  assert.equal(baseOf("policy.toml"), "as read");
  assert.equal(await saved("policy.toml", 200), "as read");
  assert.equal(baseOf("policy.toml"), "new");
  assert.equal(await saved("other.toml", 200), null);
  for (const name of ["unknown.toml", "constructor", "__proto__"]) assert.equal(baseOf(name), null);
});
