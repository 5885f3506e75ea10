#!/usr/bin/env python3
"""Tests of check_release.py: the Parquet reader, tampered releases, and verdicts beside `mingle verify`.

    tools/test_check_release.py                  the program is found as for tools/test_judge.py
    CASES=5000 tools/test_check_release.py       more drawn tables; 60 otherwise

A drawn table is judged by both programs against drawn promises, most of which fail: agreement on releases that hold
would show little. Releases are then published, checked by both, and damaged in ways that both must notice.
"""

import csv
import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import unittest
from collections import Counter, defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import check_release  # noqa: E402
from check_release import Kind  # noqa: E402
from parquet import UnreadableParquet, read_parquet, unsnap  # noqa: E402
from test_judge import program  # noqa: E402

CASES = int(os.environ.get("CASES", "60"))
TOP = Path(__file__).resolve().parent.parent
VALUES = ["flu", "gout", "hiv", "cough", ""]


class DrawnTable:
    """A small table with people and providers, and promises about it."""

    def __init__(self, seed):
        draw = random.Random(seed)
        self.seed = seed
        self.counts_people = draw.random() < 0.5
        self.knows = draw.choice(["people", "rows"])
        self.m = draw.randrange(3)
        self.rows = []
        for person in range(draw.randint(3, 12)):
            # everybody is in one group
            label = draw.choice(["*", "130**"])
            home = draw.choice("ABC")
            for _ in range(draw.choice([1, 1, 2, 4, 11]) if self.counts_people else 1):
                site = home if draw.random() < 0.8 else draw.choice("ABC")
                self.rows.append((label, draw.choice(VALUES), draw.choice(["low", "high"]), f"p{person}", site))
        self.promises = self.drawn_promises(draw)

    def drawn_promises(self, draw):
        kinds = [
            "k = %d" % draw.randint(1, 5),
            "max_frequency = %s" % draw.choice([0.3, 0.5, 0.75]),
            "l = { distinct = %d }" % draw.randint(1, 3),
            "l = { entropy = %s }" % draw.choice([1.5, 2, 2.5]),
            "l = { recursive = { c = %s, l = %d } }" % (draw.choice([1, 1.5, 3]), draw.randint(1, 3)),
            't = { max = %s, distance = "equal" }' % draw.choice([0.2, 0.4, 0.6]),
            "max_share_of_rows = %s" % draw.choice([0.3, 0.5, 0.8]),
        ]
        chosen = {line.split(" = ")[0]: line for line in draw.sample(kinds, 3)}
        if "k" not in chosen and self.counts_people:
            chosen.setdefault("max_share_of_rows", "max_share_of_rows = 1")
        if draw.random() < 0.2:
            chosen["joint"] = "joint = true"
        return "\n".join(chosen.values())

    def policy(self):
        person = f'person = "who"\n' if self.counts_people else 'person = "row"\n'
        knows = f'knows = "{self.knows}"\n' if self.counts_people else ""
        return (f'[data]\nprovider_column = "site"\n{person}[columns.who]\nrole = "identifier"\n[columns.zip]\n'
                'role = "quasi-identifier"\n[columns.disease]\nrole = "sensitive"\n[columns.income]\nrole = "sensitive"\n'
                f'[privacy]\nm = {self.m}\n{knows}{self.promises}\n')

    def groups(self):
        """Labels → kinds; each person, or each row, is a kind."""
        groups = defaultdict(dict)
        for number, (label, disease, income, who, site) in enumerate(self.rows):
            kind = groups[label].setdefault(who if self.counts_people else number, Kind())
            kind.rows[(disease, income)] += 1
            kind.known_to.add(site)
        return {label: list(kinds.values()) for label, kinds in groups.items()}


