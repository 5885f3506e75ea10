// What sliders write about sensitive values, and which promises promise nothing.
import assert from "node:assert/strict";
import { test } from "node:test";

const store = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };
Object.assign(globalThis, { localStorage: store, sessionStorage: store, window: globalThis });

const { isVacuous, promisesNothing, verdict } = await import("../../src/answer/promises.ts");
const { comparable, HEADLINES } = await import("../../src/answer/measures.ts");
const { coalitionPositions, kindShown, kindsOf, overridden, subjectOf, withKind } = await import("../../src/protection/limits.ts");

const column = (name, own = [], more = {}) => ({ column: name, l_distinct: null, l_entropy: null, l_recursive: null, t: null, t_distance: null, max_frequency: null, own, ...more });

test("what every table keeps is no promise", () => {
  for (const promise of [
    "k-anonymity, k = 1",
    "distinct l-diversity, l = 1, column disease",
    "entropy l-diversity, l = 1.0, column disease",
    "recursive (c, l)-diversity, c = 3, l = 1, column disease",
    "t-closeness, max = 1, distance = equal, column disease",
    "max frequency, max = 1, column a, k = 5",
    "max frequency, max = 3/3, all sensitive columns together",
  ]) assert.ok(isVacuous(promise), promise);
});

test("what some tables break is one", () => {
  for (const promise of [
    "k-anonymity, k = 2",
    "k-anonymity, k = 10",
    "k-anonymity, k = 1, site_diversity = 2",
    "distinct l-diversity, l = 2, column x, l = 1",
    "entropy l-diversity, l = 1.5, column disease",
    "recursive (c, l)-diversity, c = 0.5, l = 1, column disease",
    "recursive (c, l)-diversity, c = 3, l = 2, column disease",
    "t-closeness, max = 0.2, distance = equal, column disease",
    "max frequency, max = 1/3, column disease",
    "words that are not known",
  ]) assert.ok(!isVacuous(promise), promise);
});

test("a candidate whose promises promise nothing is not called protected", () => {
  const candidate = (...promises) => ({ promises, against: "outsiders" });
  assert.ok(promisesNothing(candidate()));
  assert.doesNotMatch(verdict(candidate("k-anonymity, k = 1")), /rotected/);
  assert.equal(verdict(candidate("k-anonymity, k = 1", "distinct l-diversity, l = 2, column d")), "Protected against outsiders");
});

test("losses of different kinds are not compared", () => {
  const loss = HEADLINES.find((measure) => measure.key === "loss");
  assert.ok(!comparable(loss, [{ loss_name: "NCP" }, { loss_name: "information loss" }]));
  assert.ok(comparable(loss, [{ loss_name: "NCP" }, { loss_name: "NCP" }]));
});

test("a slider moves one kind of diversity and keeps the others", () => {
  const subject = { of: column("d", [], { l_distinct: 3, l_entropy: 2, l_recursive: [4, 2] }), path: ["privacy", "l"], own: null };
  const kinds = kindsOf(subject);
  assert.deepEqual(kinds, { distinct: 3, entropy: 2, recursive: { c: 4, l: 2 } });
  assert.deepEqual(withKind(kinds, "distinct", 5), { distinct: 5, entropy: 2, recursive: { c: 4, l: 2 } });
  assert.deepEqual(withKind(kinds, "entropy", 1), { distinct: 3, recursive: { c: 4, l: 2 } });
  assert.deepEqual(withKind({ distinct: 2 }, "distinct", 1), {});
  assert.equal(kindShown(kinds, "entropy"), "entropy");
  assert.equal(kindShown({ entropy: 2 }, "distinct"), "entropy");
  assert.equal(kindShown({ distinct: 2 }, "entropy"), "distinct");
});

test("a slider is for the general limit, and never for another column's own", () => {
  const limits = (...sensitive) => ({ m: null, k: null, semantics: "victim", sensitive });
  const mixed = limits(column("a", ["l"]), column("b", ["t"]));
  const [l, t] = [subjectOf(mixed, "l"), subjectOf(mixed, "t")];
  assert.deepEqual([l.of.column, l.path, l.own], ["b", ["privacy", "l"], null]);
  assert.deepEqual([t.of.column, t.path, t.own], ["a", ["privacy", "t"], null]);
  assert.deepEqual(overridden(mixed, "l", l), ["a"]);
  const alone = limits(column("a", ["l"]));
  assert.deepEqual(subjectOf(alone, "l").path, ["privacy", "sensitive", "a", "l"]);
  assert.deepEqual(overridden(alone, "l", subjectOf(alone, "l")), []);
  assert.equal(subjectOf(limits(), "l"), null);
});

test("hundreds of providers do not make hundreds of positions", () => {
  assert.equal(coalitionPositions(45_221).length, 51);
  assert.deepEqual(coalitionPositions(3), [0, 1, 2, 3]);
});
