import assert from "node:assert/strict";
import { test } from "node:test";
import * as g from "../../src/hierarchy/grouping.ts";
import { hierarchyFileName, parseHierarchy, writeHierarchy } from "../../src/hierarchy/hierarchyFile.ts";
import { draftOf, outcomeOf, settingsOf, wayOf } from "../../src/hierarchy/draft.ts";
import { defaultBounds, defaultLengths, parts, wholeNumbers } from "../../src/hierarchy/lists.ts";
import { choiceOf, choose, NOTHING } from "../../src/hierarchy/selection.ts";
import { defaultWidths, nextWidth, widthProblems } from "../../src/hierarchy/widths.ts";

const rowsOf = (text) => parseHierarchy(text).rows;
const fields = (text) => rowsOf(text).map((row) => row.fields);

test("a hierarchy file is read as the program reads it", () => {
  assert.deepEqual(fields("a;x;*\nb;x;*\n"), [["a", "x", "*"], ["b", "x", "*"]]);
  assert.deepEqual(fields("\uFEFFa;x\r\n\r\nb;x"), [["a", "x"], ["b", "x"]]);
  assert.deepEqual(fields('"a;1";"say ""x""";*'), [["a;1", 'say "x"', "*"]]);
  assert.deepEqual(fields("a,x\nb,x"), [["a", "x"], ["b", "x"]]);
  assert.deepEqual(fields(";none;*\n"), [["", "none", "*"]]);
  assert.deepEqual(rowsOf('"a\nb";x\nc;x').map((row) => row.line), [1, 3]);
});

test("a file that is no hierarchy is refused with its line and without its cells", () => {
  const problem = (text) => parseHierarchy(text).problem;
  assert.match(problem(""), /no rows/);
  assert.match(problem("\n\n"), /no rows/);
  assert.match(problem("secret\nother"), /single column/);
  assert.match(problem("a;x;*\nsecret;*"), /^line 2: 2 levels where the first row has 3$/);
  assert.match(problem('a;"x'), /never closed/);
});

test("what is written is read back", () => {
  const rows = [["a;b", 'q"q', "*"], ["", "x\ny", "*"], ["plain", "x y", "*"]];
  assert.deepEqual(fields(writeHierarchy(rows)), rows);
});

test("two columns never share a file", () => {
  const names = ["a b", "a_b", "a/b", "../b", "a~20~b", "ä", "a.b", "a\\b", "con", "~63~on", ".", ".."].map(hierarchyFileName);
  assert.equal(new Set(names).size, names.length);
  for (const name of names) assert.match(name, /^(?!con\.)[^/\\ .]+\.hierarchy\.csv$/);
});

function towns() {
  const [one, south] = g.addGroup(g.EMPTY, 1, "south");
  const [two, north] = g.addGroup(one, 1, "north");
  return { grouping: g.moveValues(g.moveValues(two, ["a", "b"], south), ["c"], north), south, north };
}

test("placed values have rows, others have none", () => {
  const { grouping, south } = towns();
  assert.deepEqual(g.toRows(grouping), [["a", "south", "*"], ["b", "south", "*"], ["c", "north", "*"]]);
  assert.deepEqual(g.toRows(g.moveValues(grouping, ["a"], null)).map((row) => row[0]), ["b", "c"]);
  assert.deepEqual(g.toRows(g.dissolve(grouping, south)), [["c", "north", "*"]]);
  assert.deepEqual(g.toRows(g.EMPTY), []);
});

test("a value is in one group at a time", () => {
  const { grouping, south, north } = towns();
  const moved = g.moveValues(grouping, ["a"], north);
  assert.deepEqual(g.members(moved), new Map([[south, ["b"]], [north, ["c", "a"]]]));
  assert.equal(grouping.place.get("a"), south, "the grouping before is as it was");
});

