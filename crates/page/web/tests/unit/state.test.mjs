// The policy's text as the state, against a program that answers when the test says so.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

const store = () => {
  const kept = new Map();
  return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value), removeItem: (key) => kept.delete(key) };
};
globalThis.localStorage = store();
globalThis.sessionStorage = store();
globalThis.window = globalThis;

/** Requests that wait for their answer. */
let open = [];
globalThis.fetch = (path, { body, signal }) =>
  new Promise((resolve, reject) => {
    signal?.addEventListener("abort", () => reject(new DOMException("stopped", "AbortError")));
    open.push({ path, body: JSON.parse(body), aborted: () => signal?.aborted ?? false, resolve, reject });
  });

const { answer, canUndo, current, edit, failure, freshness, problem, redo, replace, text, undo, view, wish } = await import("../../src/state.ts");
const { baseline, canPin, isOfEarlierTables, pin, pinned, pins, planAgain, planGone, previous, reference, unpin } = await import("../../src/state.ts");
const { confirmRoles, mostUnconfirmed } = await import("../../src/state.ts");
const { resend } = await import("../../src/state/policy.ts");
const { tablesChanged } = await import("../../src/state/tables.ts");
const { startPlanning } = await import("../../src/state/plan.ts");
const { connection } = await import("../../src/api.ts");
startPlanning();

const settled = (milliseconds = 0) => new Promise((done) => setTimeout(done, milliseconds));
const take = (path) => open.splice(open.findIndex((one) => one.path === path), 1)[0];
const waiting = (path) => open.filter((one) => one.path === path);

async function json(request, value, status = 200) {
  request.resolve(new Response(JSON.stringify(value), { status }));
  await settled(5);
}

/** Answers edits the way the program does: the text is the list of its keys. */
async function policy(wrong = null) {
  const request = take("/api/policy");
  const now = request.body.text;
  const edited = request.body.edits.reduce((before, { path, value }) => `${before.replace(new RegExp(`${path.join(".")}=[^;]*;`), "")}${path.join(".")}=${JSON.stringify(value)};`, now);
  await json(request, { text: edited, view: wrong === null ? { named: edited } : null, problem: wrong });
  return request.body;
}

async function lines(request, ...events) {
  request.resolve(new Response(events.map((event) => `${JSON.stringify(event)}\n\n`).join("")));
  await settled(10);
}

const candidate = (id, stage = "final", method = "agglomerative") => ({ event: "answer", candidate: { id, stage, method } });
const mistake = { code: "MG0103", text: "no", hint: "", excerpt: null, line: 1, column: 1 };

/** A text of its own for each test, readable and answered. */
let number = 0;
beforeEach(async () => {
  open = [];
  void replace(`start${(number += 1)};`);
  await policy();
  await settled(50);
  await lines(take("/api/plan"), candidate(`first${number}`));
  open = [];
});

test("edits that wait are sent together, the last of each key only", async () => {
  const set = (key, value) => edit({ path: ["privacy", key], value });
  set("k", 2);
  set("k", 3);
  set("k", 4);
  set("m", 1);
  assert.equal(waiting("/api/policy").length, 1);
  assert.equal(wish("privacy", "k"), 4, "the control shows the hand's value at once");
  assert.deepEqual((await policy()).edits.map((one) => one.value), [2]);
  assert.equal(wish("privacy", "k"), 4, "and keeps it while it is not yet in the text");
  const second = await policy();
  assert.deepEqual(second.edits, [{ path: ["privacy", "k"], value: 4 }, { path: ["privacy", "m"], value: 1 }]);
  assert.match(second.text, /privacy.k=2;/, "on top of the text that the first one made");
  assert.match(text.value, /privacy.k=4;privacy.m=1;$/);
  assert.equal(wish("privacy", "k"), undefined);
});

test("an answer about an older text is not taken", async () => {
  edit({ path: ["privacy", "k"], value: 9 });
  const late = take("/api/policy");
  void replace("typed");
  await policy();
  await json(late, { text: "late", view: { named: "late" }, problem: null });
  assert.equal(text.value, "typed");
  assert.equal(view.value.named, "typed");
  assert.equal(wish("privacy", "k"), undefined);
});

test("undo and redo go over texts; one slide is one step", async () => {
  const before = text.value;
  for (const value of [2, 3, 4]) {
    edit({ path: ["privacy", "k"], value });
    await policy();
  }
  const after = text.value;
  undo();
  await policy();
  assert.equal(text.value, before);
  redo();
  await policy();
  assert.equal(text.value, after);
  assert.ok(canUndo.value);
});

