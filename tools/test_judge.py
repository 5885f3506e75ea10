#!/usr/bin/env python3
"""Tests of the judge: small cases worked out by hand, mistakes planted into releases, and the program's own figures.

    tools/test_judge.py            all that needs no program
    MINGLE=target/release/mingle tools/test_judge.py      the comparison with the program as well

Without MINGLE, the newer of target/release/mingle and target/debug/mingle is taken; where there is none, that part is
skipped. SEEDS says how many drawn tables are compared (12).
"""

import csv
import json
import os
import random
import subprocess
import sys
import tempfile
import unittest
from collections import Counter
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import judge  # noqa: E402

TOP = Path(__file__).resolve().parent.parent


def program():
    candidates = [TOP / "target/release/mingle", TOP / "target/debug/mingle"]
    if "MINGLE" in os.environ:
        candidates = [Path(os.environ["MINGLE"])]
    built = [path for path in candidates if path.is_file()]
    return str(max(built, key=lambda path: path.stat().st_mtime).resolve()) if built else None


def column(texts, folder=".", **entry):
    return judge.Column("c", entry, set(texts), ["", "?"], str(folder))


def covered(a_column, label):
    reading = a_column.read(label)
    return [a_column.texts[code] for lo, hi in reading.ranges for code in range(lo, hi + 1)]


def write_table(path, header, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


class Labels(unittest.TestCase):
    def check(self, a_column, cases):
        for label, expected in cases.items():
            self.assertEqual(" ".join(covered(a_column, label)), expected, label)

    def test_numbers(self):
        ages = column(["20", "25", "31", "-5"])
        self.check(ages, {"[20-30]": "20 25", "[-5-20]": "-5 20", "[20-31)": "20 25", "<25": "-5 20", "≤25": "-5 20 25",
                          ">25": "31", "≥25": "25 31", "25+": "25 31", "*": "-5 20 25 31", "25": "25", "{20|31}": "20 31"})
        self.assertEqual(ages.penalty(ages.read("[20-30]")), 10 / 36)
        self.assertEqual(ages.penalty(ages.read("{20|31}")), 11 / 36)
        self.assertEqual(ages.penalty(ages.read("*")), 1)
        self.assertEqual(ages.penalty(ages.read("25")), 0)
        with self.assertRaises(judge.Refused):
            ages.read("26")
        weights = column(["1.5", "1.25", "20"])
        self.check(weights, {"[1.25-1.5)": "1.25", "[1.2-1.50]": "1.25 1.5"})
        with_gap = column(["4", "9", "?"])
        self.assertEqual(with_gap.penalty(with_gap.read("*")), 1)
        self.assertEqual(with_gap.penalty(with_gap.read("?")), 0)

    def test_kinds(self):
        for texts, kind in ((["5", "-3"], "integer"), (["5", "0.5"], "decimal"), (["5", "1e-05"], "decimal"), (["013"], "category"),
                            (["1E5"], "category"), (["2001-03-02"], "date"), (["2001-02-30"], "category"), (["-0"], "decimal")):
            self.assertEqual(column(texts).kind, kind, texts)

    def test_dates(self):
        days = column(["2001-03-02", "2001-05-30", "1999-01-01"], hierarchy={"dates": ["month", "quarter", "year", "decade"]})
        self.check(days, {"2001-Q1": "2001-03-02", "2001": "2001-03-02 2001-05-30", "1990s": "1999-01-01", "2001-05": "2001-05-30"})
        plain = column(["2001-03-02", "2001-05-30", "1999-01-01"])
        self.check(plain, {"[2001-01-01/2001-05-30]": "2001-03-02 2001-05-30", "2000s": "2001-03-02 2001-05-30"})

    def test_sets_bands_masks_and_beginnings(self):
        self.check(column(["a", "b|c", "?"]), {"{a|b\\|c}": "a b|c", "{|a}": " a", "": ""})
        bands = column(["[0-10)", "[10-20)", "[20-30)"])
        self.check(bands, {"[0-20)": "[0-10) [10-20)", "[20-30)": "[20-30)"})
        self.assertEqual(bands.penalty(bands.read("[0-20)")), 2 / 3)
        self.check(column(["13012", "13068", "24000"], kind="category"), {"130**": "13012 13068", "1301*": "13012"})
        codes = column(["250", "250.83", "25"], hierarchy={"prefix": [3, 1]})
        self.check(codes, {"250…": "250 250.83", "25": "25", "2…": "25 250 250.83"})

    def test_rules(self):
        ages = column(["3", "17", "18", "64", "70"], hierarchy={"bands": [[18, 65], [18]]})
        self.check(ages, {"<18": "3 17", "[18-64]": "18 64", "≥65": "70", "≥18": "18 64 70"})
        self.check(column(["-3", "2", "9"], hierarchy={"intervals": [5, 10]}), {"[-5--1]": "-3", "[0-4]": "2", "[0-9]": "2 9"})
        born = column(["2004-02-29", "2005-03-01"], hierarchy={"age": "2023-02-28", "bands": [18]})
        self.check(born, {"age 17": "2005-03-01", "age ≥18": "2004-02-29"})
        with self.assertRaises(judge.Refused):
            column(["250"], hierarchy={"template": "icd-9"})

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "h.csv").write_text("390-459;heart;Any\n240-279;glands;Any\n*;other;Any\n", encoding="utf-8")
            codes = column(["401", "250", "V58", "401.9"], folder, kind="category", hierarchy="h.csv")
            self.check(codes, {"heart": "401 401.9", "other": "V58", "Any": "401 401.9 250 V58"})
            numbers = column(["401", "250", "700", "?"], folder, hierarchy="h.csv")
            self.check(numbers, {"heart": "401", "other": "700", "*": " 250 401 700"})