test("groups go into groups of the next level only", () => {
  const { grouping, south, north } = towns();
  const [above, coast] = g.addGroup(grouping, 2, "coast");
  const placed = g.moveGroup(above, south, coast);
  assert.deepEqual(g.toRows(placed)[0], ["a", "south", "coast", "*"]);
  assert.deepEqual(g.toRows(placed)[2], ["c", "north", "north", "*"], "a group without one above stands for itself");
  assert.equal(g.moveGroup(placed, south, north), placed);
  assert.equal(g.moveGroup(placed, coast, south), placed);
  assert.equal(g.moveGroup(placed, coast, coast), placed);
  assert.equal(g.moveValues(placed, ["a"], coast), placed, "values go into level 1");
  assert.deepEqual(g.toRows(g.dissolve(placed, coast))[0], ["a", "south", "south", "*"]);
  assert.deepEqual(g.toRows(g.removeLevel(placed)), g.toRows(grouping));
});

test("all rows are equally long, whatever is done", () => {
  let { grouping } = towns();
  grouping = g.addLevel(g.addLevel(grouping));
  assert.equal(g.addLevel(grouping), grouping, "there are at most three");
  const [more, region] = g.addGroup(grouping, 3, "region");
  assert.ok(g.toRows(g.moveGroup(more, 1, region)).every((row) => row.length === 5));
});

test("siblings stand together in the file", () => {
  let [grouping, x] = g.addGroup(g.EMPTY, 1, "x");
  const [withY, y] = g.addGroup(grouping, 1, "y");
  const [withZ, z] = g.addGroup(withY, 1, "z");
  const [all, top] = g.addGroup(withZ, 2, "top");
  grouping = [["a", x], ["b", y], ["c", z]].reduce((made, [value, to]) => g.moveValues(made, [value], to), all);
  grouping = g.moveGroup(g.moveGroup(grouping, x, top), z, top);
  assert.deepEqual(g.toRows(grouping).map((row) => row[0]), ["a", "c", "b"]);
});

test("rows come back as they were", () => {
  for (const text of ["a;x;*\nb;y;*\n", "a;x;p;*\nb;y;q;*\nc;z;q;*\n", "1;1;low;*\n2;2;low;*\n9;9;9;*\n"]) {
    const { grouping, notes } = g.fromRows(rowsOf(text));
    assert.deepEqual(notes, []);
    assert.equal(writeHierarchy(g.toRows(grouping)), text);
  }
});

test("what cannot be taken over is said, by line", () => {
  const notes = (text) => g.fromRows(rowsOf(text)).notes;
  assert.match(notes("a;x;p;*\nb;x;q;*")[0], /^line 2: .* level 1 has another parent/);
  assert.match(notes("a;x;*\na;y;*")[0], /^line 2: .*earlier line/);
  assert.match(notes("a;x\nb;y")[0], /\broot\b/);
  assert.equal(g.fromRows(rowsOf("a;x\nb;y")).grouping.levels, 1);
});

test("names that would mean something else are found", () => {
  const { grouping, south, north } = towns();
  assert.equal(g.nameProblems(grouping).size, 0);
  assert.equal(g.nameProblems(g.rename(grouping, south, "north")).size, 2);
  assert.ok(g.nameProblems(g.rename(grouping, south, "")).has(south));
  assert.ok(g.nameProblems(g.rename(grouping, north, "**")).has(north));
  const [above] = g.addGroup(grouping, 2, "south");
  assert.equal(g.nameProblems(above).size, 0, "the same name one level up is for the program to judge");
});

test("a new group's name is free on every level", () => {
  let grouping = g.EMPTY;
  for (let i = 0; i < 3; i++) [grouping] = g.addGroup(grouping, 1, g.freeName(grouping, 1));
  assert.deepEqual(grouping.groups.map((group) => group.label), ["group 1", "group 2", "group 3"]);
  [grouping] = g.addGroup(g.dissolve(grouping, 2), 2, "group 2");
  assert.equal(g.freeName(grouping, 1), "group 4");
});

test("ten thousand values are moved at once", () => {
  const values = Array.from({ length: 10_000 }, (_, i) => `value ${i}`);
  const [grouping, id] = g.addGroup(g.EMPTY, 1, "all");
  const begin = performance.now();
  const rows = g.toRows(g.moveValues(grouping, values, id));
  assert.equal(rows.length, 10_000);
  assert.ok(performance.now() - begin < 250);
});

