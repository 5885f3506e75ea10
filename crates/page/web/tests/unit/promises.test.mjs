// What sliders write about sensitive values, and what is called protected.
import assert from "node:assert/strict";
import { test } from "node:test";

const store = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };
Object.assign(globalThis, { localStorage: store, sessionStorage: store, window: globalThis });

const { promisesNothing, verdict } = await import("../../src/answer/promises.ts");
const { comparable, HEADLINES } = await import("../../src/answer/measures.ts");
const { coalitionPositions, kindShown, kindsOf, overridden, subjectOf, withKind } = await import("../../src/protection/limits.ts");

const column = (name, own = [], more = {}) => ({ column: name, l_distinct: null, l_entropy: null, l_recursive: null, t: null, t_distance: null, max_frequency: null, own, ...more });

test("a candidate whose promises promise nothing is not called protected", () => {
  // the words are for people; what counts is what the program says of the promise
  const promise = (says_something, words = "k-anonymity, k = 5") => ({ promise: { name: "k-anonymity", k: 5 }, words, says_something });
  const candidate = (...promises) => ({ promises, against: "outsiders", warnings: [] });
  assert.ok(promisesNothing(candidate()));
  assert.ok(promisesNothing(candidate(promise(false), promise(false))));
  assert.doesNotMatch(verdict(candidate(promise(false))), /rotected/);
  assert.ok(!promisesNothing(candidate(promise(true, "k-anonymity, k = 1"))));
  assert.equal(verdict(candidate(promise(false), promise(true))), "Protected against outsiders");
});

test("what the program warns of is part of the verdict", () => {
  const promise = { promise: { name: "k-anonymity", k: 5 }, words: "k-anonymity, k = 5", says_something: true };
  const warned = (...warnings) => verdict({ promises: [promise], against: "outsiders", warnings });
  assert.equal(warned({}), "Protected against outsiders, with 1 warning");
  assert.equal(warned({}, {}), "Protected against outsiders, with 2 warnings");
  assert.equal(verdict({ promises: [], against: "outsiders", warnings: [{}] }), "Nothing is promised yet, with 1 warning");
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