class Definitions(unittest.TestCase):
    def test_chacha_with_eight_rounds(self):
        # the first block of ChaCha8 under the key of zeros, from the ECRYPT test vectors
        stream = judge.ChaCha8(0)
        stream.key = [0] * 8
        words = stream.block()
        self.assertEqual(b"".join(word.to_bytes(4, "little") for word in words[:4]).hex(), "3e00ef2f895f40d67f5bb8e81f09a5a1")

    def test_queries_have_the_promised_shape(self):
        for q, widths in ((1, {1}), (2, {2}), (5, {2}), (6, {2, 3}), (9, {2, 3, 4})):
            queries = judge.draw_queries([7] * q, 400, 1)
            self.assertEqual({len(query) for query in queries}, widths)
            self.assertTrue(all(0 <= lo <= hi < 7 for query in queries for _, lo, hi in query))

    def test_rows_as_bits(self):
        draw = random.Random(4)
        for values in (1, 3, 300, 1000):
            codes = [draw.randrange(values) for _ in range(500)]
            sets = judge.RowSets(codes, values)
            for _ in range(50):
                lo, hi = sorted((draw.randrange(values), draw.randrange(values)))
                expected = sum(1 << row for row, code in enumerate(codes) if lo <= code <= hi)
                self.assertEqual(sets.between(lo, hi), expected)

    def test_entropy_at_its_boundary(self):
        self.assertTrue(judge.has_entropy([2, 2, 2], Fraction(3)))
        self.assertFalse(judge.has_entropy([3, 2, 2], Fraction(3)))
        self.assertFalse(judge.has_entropy([10**6, 10**6 - 1], Fraction(2)))

    def test_distances(self):
        # Li et al. 2007, section 4: incomes 3k to 11k; {3k,4k,5k} is 0.375 from them, {6k,8k,11k} 0.167
        incomes = column([f"{n}000" for n in range(3, 12)])
        table = Counter(range(9))
        self.assertEqual(judge.closeness(incomes, {0: 1, 1: 1, 2: 1}, table, "ordered"), Fraction(3, 8))
        self.assertEqual(judge.closeness(incomes, {3: 1, 5: 1, 8: 1}, table, "ordered"), Fraction(1, 6))
        self.assertEqual(judge.closeness(incomes, {0: 1, 1: 1, 2: 1}, table, "equal"), Fraction(2, 3))
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "h.csv").write_text("a;x;*\nb;x;*\nc;y;*\nd;y;*\n", encoding="utf-8")
            tree = column(["a", "b", "c", "d"], folder, hierarchy="h.csv")
            # half of the mass moves between siblings (height 1 of 2), or half moves to a sibling and half over the root
            self.assertEqual(judge.closeness(tree, {0: 1, 2: 1}, Counter(range(4)), "hierarchical"), Fraction(1, 4))
            self.assertEqual(judge.closeness(tree, {0: 1}, Counter(range(4)), "hierarchical"), Fraction(5, 8))