test("widths nest, exactly", () => {
  const fine = (widths) => widthProblems(widths).every((problem) => problem === null);
  assert.ok(fine(["5", "10", "20"]) && fine(["0.1", "0.3"]) && fine(["0.5", "1"]) && fine([" 5 "]));
  assert.ok(!fine(["5", "12"]) && !fine(["10", "5"]) && !fine(["5", "5"]) && !fine(["0.2", "0.3"]));
  for (const wrong of ["", "0", "-5", "x", "1e3", "5,5", "0.0"]) assert.ok(!fine([wrong]), wrong);
  assert.match(widthProblems(["5", "12"])[1], /multiple of the one before: 10, 15, 20/);
  assert.equal(widthProblems(["x", "12"])[1], null, "one mistake is said once");
});

test("widths are proposed so that they fit", () => {
  assert.deepEqual(defaultWidths(["17", "90"]), ["5", "10", "20"]);
  assert.deepEqual(defaultWidths([]), ["5", "10", "20"]);
  assert.deepEqual(defaultWidths(["1", "1"]), ["5", "10", "20"]);
  assert.deepEqual(defaultWidths(["0.0", "1.0"]), ["0.05", "0.1", "0.2"]);
  assert.deepEqual(defaultWidths(["0", "3"]), ["2", "4", "8"]);
  assert.deepEqual(defaultWidths(["20", "40"]), ["2", "4", "8"]);
  assert.equal(nextWidth(["0.25"]), "0.5");
  assert.equal(nextWidth([]), "5");
  for (const values of [["0", "7"], ["0", "123456"], ["0.001", "0.009"]]) {
    assert.deepEqual(widthProblems(defaultWidths(values)), [null, null, null]);
  }
});

test("values are selected one by one, by range, and all over again", () => {
  const list = ["a", "b", "c", "d"];
  const one = choose(NOTHING, list, "b", "only");
  assert.deepEqual([...choose(one, list, "d", "range").values], ["b", "c", "d"]);
  assert.deepEqual([...choose(one, list, "a", "range").values].sort(), ["a", "b"]);
  assert.deepEqual([...choose(one, list, "b", "toggle").values], []);
  assert.deepEqual([...choose(one, list, "d", "only").values], ["d"]);
  assert.deepEqual([...choose(NOTHING, list, "c", "range").values], ["c"]);
  assert.deepEqual([...choose(one, ["x"], "x", "range").values], ["b", "x"], "an anchor in another list starts anew");
  const keys = { shiftKey: false, ctrlKey: false, metaKey: false };
  assert.equal(choiceOf(keys), "only");
  assert.equal(choiceOf({ ...keys, pointerType: "touch" }), "toggle");
  assert.equal(choiceOf({ ...keys, shiftKey: true, ctrlKey: true }), "range");
});

const settings = { bands: ["0, 18; 65"], widths: ["5"], lengths: "3,1", digits: 2, at: "2024-12-31", years: ["18 65", " "], template: "atc", lines: "a;b\n", grouping: g.EMPTY, order: ["low", "high"], sizes: "" };
const drafted = (way, more = {}) => draftOf(way, { ...settings, ...more });
const applied = (way, more = {}, file = null) => outcomeOf("x", way, { ...settings, ...more }, file);
const rule = (way, more) => applied(way, more).edits[0].value;

test("typed lists are taken apart, and what is no number is not asked about", () => {
  assert.deepEqual(parts(" 0, 18;65 "), ["0", "18", "65"]);
  assert.deepEqual(wholeNumbers("3, 1"), [3, 1]);
  for (const wrong of ["", " ", "0", "3,x", "1.5", "-1", "03"]) assert.equal(wholeNumbers(wrong), null, wrong);
  assert.equal(defaultBounds([]), "");
  assert.equal(defaultBounds(["17", "90"]), "20, 30, 40");
  assert.equal(defaultBounds(["5", "5"]), "6, 7, 8");
  for (const values of [["0.1", "0.9"], ["-40", "1000000"]]) {
    const bounds = defaultBounds(values).split(", ").map(Number);
    assert.ok(bounds[0] < bounds[1] && bounds[1] < bounds[2] && bounds[2] < Number(values[1]), `${bounds}`);
  }
  assert.deepEqual([defaultLengths(6), defaultLengths(3), defaultLengths(1)], ["3, 1", "2", "1"]);
});

