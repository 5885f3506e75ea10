import assert from "node:assert/strict";
import { test } from "node:test";
import { onFrontier } from "../../src/frontier/dominance.ts";
import { costWords, isComparable } from "../../src/frontier/measures.ts";
import { MOST_VALUES, parseValues, scopeOf } from "../../src/frontier/values.ts";

/** By the definition, every pair. */
function oracle(points) {
  const beats = (a, b) => a.x <= b.x && a.y <= b.y && (a.x < b.x || a.y < b.y);
  return points.map((point) => !points.some((other) => beats(other, point)));
}

test("the frontier is what no other point beats", () => {
  let seed = 7;
  const next = () => (seed = (seed * 48271) % 2147483647) % 6;
  for (let round = 0; round < 500; round++) {
    const points = Array.from({ length: round % 9 }, () => ({ x: next(), y: next() }));
    assert.deepEqual(onFrontier(points), oracle(points), JSON.stringify(points));
  }
});

test("values are lists and ranges", () => {
  const values = (text, vary = "k", providers = 4) => parseValues(text, scopeOf(vary, providers)).values;
  assert.deepEqual(values("10, 2,3"), [2, 3, 10]);
  assert.deepEqual(values("2-5, 3, 9"), [2, 3, 4, 5, 9]);
  assert.deepEqual(values("0.1, 0.25", "t"), [0.1, 0.25]);
  assert.deepEqual(values("0-3", "m"), [0, 1, 2, 3]);
});

test("what is no value is refused", () => {
  const problem = (text, vary = "k", providers = 4) => parseValues(text, scopeOf(vary, providers)).problem;
  for (const text of ["", ",", "x", "0", "2.5", "-1", "5-2", "1e3", "2 3"]) assert.ok(problem(text), text);
  assert.ok(problem("4", "m", 4) && problem("1", "m", 1), "a coalition leaves somebody out");
  assert.ok(problem("1.1", "t") && problem("0.1-0.5", "t"));
  assert.match(problem(`1-${MOST_VALUES + 1}`), /at most/);
  assert.match(problem("1-900000"), /at most/);
});

test("every preset can be used", () => {
  for (const vary of ["k", "m", "l", "t"]) {
    for (const providers of [0, 1, 2, 4, 50]) {
      const scope = scopeOf(vary, providers);
      assert.equal(parseValues(scope.preset, scope).problem, null, `${vary} ${providers}`);
    }
  }
});

test("losses of different kinds have no common frontier", () => {
  const points = ["NCP", "information loss"].map((loss_name) => ({ loss_name }));
  assert.ok(!isComparable("loss", points));
  assert.ok(isComparable("query_error", points));
  assert.ok(isComparable("loss", points.slice(1)));
  assert.match(costWords("loss", points.slice(1)), /\(information loss\)$/);
  assert.doesNotMatch(costWords("query_error", points), /\(/);
});

test("no preset promises nothing", () => {
  for (const vary of ["k", "l"]) assert.ok(Math.min(...parseValues(scopeOf(vary, 4).preset, scopeOf(vary, 4)).values) >= 2);
});