class Planted(unittest.TestCase):
    """A small release that is right, and the same with one mistake each."""

    POLICY = """
[data]
path = "data.csv"
[columns.age]
role = "quasi-identifier"
[columns.job]
role = "quasi-identifier"
[columns.ill]
role = "sensitive"
[privacy]
k = 2
l = { distinct = 2 }
max_frequency = 0.7
t = { max = 0.4, distance = "equal" }
"""
    ORIGINAL = [[20, "a", "flu"], [22, "a", "cold"], [30, "b", "flu"], [31, "c", "cold"], [35, "b", "gout"], [36, "d", "flu"]]
    RIGHT = [["[20-22]", "a", "flu"], ["[20-22]", "a", "cold"], ["[30-36]", "{b|c|d}", "flu"], ["[30-36]", "{b|c|d}", "cold"],
             ["[30-36]", "{b|c|d}", "gout"], ["[30-36]", "{b|c|d}", "flu"]]

    def judged(self, published, policy=None, queries=50):
        with tempfile.TemporaryDirectory() as folder:
            write_table(Path(folder, "data.csv"), ["age", "job", "ill"], self.ORIGINAL)
            write_table(Path(folder, "out.csv"), ["age", "job", "ill"], published)
            Path(folder, "policy.toml").write_text(policy or self.POLICY, encoding="utf-8")
            return judge.judge(str(Path(folder, "policy.toml")), [str(Path(folder, "out.csv"))], queries)[0]

    def failing(self, published, policy=None):
        return {check["name"] for check in self.judged(published, policy)["checks"] if not check["holds"]}

    def test_what_is_right(self):
        answer = self.judged(self.RIGHT)
        self.assertTrue(answer["holds"], answer)
        self.assertAlmostEqual(answer["ncp"]["columns"]["age"], (2 * 2 / 16 + 4 * 6 / 16) / 6)
        self.assertAlmostEqual(answer["ncp"]["columns"]["job"], 4 * (3 / 4) / 6)
        self.assertEqual((answer["discernibility"], answer["groups"]), (4 + 16, 2))
        self.assertAlmostEqual(answer["average_group_size"], 6 / 2 / 2)

    def test_queries_row_by_row(self):
        """Every query answered without bits, without groups of labels: row by row."""
        answer = self.judged(self.RIGHT)
        ages, jobs = column([str(row[0]) for row in self.ORIGINAL]), column([row[1] for row in self.ORIGINAL])
        errors = []
        for query in judge.draw_queries([6, 4], 50, 0):
            truth, estimate = 0, 0.0
            for row in self.ORIGINAL:
                codes = [ages.single(str(row[0])), jobs.single(row[1])]
                truth += all(lo <= codes[at] <= hi for at, lo, hi in query)
            for row in self.RIGHT:
                share = 1.0
                for at, lo, hi in query:
                    inside = covered_codes((ages, jobs)[at], row[at])
                    share *= sum(lo <= code <= hi for code in inside) / len(inside)
                estimate += share
            errors.append(abs(estimate - truth) / max(truth, 0.006))
        self.assertAlmostEqual(answer["query_error"]["mean"], sum(errors) / len(errors))

    def test_small_group(self):
        rows = [list(row) for row in self.RIGHT]
        rows[0][0] = "20"
        self.assertEqual(self.failing(rows), {"k-anonymity", "distinct-l-diversity", "max-frequency", "t-closeness"})

    def test_one_sensitive_value(self):
        rows = [list(row) for row in self.RIGHT]
        rows[1][2] = "flu"
        self.assertLessEqual({"distinct-l-diversity", "max-frequency", "sensitive-values-as-they-occur", "labels-cover-their-rows"},
                             self.failing(rows))

    def test_values_exchanged_between_groups(self):
        rows = [list(row) for row in self.RIGHT]
        rows[0][2], rows[4][2] = "gout", "flu"
        self.assertIn("labels-cover-their-rows", self.failing(rows))

    def test_label_too_narrow(self):
        rows = [[row[0].replace("[30-36]", "[30-35]"), *row[1:]] for row in self.RIGHT]
        self.assertEqual(self.failing(rows), {"labels-cover-their-rows", "every-row-has-a-group"})

    def test_lost_row(self):
        self.assertIn("suppressed-rows", self.failing(self.RIGHT[:-1]))
        allowed = self.POLICY + "[method]\nmax_suppressed = 0.2\n"
        self.assertNotIn("suppressed-rows", self.failing(self.RIGHT[:-1], allowed))
        answer = self.judged(self.RIGHT[:-1], allowed)
        self.assertEqual(answer["discernibility"], 4 + 9 + 6)
        self.assertAlmostEqual(answer["ncp"]["columns"]["job"], (3 * (3 / 4) + 1) / 6)

    def test_row_too_many(self):
        self.assertIn("suppressed-rows", self.failing([*self.RIGHT, self.RIGHT[0]]))

    def test_far_from_the_table(self):
        self.assertEqual(self.failing(self.RIGHT, self.POLICY.replace("max = 0.4", "max = 0.16")), {"t-closeness"})

    def test_label_that_cannot_be_read(self):
        for wrong in ("old", "[20-", "{a|zz}", "21"):
            with self.assertRaises(judge.Refused):
                self.judged([[wrong, "a", "flu"]])

    def test_what_is_not_known(self):
        for line in ("[method]\noutput = \"centroid\"", "[release]\nfragmented = true", "[dp]\nepsilon = 1"):
            with self.assertRaises(judge.Refused):
                self.judged(self.RIGHT, self.POLICY + line)