test("a new text stops the run of the old one, whose numbers are never current", async () => {
  assert.equal(freshness.value, "final");
  edit({ path: ["privacy", "m"], value: 0 });
  await policy();
  assert.equal(freshness.value, "updating");
  assert.equal(current.value, null);
  await settled(50);
  const old = take("/api/plan");
  edit({ path: ["privacy", "m"], value: 1 });
  await policy();
  assert.ok(old.aborted());
  await settled(50);
  const fresh = take("/api/plan");
  assert.equal(fresh.body.text, text.value);
  await lines(fresh, candidate("quick", "quick"), { event: "progress", step: "anonymizing", method: "x", done: 0.5, elapsed: 1 }, candidate("real"));
  assert.equal(current.value.id, "real");
  assert.equal(freshness.value, "final");
});

test("an event of a stopped run is not taken, even if it was already on its way", async () => {
  edit({ path: ["privacy", "m"], value: 5 });
  await policy();
  await settled(50);
  const old = take("/api/plan");
  let push;
  old.resolve(new Response(new ReadableStream({ start: (controller) => (push = (event) => controller.enqueue(new TextEncoder().encode(`${JSON.stringify(event)}\n`))) })));
  await settled(5);
  push(candidate("half", "quick"));
  await settled(5);
  assert.equal(freshness.value, "quick");
  edit({ path: ["privacy", "m"], value: 6 });
  await policy();
  push(candidate("too-late"));
  await settled(5);
  assert.equal(answer.value.candidate.id, "half");
  assert.equal(freshness.value, "updating");
});

test("a text that cannot be read is kept, has no numbers and is not planned", async () => {
  void replace("what is this");
  await policy(mistake);
  await settled(60);
  assert.equal(text.value, "what is this");
  assert.equal(problem.value.code, "MG0103");
  assert.equal(freshness.value, "problem");
  assert.equal(waiting("/api/plan").length, 0);
  assert.equal(current.value, null);
  undo();
  await policy();
  assert.equal(problem.value, null);
});

test("a policy without a candidate says why, until the text changes", async () => {
  edit({ path: ["privacy", "k"], value: 99 });
  await policy();
  await settled(50);
  await lines(take("/api/plan"), { event: "problem", problem: mistake });
  assert.equal(freshness.value, "problem");
  assert.equal(failure.value.problem.code, "MG0103");
  edit({ path: ["privacy", "k"], value: 3 });
  await policy();
  assert.equal(freshness.value, "updating");
});

test("a program that is gone loses neither text nor edits", async () => {
  const before = text.value;
  edit({ path: ["privacy", "k"], value: 7 }, { path: ["privacy", "m"], value: 2 });
  take("/api/policy").reject(new TypeError("connection refused"));
  await settled(5);
  assert.equal(text.value, before);
  assert.equal(connection.value, "gone");
  assert.equal(wish("privacy", "k"), 7, "the control keeps what the hand set");
  assert.equal(waiting("/api/policy").length, 0, "nothing is sent again by itself");
  edit({ path: ["privacy", "k"], value: 8 });
  await policy();
  assert.match(text.value, /privacy.m=2;privacy.k=8;$/);
  assert.equal(connection.value, "open");
});

test("edits wait for the program to come back", async () => {
  edit({ path: ["privacy", "k"], value: 6 });
  take("/api/policy").reject(new TypeError("connection refused"));
  await settled(5);
  resend();
  await policy();
  assert.match(text.value, /privacy.k=6;$/);
  assert.equal(wish("privacy", "k"), undefined);
});

test("what is refused is not asked for again", async () => {
  const before = text.value;
  edit({ path: ["privacy", "k"], value: -1 });
  await json(take("/api/policy"), mistake, 400);
  assert.equal(text.value, before);
  assert.equal(wish("privacy", "k"), undefined, "the control goes back to what the text says");
  assert.equal(waiting("/api/policy").length, 0);
});

test("a pin is recognized by its candidate, not by the text, and one of earlier tables is not measured against", async () => {
  assert.equal(pin(), "A");
  assert.equal(pinned.value.letter, "A");
  assert.ok(!canPin.value);
  planAgain();
  assert.equal(pinned.value, null, "nothing is at hand while the tables are read again");
  await settled(50);
  await lines(take("/api/plan"), candidate("of-new-tables"));
  assert.equal(pinned.value, null);
  assert.ok(canPin.value && isOfEarlierTables(pins.value[0]));
  assert.equal(previous.value, null, "changes are not measured against other tables");
  unpin("A");
});

test("tables that changed on the disk show by another candidate of the same text", async () => {
  const before = text.value;
  pin();
  for (const value of [5, null]) {
    if (value === null) undo();
    else edit({ path: ["privacy", "k"], value });
    await policy();
    await settled(50);
    await lines(take("/api/plan"), candidate(value === null ? "changed" : "between"));
  }
  assert.equal(text.value, before);
  assert.ok(isOfEarlierTables(pins.value[0]));
  assert.equal(current.value.id, "changed");
  assert.equal(reference.value, null);
  unpin("A");
});

test("an answer of earlier tables is not current, even under the same text", async () => {
  tablesChanged();
  assert.equal(freshness.value, "updating");
  assert.equal(current.value, null);
  assert.ok(!canPin.value);
});

