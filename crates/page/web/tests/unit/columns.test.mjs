import assert from "node:assert/strict";
import { test } from "node:test";
import { columnEntries, proposedEdits, roleEdits, shownColumns } from "../../src/columns/columnList.ts";
import { codesOf } from "../../src/ui/Explanation.tsx";

const seen = (name, more = {}) => ({ name, kind: "category", recognised: "category", reason: "few know it", proposed_role: "drop", proposed_kind: "category", decide: false, alone: 0, rare: 0, distinct: 2, ...more });
const declared = (name, role, more = {}) => ({ name, role, decide: false, kind: null, hierarchy: null, order: null, ...more });
const policy = {
  provider_column: "site",
  columns: [declared("age", "quasi-identifier"), declared("lab", "drop", { decide: true }), declared("gone", "sensitive")],
};
const profile = {
  rows: 10,
  columns: [seen("lab", { alone: 3 }), seen("age", { alone: 3, rare: 9, kind: "integer", proposed_role: "quasi-identifier" }), seen("site"), seen("ward 10", { reason: "a code", recognised: "code" }), seen("ward 9", { alone: 8 })],
};
const none = () => undefined;
const names = (entries) => entries.map((entry) => entry.name);
const all = { wanted: "", kept: "all", order: "table" };

test("the policy's columns come first, then those that it does not mention; the provider's is none", () => {
  const entries = columnEntries(policy, profile, none);
  assert.deepEqual(names(entries), ["age", "lab", "gone", "ward 10", "ward 9"]);
  const [age, lab, gone, ward] = entries;
  assert.deepEqual([age.role, age.decide, age.seen.alone], ["quasi-identifier", false, 3]);
  assert.deepEqual([lab.role, lab.decide], [null, true], "what is to be decided has no role yet, so that drop can be chosen");
  assert.equal(gone.seen, null);
  assert.deepEqual([ward.declared, ward.role], [null, null]);
  assert.deepEqual(names(columnEntries(policy, null, none)), ["age", "lab", "gone"], "tables that are not read yet add nothing");
});

test("a role that was asked for shows at once, and decides", () => {
  const [, lab] = columnEntries(policy, profile, (name) => (name === "lab" ? "drop" : undefined));
  assert.deepEqual([lab.role, lab.decide], ["drop", false]);
});

test("columns are found by all words of a search, and kept by role", () => {
  const entries = columnEntries(policy, profile, none);
  const found = (look) => names(shownColumns(entries, { ...all, ...look }));
  assert.deepEqual(found({ wanted: "WARD" }), ["ward 10", "ward 9"]);
  assert.deepEqual(found({ wanted: "ward code" }), ["ward 10"], "reasons and kinds are searched as well");
  assert.deepEqual(found({ wanted: "integer" }), ["age"]);
  assert.deepEqual(found({ wanted: "nothing of that" }), []);
  assert.deepEqual(found({ kept: "decide" }), ["lab"]);
  assert.deepEqual(found({ kept: "undeclared" }), ["ward 10", "ward 9"]);
  assert.deepEqual(found({ kept: "drop" }), [], "what waits for a decision is not dropped yet");
  assert.deepEqual(found({ kept: "quasi-identifier", wanted: "ward" }), []);
});

test("columns are sorted by what they single out, and by name with numbers as numbers", () => {
  const entries = columnEntries(policy, profile, none);
  assert.deepEqual(names(shownColumns(entries, { ...all, order: "alone" })), ["ward 9", "age", "lab", "ward 10", "gone"]);
  assert.deepEqual(names(shownColumns(entries, { ...all, order: "name" })), ["age", "gone", "lab", "ward 9", "ward 10"]);
  assert.deepEqual(names(entries), ["age", "lab", "gone", "ward 10", "ward 9"], "the list itself stays as it is");
});

test("roles in bulk are one list of edits", () => {
  const entries = columnEntries(policy, profile, none);
  const [age, lab, gone, ward] = entries;
  assert.deepEqual(roleEdits([age, ward], "drop"), [
    { path: ["columns", "age", "role"], value: "drop" },
    { path: ["columns", "ward 10", "role"], value: "drop" },
  ]);
  assert.deepEqual(proposedEdits([age, lab, gone]).map((edit) => edit.value), ["quasi-identifier", "drop"]);
  const back = { path: ["columns", "lab", "kind"], value: "category" };
  assert.deepEqual(roleEdits([age, lab, gone], "sensitive").slice(2, 3), [back], "what comes back into the release gets its kind, and nothing else does");
  assert.equal(roleEdits([age, lab, gone], "sensitive").length, 4);
  assert.equal(roleEdits([{ ...lab, declared: { ...lab.declared, kind: "integer" } }], "sensitive").length, 1);
});

test("codes that a message has and mentions are explained, each once", () => {
  const problem = (code, text, hint) => ({ code, text, hint, excerpt: null, line: null, column: null });
  assert.deepEqual(codesOf(problem("MG0107", "no", "see `mingle explain MG0210`, MG0107 and MG99999")), ["MG0107", "MG0210"]);
  assert.deepEqual(codesOf(problem("HTTP 413", "too large", "")), []);
});