def covered_codes(a_column, label):
    return [code for lo, hi in a_column.read(str(label)).ranges for code in range(lo, hi + 1)]


@unittest.skipUnless(program(), "no program is built")
class AgainstProgram(unittest.TestCase):
    """Both hands on the same releases: the figures are the same to nine digits, and what was published holds."""

    def compare(self, policy, *settings):
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "release")
            command = [program(), "publish", str(policy), "--out", out, "--json", "-q", *settings]
            run = subprocess.run(command, capture_output=True, text=True, check=False)
            # a promise that nobody can keep is no matter for a judge
            if run.returncode == 1 and not os.path.exists(out):
                return None
            self.assertEqual(run.returncode, 0, run.stderr)
            theirs = json.loads(run.stdout)["utility"]
            ours = judge.judge(str(policy), [out])[0]
        self.assertTrue(ours["holds"], ours["checks"])
        for key in ("rows", "published_rows", "suppressed_rows", "groups"):
            self.assertEqual(ours[key], theirs[key], key)
        self.assertEqual(ours["discernibility"], int(theirs["discernibility"]))
        self.assertAlmostEqual(ours["average_group_size"], theirs["average_group_size"], 9)
        self.assertAlmostEqual(ours["ncp"]["overall"], theirs["ncp"]["overall"], 9)
        for entry in theirs["ncp"]["columns"]:
            self.assertAlmostEqual(ours["ncp"]["columns"][entry["column"]], entry["loss"], 9, entry["column"])
        for key in ("mean", "median"):
            self.assertAlmostEqual(ours["query_error"][key], theirs["query_error"][key], 7, key)
        return ours

    def test_examples(self):
        for example in ("hospitals/policy.toml", "my-tables/policy.toml", "partners/joined.toml"):
            with self.subTest(example):
                self.assertIsNotNone(self.compare(TOP / "examples" / example))

    def test_made_up_tables(self):
        """Every form of column and hierarchy, several promises and methods, drawn anew for each seed."""
        published = 0
        for seed in range(int(os.environ.get("SEEDS", "12"))):
            with self.subTest(seed=seed), tempfile.TemporaryDirectory() as folder:
                published += self.compare(made_up(Path(folder), random.Random(seed))) is not None
        self.assertGreater(published, 6)

    def test_a_wrong_figure_is_noticed(self):
        """The comparison itself can fail: a policy that differs in one hierarchy gives other figures."""
        with tempfile.TemporaryDirectory() as folder:
            policy = made_up(Path(folder), random.Random(1))
            out = os.path.join(folder, "release")
            subprocess.run([program(), "publish", str(policy), "--out", out, "-q"], check=True, capture_output=True)
            before = judge.judge(str(policy), [out], 200)[0]
            lines = Path(out, "public/data.csv").read_text(encoding="utf-8").splitlines(keepends=True)
            Path(out, "public/data.csv").write_text("".join(lines[:-1]), encoding="utf-8")
            after = judge.judge(str(policy), [out], 200)[0]
        self.assertFalse(after["holds"])
        self.assertNotEqual(before["ncp"]["overall"], after["ncp"]["overall"])