test("a candidate that the program let go is asked for again, but not beside a run", async () => {
  planGone();
  assert.equal(waiting("/api/plan").length, 1);
  planGone();
  assert.equal(waiting("/api/plan").length, 1);
  const before = answer.value.candidate;
  await lines(take("/api/plan"), candidate(before.id));
  assert.equal(current.value.id, before.id);
  assert.notEqual(current.value, before, "another object, so that questions about it are asked anew");
});

/** Moves k and answers, event after event; the answers' references are told in order. */
async function slide(k, ...events) {
  edit({ path: ["privacy", "k"], value: k });
  await policy();
  await settled(50);
  let push;
  take("/api/plan").resolve(new Response(new ReadableStream({ start: (controller) => (push = (event) => controller.enqueue(new TextEncoder().encode(`${JSON.stringify(event)}\n`))) })));
  const references = [];
  for (const event of events) {
    push(event);
    await settled(5);
    assert.equal(answer.value.candidate.id, event.candidate.id);
    references.push(reference.value?.id ?? null);
  }
  return references;
}

test("a quick look is measured against a quick look, a final answer against a final one", async () => {
  assert.deepEqual(await slide(2, candidate("look-2", "quick"), candidate("done-2")), [null, `first${number}`], "no look was had at the start");
  assert.deepEqual(await slide(3, candidate("look-3", "quick"), candidate("done-3")), ["look-2", "done-2"]);
  assert.deepEqual(await slide(4, candidate("look-4", "quick")), ["look-3"]);
  assert.deepEqual(await slide(5, candidate("look-5", "quick"), candidate("done-5")), ["look-3", "done-3"], "a setting that was passed by is not the answer before");
  assert.deepEqual(await slide(2, candidate("done-2")), ["done-5"], "from memory, without a look");
  assert.deepEqual(await slide(6, candidate("look-6", "quick"), candidate("done-6")), ["look-2", "done-2"], "the look that it had is remembered");
});

test("looks of different methods are not measured against each other, nor a stand-in's at all", async () => {
  const slow = (id) => candidate(id, "final", "microaggregation");
  const standIn = (id) => candidate(id, "quick", "mondrian");
  await slide(2, candidate("look-a", "quick"), candidate("done-a"));
  assert.deepEqual(await slide(3, standIn("look-b"), slow("done-b")), [null, "done-a"]);
  assert.deepEqual(await slide(4, standIn("look-c"), slow("done-c")), [null, "done-b"]);
  assert.deepEqual(await slide(5, candidate("look-d", "quick"), candidate("done-d")), [null, "done-c"]);
});

test("a pin keeps its look to measure against", async () => {
  await slide(2, candidate("look-p", "quick"), candidate("done-p"));
  assert.equal(pin(), "A");
  baseline.value = "A";
  await slide(3, candidate("look-q", "quick"), candidate("done-q"));
  assert.deepEqual(await slide(4, candidate("look-r", "quick"), candidate("done-r")), ["look-p", "done-p"]);
  unpin("A");
});

/** Answers edits with a policy of so many quasi-identifiers. */
async function withColumns(names, text) {
  const request = take("/api/policy");
  const columns = names.map((name) => ({ name, role: "quasi-identifier" }));
  await json(request, { text, view: { columns: [...columns, { name: "disease", role: "sensitive" }] }, problem: null });
  await settled(50);
}

test("more quasi-identifiers than the program allows wait for somebody, and fewer or the same again do not", async () => {
  mostUnconfirmed.value = 3;
  const roles = async (...names) => {
    const now = `${names.join()}${number};`;
    void replace(now);
    await withColumns(names, now);
  };
  await roles("a", "b", "c");
  assert.equal(take("/api/plan").body.confirmed, false, "up to the limit nobody is asked");
  await roles("a", "b", "c", "d");
  assert.deepEqual(waiting("/api/plan"), []);
  assert.equal(freshness.value, "unconfirmed");
  assert.equal(current.value, null, "and no number of an older policy stands there");
  planAgain();
  planGone();
  await settled(50);
  assert.deepEqual(waiting("/api/plan"), [], "nothing else begins it either");
  confirmRoles();
  const asked = take("/api/plan");
  assert.equal(asked.body.confirmed, true);
  await lines(asked, candidate("many"));
  assert.equal(freshness.value, "final");
  await roles("a", "c", "d");
  assert.equal(waiting("/api/plan").length, 1);
  open = [];
  await roles("a", "b", "c", "d");
  assert.equal(take("/api/plan").body.confirmed, true, "what was confirmed stays so");
  await roles("a", "b", "c", "e");
  assert.equal(freshness.value, "unconfirmed", "another column is another question");
  await roles("a", "b", "c", "d", "e");
  assert.equal(freshness.value, "unconfirmed");
  assert.deepEqual(waiting("/api/plan"), []);
  mostUnconfirmed.value = Number.POSITIVE_INFINITY;
});