@unittest.skipUnless(program(), "the program is not built")
class BesideTheProgram(unittest.TestCase):
    def verify(self, folder, *arguments):
        run = subprocess.run([program(), "verify", *arguments, "--json"], cwd=folder, capture_output=True, text=True)
        return json.loads(run.stdout)

    def test_drawn_tables_are_judged_alike(self):
        seen = Counter()
        for seed in range(CASES):
            drawn = DrawnTable(seed)
            with tempfile.TemporaryDirectory() as folder:
                (Path(folder) / "policy.toml").write_text(drawn.policy())
                with open(Path(folder) / "table.csv", "w", newline="") as file:
                    csv.writer(file).writerows([("zip", "disease", "income", "who", "site"), *drawn.rows])
                theirs = self.verify(folder, "--table", "table.csv", "--policy", "policy.toml")
            if theirs.get("schema") != "mingle.verify/1":
                # a promise that cannot be decided for what insiders know is refused
                seen["refused"] += 1
                continue
            self.compare(drawn, theirs, seen)
        self.assertGreater(seen["holds"], CASES // 10, seen)
        self.assertGreater(seen["fails"], CASES // 10, seen)
        print(f"verdicts compared: {dict(seen)}", file=sys.stderr)

    def compare(self, drawn, theirs, seen):
        entries = [entry for entry in theirs["constraints"] if entry["name"] != "rows-together"]
        columns = [{"name": "zip", "role": "quasi-identifier"}, {"name": "disease", "role": "sensitive"},
                   {"name": "income", "role": "sensitive"}]
        promises = [{key: value for key, value in entry.items() if key != "verdict"} for entry in entries]
        # the program reduces m where there are too few providers
        manifest = {"columns": columns, "promises": promises, "m": theirs["m"], "missing": "", "semantics": "victim"}
        if drawn.counts_people:
            manifest["people"] = {"knows": drawn.knows}
        ours = check_release.judge_groups(drawn.groups(), manifest, {}, None, True)
        for entry, own in zip(entries, ours, strict=True):
            both = (entry["verdict"], own["verdict"])
            if "undecided" in both:
                seen["undecided"] += 1
                continue
            self.assertEqual(*both, f"seed {drawn.seed}: {entry}\n{drawn.policy()}")
            seen[entry["verdict"]] += 1

    def published(self, folder, policy, rows):
        folder = Path(folder)
        (folder / "policy.toml").write_text(policy)
        with open(folder / "table.csv", "w", newline="") as file:
            csv.writer(file).writerows([("age", "disease", "who", "site"), *rows])
        run = subprocess.run([program(), "publish", "policy.toml", "--out", "out"], cwd=folder, capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)
        return folder / "out"

    def rows(self, seed, visits):
        draw = random.Random(seed)
        rows = []
        for person in range(120):
            age, home = draw.randint(20, 60), draw.choice("ABC")
            for _ in range(draw.randint(1, visits)):
                rows.append((age, draw.choice(VALUES[:4]), f"p{person}", home))
        return rows

    def policy(self, person, privacy, release_format="csv"):
        return (f'[data]\npath = "table.csv"\nprovider_column = "site"\nperson = "{person}"\n[columns.age]\n'
                'role = "quasi-identifier"\n[columns.disease]\nrole = "sensitive"\n[columns.who]\nrole = "identifier"\n'
                f'[privacy]\n{privacy}\n[release]\nformat = "{release_format}"\n')

    def test_releases_are_checked_alike_and_damage_is_found(self):
        cases = [
            ("row", "m = 1\nk = 3\nl = { distinct = 2 }", "csv", 1),
            ("row", 'm = 1\nk = 2\nt = { max = 0.4, distance = "equal" }\nmax_frequency = 0.75', "parquet", 1),
            ("who", "m = 1\nk = 3\nl = { distinct = 2 }", "csv", 3),
            ("who", "m = 0\nk = 2\nl = { entropy = 1.5 }", "csv", 3),
            ("row", 'm = 1\nsemantics = "strict"\nk = 3', "csv", 1),
            ("row", 'm = 1\nk = 3\nl = { distinct = 2 }', 'csv"\nfragmented = true #', 1),
        ]
        for seed, (person, privacy, release_format, visits) in enumerate(cases):
            with self.subTest(privacy=privacy), tempfile.TemporaryDirectory() as folder:
                policy = self.policy(person, privacy, release_format)
                release = self.published(folder, policy, self.rows(seed, visits))
                ours, theirs = check_release.check(str(release)), self.verify(folder, "out")
                self.assertEqual((ours["verdict"], ours["problems"]), ("holds", []), ours)
                self.assertEqual([theirs[key] for key in ("verdict", "groups", "records")],
                                 [ours[key] for key in ("verdict", "groups", "records")])
                self.damaged(release)

    def damaged(self, release):
        """A row less, a promise more, an audit that says otherwise; checksums mended as a forger would."""
        manifest = json.loads((release / "public/manifest.json").read_text())
        stronger = self.copied(release)
        manifest["promises"] = [{"name": "k-anonymity", "k": 50}]
        seal(stronger / "public/manifest.json", manifest)
        adopt(stronger)
        answer = check_release.check(str(stronger))
        self.assertEqual((answer["verdict"], answer["problems"]), ("fails", []), answer)
        self.assertGreater(answer["constraints"][0]["failing"], 0)
        unsealed = self.copied(release)
        with open(unsealed / "public/manifest.json", "a") as file:
            file.write(" ")
        self.assertTrue(check_release.check(str(unsealed))["problems"])
        if not (release / "public/data.csv").exists():
            return
        shorter = self.copied(release)
        lines = (shorter / "public/data.csv").read_text().splitlines(keepends=True)
        (shorter / "public/data.csv").write_text("".join(lines[:-1]))
        self.assertTrue(check_release.check(str(shorter))["problems"])
        # the same, with hashes that fit: the audit does not add up
        manifest = json.loads((release / "public/manifest.json").read_text())
        data = (shorter / "public/data.csv").read_bytes()
        manifest["files"][0].update(bytes=len(data), sha256=hashlib.sha256(data).hexdigest())
        seal(shorter / "public/manifest.json", manifest)
        adopt(shorter)
        self.assertEqual(check_release.check(str(shorter))["problems"], ["the audit does not add up to the published table"])

    def copied(self, release):
        folder = Path(tempfile.mkdtemp(dir=release.parent))
        shutil.copytree(release, folder / "out")
        return folder / "out"

    def test_the_public_part_alone_shows_nothing_about_insiders(self):
        with tempfile.TemporaryDirectory() as folder:
            release = self.published(folder, self.policy("row", "m = 1\nk = 3"), self.rows(0, 1))
            shutil.rmtree(release / "private")
            self.assertEqual(check_release.check(str(release))["verdict"], "undecided")


def seal(path, manifest):
    manifest["checksum"] = "0" * 64
    text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
    path.write_text(text.replace("0" * 64, hashlib.sha256(text.encode()).hexdigest()))


def adopt(release):
    """The private part belongs to whatever the public one is now."""
    path = release / "private/manifest.json"
    manifest = json.loads(path.read_text())
    manifest["public_manifest"] = hashlib.sha256((release / "public/manifest.json").read_bytes()).hexdigest()
    seal(path, manifest)


class Coalitions(unittest.TestCase):
    @staticmethod
    def kind(known_to, people=1, **rows):
        own = Kind()
        own.people, own.rows, own.known_to = people, Counter({(value,): count for value, count in rows.items()}), set(known_to)
        return own

    @staticmethod
    def promise(**entry):
        return check_release.Promise(entry, 0, {""}, True)

    def test_only_a_stranger_is_found_out(self):
        # A knows somebody with twelve rows of flu. It may leave out all others whom it knows, so that she has half of the rows;
        # but about her it has nothing to learn, and the others are as different as before
        group = [self.kind("A", flu=12), self.kind("A", people=10, gout=1), self.kind("A", people=10, hiv=1)]
        for site in "BC":
            group += [self.kind(site, people=2, **{value: 1}) for value in ("flu", "gout", "hiv")]
        distinct = self.promise(name="distinct-l-diversity", column="d", l=2)
        distinct.is_monotone = lambda: False
        self.assertEqual(check_release.Adversary(1, "people", True).judge(group, distinct), "holds")
        # to somebody who does not know her she is found out, where she has more than the rows of others
        few = [(kind.people, kind) for kind in group[:1] + group[3:]]
        self.assertFalse(distinct.holds(few, few))

    def test_who_is_left_in_never_helps(self):
        draw = random.Random(7)
        seen = Counter()
        for _ in range(400):
            group = []
            for _ in range(draw.randint(2, 6)):
                rows = {value: draw.choice([1, 1, 2, 7]) for value in draw.sample(["flu", "gout", "hiv", "cough"], draw.randint(1, 3))}
                group.append(self.kind(draw.sample("ABC", draw.choice([1, 1, 2])), people=draw.randint(1, 3), **rows))
            promise = draw.choice([
                self.promise(name="k-anonymity", k=draw.randint(2, 6)),
                self.promise(name="distinct-l-diversity", column="d", l=draw.randint(2, 3)),
                self.promise(name="max-share-of-rows", max=draw.choice([0.25, 0.5, 0.75])),
            ])
            adversary = check_release.Adversary(draw.randint(0, 2), "people", True)
            short = adversary.judge(group, promise)
            promise.is_monotone = lambda: False
            self.assertEqual(short, adversary.judge(group, promise))
            seen[promise.name, short] += 1
        self.assertEqual(len(seen), 6, seen)


class Parquet(unittest.TestCase):
    def test_snappy(self):
        # a literal of three bytes, then six bytes from three back
        self.assertEqual(unsnap(bytes([9, 2 << 2]) + b"abc" + bytes([(6 - 4) << 2 | 1, 3])), b"abcabcabc")
        for damaged in (b"", bytes([9, 2 << 2]) + b"abc", bytes([4, 1, 1])):
            with self.assertRaises(UnreadableParquet):
                unsnap(damaged)

    def test_what_is_no_parquet_is_refused(self):
        with tempfile.NamedTemporaryFile() as file:
            for content in (b"", b"PAR1PAR1", b"PAR1" + b"\xff" * 40 + b"PAR1"):
                Path(file.name).write_bytes(content)
                with self.assertRaises(UnreadableParquet):
                    read_parquet(file.name)


if __name__ == "__main__":
    unittest.main()
