import assert from "node:assert/strict";
import { test } from "node:test";
import { tickPercent, ticks } from "../../src/charts/axis.ts";
import { best } from "../../src/compare/best.ts";
import { bytes, counted, list, percent } from "../../src/format.ts";

test("only nothing is written as nothing, and only everything as everything", () => {
  assert.equal(percent(0), "0 %");
  assert.equal(percent(1), "100 %");
  assert.equal(percent(1e-9), "<0.1 %");
  assert.equal(percent(0.0004), "<0.1 %");
  assert.equal(percent(1 - 1e-9), ">99.9 %");
  for (let people = 1; people < 2000; people += 1) {
    assert.notEqual(percent(people / 2000), "0 %");
    assert.notEqual(percent(people / 2000), "100 %");
    assert.doesNotMatch(percent(people / 2000), /^(0\.0|100\.0)/);
  }
});

test("errors beyond everything stay what they are", () => {
  assert.equal(percent(2.5), "250 %");
  assert.equal(percent(11.146), "1,115 %");
});

test("words agree with their number", () => {
  assert.equal(counted(1, "row"), "1 row");
  assert.equal(counted(0, "row"), "0 rows");
  assert.equal(counted(45222, "row"), "45,222 rows");
  assert.equal(list([]), "");
  assert.equal(list(["P1", "P2", "P3"]), "P1, P2 and P3");
  assert.equal(bytes(999), "999 bytes");
  assert.equal(bytes(2e9), "2.0 GB");
});

test("axes start at zero and reach beyond the largest value", () => {
  for (const max of [0.003, 0.19, 1, 7, 99, 100, 45222, 1e6]) {
    const marks = ticks(max);
    assert.equal(marks[0], 0);
    assert.ok(marks.at(-1) >= max, `${max}`);
    assert.ok(marks.length >= 3 && marks.length <= 7, `${max}: ${marks}`);
    assert.ok(marks.every((mark, index) => index === 0 || mark > marks[index - 1]));
  }
  assert.deepEqual(ticks(0), [0, 1]);
  assert.deepEqual(ticks(Number.NaN), [0, 1]);
});

test("ticks say what they are, and no two the same", () => {
  const written = (max) => {
    const marks = ticks(max, 5);
    return marks.map((mark) => tickPercent(mark, marks[1]));
  };
  assert.deepEqual(written(0.02), ["0 %", "0.5 %", "1.0 %", "1.5 %", "2.0 %"]);
  assert.deepEqual(written(0.125), ["0 %", "2.5 %", "5.0 %", "7.5 %", "10.0 %", "12.5 %"]);
  for (let max = 0.0007; max < 30; max *= 1.13) {
    const marks = ticks(max, 5);
    const labels = written(max);
    assert.equal(new Set(labels).size, labels.length, `${max}: ${labels}`);
    labels.forEach((label, index) => assert.ok(Math.abs(Number(label.replace(/[ %,]/g, "")) / 100 - marks[index]) < 1e-9, `${label} is ${marks[index]}`));
  }
});

test("the best value is marked wherever it stands, and nothing where nothing differs to the eye", () => {
  assert.deepEqual([...best([0.3, 0.1, 0.2], percent)], [1]);
  assert.deepEqual([...best([0, 0.5, 0], percent)], [0, 2]);
  assert.deepEqual([...best([0.2, 0.2], percent)], []);
  assert.deepEqual([...best([0.20001, 0.20002], percent)], []);
  assert.deepEqual([...best([null, 0.4], percent)], []);
  assert.deepEqual([...best([null, 0.4, 0.3], percent)], [2]);
  assert.deepEqual([...best([0, 0.0001], percent)], [0], "nothing is better than hardly anything");
});
