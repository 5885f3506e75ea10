import assert from "node:assert/strict";
import { test } from "node:test";
import { verdictOf } from "../../src/attack/Findings.tsx";
import { arrived, recognize } from "../../src/attack/releases.ts";

const found = (...paths) => paths.map((path) => ({ path, file: path }));
const names = (paths, taken = []) => recognize(found(...paths), new Set(taken)).files.map((file) => file.name);

test("a release folder is taken without what is private", () => {
  const dropped = ["r1/public/data.csv", "r1/public/manifest.json", "r1/private/audit.parquet", "r1/private/manifest.json"];
  assert.deepEqual(names(dropped), ["releases/r1/public/data.csv", "releases/r1/public/manifest.json"]);
  assert.equal(recognize(found(...dropped), new Set()).ignored, 2);
});

test("nothing private is sent, wherever it stands", () => {
  for (const path of ["private/audit.csv", "a/private/x.csv", "private/manifest.json", "a/b/private/c/x.parquet"]) {
    assert.deepEqual(names([path]), [], path);
  }
});

test("the public folder alone, and a folder of another name, are releases", () => {
  assert.deepEqual(names(["public/manifest.json", "public/qi.csv"]), ["releases/release/public/manifest.json", "releases/release/public/qi.csv"]);
  assert.deepEqual(names(["handed out/manifest.json"]), ["releases/handed_out/public/manifest.json"]);
  assert.deepEqual(names(["year/2024/public/manifest.json", "year/2025/public/manifest.json"]), ["releases/2024/public/manifest.json", "releases/2025/public/manifest.json"]);
});

test("tables by themselves count, other files do not", () => {
  assert.deepEqual(names(["theirs.csv", "notes.txt", "folder/x.PARQUET"]), ["releases/theirs.csv", "releases/x.PARQUET"]);
  assert.equal(recognize(found("notes.txt", "photo.png"), new Set()).ignored, 2);
});

test("no release takes another's name", () => {
  assert.deepEqual(names(["a/r/manifest.json", "b/r/manifest.json"]), ["releases/r/public/manifest.json", "releases/r-2/public/manifest.json"]);
  assert.deepEqual(names(["t.csv"], ["t.csv", "t-2.csv"]), ["releases/t-3.csv"]);
});

test("names are plain", () => {
  for (const path of ["../x.csv", "a:b.csv", ".x.csv", "x\\y.csv", "-x.csv"]) {
    assert.match(names([path])[0], /^releases\/[\p{L}\p{N}][\p{L}\p{N}._-]*$/u, path);
  }
});

test("what has arrived is listed by release", () => {
  const files = [{ name: "p1.csv", bytes: 1 }, { name: "releases/r/public/a", bytes: 2 }, { name: "releases/r/public/b", bytes: 3 }, { name: "releases/t.csv", bytes: 4 }];
  assert.deepEqual(arrived(files).map(({ name, bytes }) => [name, bytes]), [["releases/r", 5], ["releases/t.csv", 4]]);
});

test("what may have been misread never holds, and hides no failure that is sure", () => {
  const finding = (misread, alone, breached) => ({ misread, alone, breached });
  const fine = finding(false, 1, 1);
  assert.equal(verdictOf([fine], true), "holds");
  assert.equal(verdictOf([], true), "holds");
  assert.equal(verdictOf([finding(false, 0, 2)], false), "fails");
  for (const holds of [true, false]) {
    assert.equal(verdictOf([finding(true, 0, 0)], holds), "unknown");
    assert.equal(verdictOf([fine, finding(true, 0, 0)], holds), "unknown");
    assert.equal(verdictOf([finding(true, 0, 0), finding(false, 0, 2)], holds), "fails");
  }
});