test("each way asks the program for what would be applied", () => {
  assert.deepEqual(drafted("bands"), { kind: "bands", levels: [["0", "18", "65"]] });
  assert.deepEqual(rule("bands"), { bands: [0, 18, 65] });
  assert.deepEqual(rule("bands", { bands: ["0, 18.5", "18.5"] }), { bands: [[0, 18.5], [18.5]] });
  assert.deepEqual(rule("bands", { bands: ["2000-01-01, 2010-01-01"] }), { bands: ["2000-01-01", "2010-01-01"] });
  assert.deepEqual(drafted("prefix"), { kind: "prefix", lengths: [3, 1] });
  assert.deepEqual(rule("prefix"), { prefix: [3, 1] });
  assert.deepEqual(drafted("ages"), { kind: "age", at: "2024-12-31", levels: [["18", "65"]] });
  assert.deepEqual(rule("ages"), { age: "2024-12-31", bands: [18, 65] });
  assert.deepEqual(rule("ages", { years: [] }), { age: "2024-12-31" });
  assert.deepEqual(drafted("template"), { kind: "template", name: "atc" });
  assert.deepEqual(rule("template"), { template: "atc" });
  assert.deepEqual(drafted("pasted"), { kind: "groups", text: "a;b\n" });
  assert.deepEqual(applied("pasted", {}, "a;b;*\n").file, { name: "x.hierarchy.csv", content: "a;b;*\n" });
});

test("what is not complete is not asked about", () => {
  assert.equal(drafted("bands", { bands: [" "] }), null);
  assert.equal(drafted("prefix", { lengths: "3, " + "x" }), null);
  assert.equal(drafted("ages", { at: " " }), null);
  assert.equal(drafted("pasted", { lines: "\n" }), null);
});

test("an order stands alone, or with groups of neighbours along it", () => {
  assert.equal(drafted("order"), null);
  assert.deepEqual(applied("order"), { edits: [{ path: ["columns", "x", "order"], value: ["low", "high"] }] });
  assert.deepEqual(drafted("order", { sizes: "2, 4" }), { kind: "order", values: ["low", "high"], sizes: [2, 4] });
  const grouped = applied("order", { sizes: "2" }, "low;low to high;*\n");
  assert.deepEqual(grouped.edits.map((edit) => edit.path[2]), ["order", "hierarchy"]);
  assert.equal(grouped.file.content, "low;low to high;*\n");
});

test("a declared hierarchy opens its own way; codes of different lengths get a prefix", () => {
  const answer = (values, kind = "category") => ({ rows: values.map((value) => ({ labels: [value], count: 1, gap: false })), column_kind: kind, file: null });
  const column = (hierarchy) => ({ name: "x", role: "quasi-identifier", decide: false, kind: null, hierarchy, order: null });
  assert.equal(wayOf(column({ kind: "bands", levels: [["1"]] }), answer(["1"])), "bands");
  assert.equal(wayOf(column({ kind: "age", at: "2024-12-31", levels: [] }), answer(["1"])), "ages");
  assert.equal(wayOf(column({ kind: "prefix", lengths: [2] }), answer(["1"])), "prefix");
  assert.equal(wayOf(null, answer(["12345", "54321"])), "mask");
  assert.equal(wayOf(null, answer(["250.83", "V27", "401"])), "prefix");
  assert.equal(wayOf(null, answer(["north", "south"])), "groups");
  assert.equal(wayOf(null, answer(["1", "2"], "integer")), "intervals");
  const from = settingsOf(column({ kind: "bands", levels: [["0", "18"], ["18"]] }), answer(["1"]));
  assert.deepEqual(from.bands, ["0, 18", "18"]);
  assert.equal(settingsOf(column({ kind: "prefix", lengths: [4, 2] }), answer(["1"])).lengths, "4, 2");
});
