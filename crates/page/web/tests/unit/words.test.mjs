import assert from "node:assert/strict";
import { test } from "node:test";
import { headline, quickPicks } from "../../src/coalition/sentence.ts";
import { policyNameProblem, publishCommand, releaseNameProblem, shellWord } from "../../src/publish/names.ts";

const candidate = {
  providers: [{ label: "P1", count: 30 }, { label: "P2", count: 5 }, { label: "P3", count: 12 }],
  balance: [{ column: "disease" }],
  worst: [{ members: ["P3"] }, { members: ["P1"] }, { members: ["P1", "P3"] }, { members: ["P1", "P2", "P3"] }],
};
const answer = { own: 41, touched: 9, fallen: 7, exact: true, people: 21, identity: 1, exposed: 3, others: 5, examples: [] };

test("a coalition's sentence says who, what and how many", () => {
  const text = headline(candidate, ["P1", "P3"], answer);
  assert.equal(text, "P1 and P3 together take out 41 rows of their own: in 7 groups with 21 people of others a promise breaks, and the row or the disease of 3 other people is known for sure.");
  assert.match(headline(candidate, ["P2"], { ...answer, own: 1, fallen: 0, exposed: 0 }), /^P2 takes out 1 row of its own: every promise still holds/);
  assert.match(headline(candidate, ["P2"], { ...answer, exact: false }), /in at least 7 groups/);
  assert.match(headline(candidate, ["P2"], { ...answer, fallen: 0, exact: false }), /though leaving some of them in might/);
  assert.match(headline(candidate, [], { ...answer, exposed: 1 }), /^An outsider .* of one other person is known/);
  assert.match(headline(candidate, ["P1", "P2", "P3"], { ...answer, others: 0 }), /nobody is left/);
  assert.match(headline({ ...candidate, balance: [{ column: "a" }, { column: "b" }] }, ["P1"], answer), /a sensitive value of 3 other people/);
});

test("picks are the worst of their size and leave somebody out", () => {
  const picks = quickPicks(candidate);
  assert.deepEqual(picks.map((pick) => pick.members), [["P3"], ["P1", "P3"], ["P1", "P3"]]);
  assert.equal(picks.at(-1).name, "all but P2");
  assert.deepEqual(quickPicks({ ...candidate, providers: [], worst: [] }), []);
});

test("names of releases and policies are plain", () => {
  for (const name of ["release", "r-2024.1", "Größe_2"]) assert.equal(releaseNameProblem(name), null, name);
  for (const name of ["", "..", ".x", "a/b", "a\\b", "a b", "-x", "a\0", "x".repeat(101)]) assert.ok(releaseNameProblem(name), name);
  for (const name of ["policy", ".toml", "a/b.toml", "../x.toml"]) assert.ok(policyNameProblem(name), name);
  assert.equal(policyNameProblem("policy.toml"), null);
});

test("a command means to the shell what it says", () => {
  assert.equal(publishCommand("policy.toml", "release", true), "mingle publish policy.toml --out release --force");
  assert.equal(shellWord("it's; rm -r *"), `'it'\\''s; rm -r *'`);
  assert.equal(shellWord(""), "''");
});