COLUMNS = {
    "age": ('role = "quasi-identifier"', lambda d: str(d.randrange(0, 95))),
    "weight": ('role = "quasi-identifier"', lambda d: f"{d.gauss(70, 12):.1f}"),
    "income": ('role = "quasi-identifier"\nhierarchy = { intervals = [500, 1000, 5000] }', lambda d: str(d.randrange(-200, 9000))),
    "height": ('role = "quasi-identifier"\nkind = "decimal"\nhierarchy = { bands = [[1.5, 1.625, 1.8], [1.8]] }',
               lambda d: f"{d.uniform(1.4, 2):.2f}"),
    "zip": ('role = "quasi-identifier"\nkind = "category"\nhierarchy = { mask = 5 }', lambda d: f"0{d.randrange(1000, 1040)}"),
    "code": ('role = "quasi-identifier"\nhierarchy = { prefix = [3, 1] }', lambda d: d.choice(["250", "250.83", "25", "414.01", "V58", "401"])),
    "born": ('role = "quasi-identifier"\nhierarchy = { age = "2024-12-31", bands = [18, 65] }',
             lambda d: f"{d.randrange(1930, 2024)}-{d.randrange(1, 13):02}-{d.randrange(1, 29):02}"),
    "seen": ('role = "quasi-identifier"\nhierarchy = { dates = ["month", "year"] }',
             lambda d: f"{d.randrange(2019, 2022)}-{d.randrange(1, 13):02}-{d.randrange(1, 29):02}"),
    "day": ('role = "quasi-identifier"', lambda d: f"2020-{d.randrange(1, 13):02}-{d.randrange(1, 29):02}"),
    "band": ('role = "quasi-identifier"', lambda d: d.choice(["[0-10)", "[10-20)", "[20-30)", "30+"])),
    "job": ('role = "quasi-identifier"', lambda d: d.choice(["clerk", "nurse", "a|b", "cook {x}", "=sum", "-"])),
    "town": ('role = "quasi-identifier"\nhierarchy = "town.csv"', lambda d: d.choice(["Ulm", "Bonn", "Kiel", "Graz", "Linz"])),
    "icd": ('role = "quasi-identifier"\nkind = "category"\nhierarchy = "icd.csv"', lambda d: str(d.choice([250, 401, 401.9, "V58", 733]))),
    "level": ('role = "quasi-identifier"\norder = ["low", "mid", "high"]', lambda d: d.choice(["low", "mid", "high"])),
}
PROMISES = ["k = 3", "k = 4\nl = { distinct = 2 }", "k = 2\nl = { entropy = 1.5 }", "k = 3\nmax_frequency = 0.75",
            'k = 3\nt = { max = 0.45, distance = "equal" }', 'k = 2\nt = { max = 0.3, distance = "ordered" }',
            "k = 3\nl = { recursive = { c = 3, l = 2 } }", 'k = 3\nt = { max = 0.4, distance = "hierarchical" }']


def made_up(folder, draw):
    """A table and its policy in a folder."""
    Path(folder, "town.csv").write_text("Kiel;north;D;Any\nBonn;west;D;Any\nUlm;south;D;Any\nGraz;A;A;Any\nLinz;A;A;Any\n", encoding="utf-8")
    Path(folder, "icd.csv").write_text("390-459;heart;*\n250;glands;*\n*;other;*\n", encoding="utf-8")
    Path(folder, "ill.csv").write_text("flu;cold;*\ncough;cold;*\ngout;other;*\n", encoding="utf-8")
    names = draw.sample(sorted(COLUMNS), draw.randrange(2, 6))
    missing = draw.choice([0, 0, 0.05])
    rows = []
    for _ in range(draw.randrange(60, 300)):
        row = [draw.choice(["", "?"]) if draw.random() < missing else COLUMNS[name][1](draw) for name in names]
        rows.append([*row, draw.choice(["flu", "flu", "cough", "gout"]), draw.randrange(10, 30)])
    write_table(Path(folder, "data.csv"), [*names, "ill", "cost"], rows)
    promise = draw.choice(PROMISES)
    text = '[data]\npath = "data.csv"\n'
    for name in names:
        text += f"[columns.{name}]\n{COLUMNS[name][0]}\n"
    text += '[columns.ill]\nrole = "sensitive"\nhierarchy = "ill.csv"\norder = ["flu", "cough", "gout"]\n'
    # a second sensitive column of numbers, where the distance does not need a hierarchy
    text += f'[columns.cost]\nrole = "{"insensitive" if "hierarchical" in promise or draw.random() < 0.6 else "sensitive"}"\n'
    method = draw.choice(["agglomerative", "agglomerative", "mondrian", "datafly", "microaggregation"])
    text += f'[privacy]\n{promise}\n[method]\nname = "{method}"\nseed = {draw.randrange(5)}\n'
    if draw.random() < 0.3:
        text += "max_suppressed = 0.1\n"
    policy = Path(folder, "policy.toml")
    policy.write_text(text, encoding="utf-8")
    return policy


if __name__ == "__main__":
    unittest.main()
