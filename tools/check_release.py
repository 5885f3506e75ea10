#!/usr/bin/env python3
"""Checks a release once more: a second program that recomputes every promise from the release's own files.

    tools/check_release.py RELEASE [--policy POLICY]

RELEASE is a folder that `mingle publish` wrote. Read are the published tables, the audit (who contributed what) and the
manifests (what is promised); no code and no figure of the program. POLICY is needed only where t-closeness is promised by
a hierarchy or an order that the policy declares.

What is checked
* Files: sizes, SHA-256, checksums of the manifests, and that the private part belongs to the public one.
* The audit: added up over providers it is the published table, group by group and value by value.
* Promises: groups are formed anew from the published texts; then, for every coalition of at most m providers that leaves
  somebody unknown, and for whatever it may leave out of what it knows, every constraint by its definition
  (docs/concepts/exact-verification.md, docs/concepts/people.md).

How. A group is a list of kinds: so many people who have the same rows. Without `person` each row is somebody. A coalition
may leave out any of the people it knows; all constraints describe convex sets of counts, so it is enough to try, for each
kind it knows, all of them or none. Constraints that more people never break need only *none*. What would take more than
20,000 trials in a group is undecided and counts as not checked.

Prints a JSON object. Exit code 0: all promises hold; 1: some do not, or files do not fit together; 2: refused (noise, what
two sites made, files that cannot be read); 4: something is undecided, or needs the private part.
Plain Python 3.11 or later, standard library only.
"""

import argparse
import csv
import hashlib
import itertools
import json
import os
import sys
import tomllib
from collections import Counter, defaultdict
from fractions import Fraction

from judge import Column, Refused, closeness, has_entropy, unguard
from judge_people import as_whole_numbers, hits_everybody, is_recursive
from parquet import UnreadableParquet, read_parquet

TRIALS = 20_000
HOLDS, FAILS, UNDECIDED = "holds", "fails", "undecided"
csv.field_size_limit(1 << 30)


# ---------------------------------------------------------------------------------------------------------------------
# Files


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def read_manifest(folder, problems):
    """A manifest; its last field is a checksum of its bytes with the digits replaced by zeros."""
    path = os.path.join(folder, "manifest.json")
    with open(path, "rb") as file:
        data = file.read()
    manifest = json.loads(data)
    stated = str(manifest.get("checksum", "")).encode()
    before, _, behind = data.rpartition(stated)
    if hashlib.sha256(before + b"0" * len(stated) + behind).hexdigest().encode() != stated:
        problems.append(f"{path}: the checksum does not match")
    return manifest


def check_file(folder, entry, problems):
    path = os.path.join(folder, entry["name"])
    if not os.path.isfile(path) or os.path.islink(path):
        problems.append(f"{path}: not there, or no file")
    elif os.path.getsize(path) != entry["bytes"] or digest(path) != entry["sha256"]:
        problems.append(f"{path}: other bytes than the manifest says")


def read_table(path):
    """Names of columns → texts."""
    if path.endswith(".parquet"):
        return {name: [as_text(value) for value in column] for name, column in read_parquet(path).items()}
    with open(path, encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        names = [unguard(name) for name in next(rows)]
        columns = [[] for _ in names]
        for row in rows:
            if len(row) != len(names):
                raise Refused(f"{path}: a row has {len(row)} cells, expected {len(names)}")
            for column, text in zip(columns, row, strict=True):
                column.append(unguard(text))
        return dict(zip(names, columns, strict=True))


def as_text(value):
    return "" if value is None else str(value)


# ---------------------------------------------------------------------------------------------------------------------
# Groups


class Kind:
    """People of a group who have the same rows: how many they are, their rows by sensitive values, who knows them."""

    def __init__(self):
        self.people, self.rows, self.known_to = 1, Counter(), set()

    def row_count(self):
        return sum(self.rows.values())

    def values(self, place, missing):
        """S_v: the values of a column, missing ones left out."""
        return {value_at(values, place) for values in self.rows if not is_missing(values, place, missing)}


def value_at(values, place):
    """The value of one sensitive column, or the combination of all."""
    return values if place is None else values[place]


def is_missing(values, place, missing):
    if place is None:
        return any(value in missing for value in values)
    return values[place] in missing


def groups_of_public(public, manifest):
    """Labels → how often each combination of sensitive values is published."""
    quasi, sensitive = names_by_role(manifest)
    groups = defaultdict(Counter)
    [entry] = manifest["files"]
    table = read_table(os.path.join(public, entry["name"]))
    for row in zip(*(table[name] for name in quasi + sensitive), strict=True):
        groups[row[: len(quasi)]][row[len(quasi) :]] += 1
    if not quasi + sensitive:
        groups[()][()] = manifest["rows"]
    return groups


def groups_of_fragments(public, manifest):
    """Group number → per sensitive column how often each value is published; labels are the same within a group."""
    sensitive = names_by_role(manifest)[1]
    groups = defaultdict(lambda: [Counter() for _ in sensitive])
    labels, sizes = {}, Counter()
    for entry in manifest["tables"]:
        table = read_table(os.path.join(public, entry["file"]))
        numbers, *columns = (table[name] for name in entry["columns"])
        rows = zip(*columns, strict=True)
        for number, row in zip(numbers, rows, strict=True):
            if entry is manifest["tables"][0]:
                sizes[number] += 1
                if labels.setdefault(number, row) != row:
                    raise Refused(f"group {number} has several labels")
            else:
                groups[(number,)][sensitive.index(entry["columns"][1])][row[0]] += 1
    for (number,), counts in groups.items():
        if any(sum(count.values()) != sizes[number] for count in counts):
            raise Refused(f"the tables of group {number} have different sizes")
    return groups, sum(sizes.values())


def column_by_column(sums, columns):
    """What fragments show of linked rows."""
    apart = {}
    for label, counts in sums.items():
        apart[label] = [Counter() for _ in range(columns)]
        for values, count in counts.items():
            for place, value in enumerate(values):
                apart[label][place][value] += count
    return apart


def names_by_role(manifest):
    names = defaultdict(list)
    for column in manifest["columns"]:
        names[column["role"]].append(column["name"])
    return names["quasi-identifier"], names["sensitive"]


def groups_of_audit(folder, private, manifest):
    """Labels → kinds."""
    audit = private["audit"]
    table = read_parquet(os.path.join(folder, audit["file"]["name"]))
    quasi, sensitive = names_by_role(manifest)
    counts, providers = table[audit["count_column"]], table[audit["provider_column"]]
    if "gid_column" in audit:
        labels = [(str(number),) for number in table[audit["gid_column"]]]
    else:
        labels = list(zip(*(table[name] for name in quasi), strict=True)) if quasi else [()] * len(counts)
    values = list(zip(*(table[name] for name in sensitive), strict=True)) if sensitive else [()] * len(counts)
    people = audit.get("people")
    groups = defaultdict(dict)
    for row, label in enumerate(labels):
        if people is None:
            # each row is somebody
            kind = groups[label].setdefault((providers[row], values[row]), Kind())
            kind.people, kind.rows = counts[row], Counter({values[row]: 1})
        else:
            kind = groups[label].setdefault(table[people["kind_column"]][row], Kind())
            kind.people = table[people["people_column"]][row]
            each = table[people["rows_each_column"]][row]
            if each:
                kind.rows[values[row]] += each
            if kind.people * each != counts[row]:
                raise Refused("the audit's people and rows do not multiply to its counts")
        kind.known_to.add(providers[row])
    return {label: list(kinds.values()) for label, kinds in groups.items()}


def added_up(groups):
    """What the audit says is published."""
    sums = {}
    for label, kinds in groups.items():
        sums[label] = Counter()
        for kind in kinds:
            for values, each in kind.rows.items():
                sums[label][values] += kind.people * each
    return sums


# ---------------------------------------------------------------------------------------------------------------------
# Constraints: whether the people who are left satisfy one


class Promise:
    """One constraint. `left` and `strangers` are lists of (people, kind): all who are left, and those of them whom the coalition
    does not know. Only a stranger can be found out, so a bound on one person's rows is a bound on a stranger's."""

    def __init__(self, entry, place, missing, counts_people):
        self.entry, self.name, self.place, self.missing = entry, entry["name"], place, missing
        self.counts_people = counts_people
        self.column = self.reference = self.weight_reference = None

    def is_monotone(self):
        """Whether people whom a coalition knows, and leaves in, never help it. They add to the rows of others, and a set of values
        that touches everybody has to touch them as well; tests compare this with all choices."""
        return self.name in ("k-anonymity", "distinct-l-diversity", "max-share-of-rows")

    def number(self, key):
        return Fraction(str(self.entry[key]))

    def holds(self, left, strangers):
        if self.name == "k-anonymity":
            return sum(people for people, _ in left) >= self.entry["k"]
        if self.name == "max-share-of-rows":
            rows = sum(people * kind.row_count() for people, kind in left)
            return all(kind.row_count() <= self.number("max") * rows for _, kind in strangers)
        rows = row_counts(left, self.place)
        if self.name == "distinct-l-diversity":
            return self.is_distinct(left, strangers, rows)
        if self.name == "max-frequency":
            return self.is_infrequent(left, rows)
        if self.name == "entropy-l-diversity":
            least = self.number("l")
            if not has_entropy(list(rows.values()), least):
                return False
            return not self.counts_people or (
                self.hitting_number_reaches(left, -(-least.numerator // least.denominator))
                and has_entropy(as_whole_numbers(self.weights(left)), least)
            )
        if self.name == "recursive-l-diversity":
            c, least = self.number("c"), self.entry["l"]
            if not is_recursive(list(rows.values()), c, least):
                return False
            return not self.counts_people or (
                self.hitting_number_reaches(left, least)
                and is_recursive(list(self.weights(left).values()), c, least)
            )
        if self.name == "t-closeness":
            if self.distance(rows, self.reference) > self.number("max"):
                return False
            return not self.counts_people or self.distance(self.weights(left), self.weight_reference) <= self.number("max")
        raise Refused(f"the constraint {self.name} is not known here")

    def is_distinct(self, left, strangers, rows):
        """No l - 1 values touch everybody; and who knows how many rows a stranger has cannot tell either."""
        least = self.entry["l"]
        if not self.hitting_number_reaches(left, least):
            return False
        present = Counter()
        for people, kind in left:
            for values, each in kind.rows.items():
                if not is_missing(values, self.place, self.missing):
                    present[value_at(values, self.place)] += people * each
        most = max(kind.row_count() for _, kind in strangers)
        commonest = sum(count for _, count in present.most_common(least - 1))
        return most + commonest <= sum(rows.values())

    def hitting_number_reaches(self, left, least):
        sets = {frozenset(kind.values(self.place, self.missing)) for _, kind in left}
        sets = [own for own in sets if own]
        return bool(sets) and not hits_everybody(sets, least - 1)

    def is_infrequent(self, left, rows):
        most = self.number("max")
        if any(count > most * sum(rows.values()) for count in rows.values()):
            return False
        holders = Counter()
        for people, kind in left:
            for value in kind.values(self.place, self.missing):
                holders[value] += people
        everybody = sum(people for people, _ in left)
        return not self.counts_people or all(count <= most * everybody for count in holders.values())

    def weights(self, left):
        """Everybody spreads weight 1 evenly over her values."""
        amounts = defaultdict(Fraction)
        for people, kind in left:
            own = kind.values(self.place, self.missing)
            for value in own:
                amounts[value] += Fraction(people, len(own))
        return dict(amounts)

    def refer_to(self, everybody, column):
        """What t-closeness compares with: the whole published table."""
        self.column = column
        self.reference = row_counts(everybody, self.place)
        self.weight_reference = self.weights(everybody)

    def distance(self, own, reference):
        if not own or not reference:
            return Fraction(1)
        own = {self.code(value): count for value, count in own.items()}
        reference = {self.code(value): count for value, count in reference.items()}
        return closeness(self.column, own, reference, self.entry.get("distance", "equal"))

    def code(self, value):
        return self.column.missing if value in self.missing else self.column.code_by_text[value]


def alike_for(promise, kinds):
    """Rows of one provider with the same value of the promise's column are one kind."""
    merged = {}
    for kind in kinds:
        [values] = kind.rows
        key = (tuple(kind.known_to), value_at(values, promise.place))
        if key not in merged:
            merged[key] = Kind()
            merged[key].people, merged[key].rows, merged[key].known_to = 0, kind.rows, kind.known_to
        merged[key].people += kind.people
    return list(merged.values())


def row_counts(left, place):
    counts = Counter()
    for people, kind in left:
        for values, each in kind.rows.items():
            counts[value_at(values, place)] += people * each
    return counts


# ---------------------------------------------------------------------------------------------------------------------
# Coalitions


class Adversary:
    """Up to m providers; `knows` says whom they know of people with rows at several."""

    def __init__(self, m, knows, counts_people):
        self.m, self.knows, self.counts_people = m, knows, counts_people

    def coalitions(self, kinds):
        """Where each row is somebody, only the largest matter: a larger one can do whatever a smaller one can."""
        providers = sorted(set().union(*(kind.known_to for kind in kinds)))
        if self.counts_people:
            sizes = range(min(self.m, len(providers)) + 1)
        else:
            sizes = [min(self.m, len(providers) - 1)]
        for size in sizes:
            yield from itertools.combinations(providers, size)

    def is_known(self, kind, coalition):
        inside = kind.known_to & set(coalition)
        return inside == kind.known_to if self.knows == "rows" else bool(inside)

    def judge(self, kinds, promise):
        """Whether a promise holds in a group whatever a coalition leaves out."""
        shares_people = any(len(kind.known_to) > 1 for kind in kinds)
        if self.m and self.knows == "rows" and shares_people and promise.name != "k-anonymity":
            # a coalition may then also leave out some rows of somebody it does not know
            return UNDECIDED
        if self.can_never_lose(kinds, promise):
            return HOLDS
        if not self.counts_people:
            kinds = alike_for(promise, kinds)
        trials = 0
        for coalition in self.coalitions(kinds):
            known = [kind for kind in kinds if self.is_known(kind, coalition)]
            unknown = [(kind.people, kind) for kind in kinds if not self.is_known(kind, coalition)]
            if not unknown:
                continue
            for left in self.remaining(known, promise):
                trials += 1
                if trials > TRIALS:
                    return UNDECIDED
                if not promise.holds(unknown + left, unknown):
                    return FAILS
        return HOLDS

    def can_never_lose(self, kinds, promise):
        """Distinct values that more than m providers have cannot be taken away; most groups are decided by that."""
        if self.counts_people or promise.name != "distinct-l-diversity":
            return False
        holders = defaultdict(set)
        for kind in kinds:
            for value in kind.values(promise.place, promise.missing):
                holders[value] |= kind.known_to
        return sum(len(providers) > self.m for providers in holders.values()) >= promise.entry["l"]

    def remaining(self, known, promise):
        """What may be left of the people whom a coalition knows: of each kind all, or nobody."""
        if promise.is_monotone():
            return [[]]
        choices = itertools.product([False, True], repeat=len(known))
        return ([(kind.people, kind) for kind, stays in zip(known, choice, strict=True) if stays] for choice in choices)


# ---------------------------------------------------------------------------------------------------------------------
# The whole


def columns_for_distances(promises, everybody, policy, folder, sensitive):
    for promise in promises:
        if promise.name != "t-closeness":
            continue
        name = sensitive[promise.place]
        texts = set(row_counts(everybody, promise.place))
        entry = policy.get("columns", {}).get(name, {})
        if promise.entry.get("distance") == "equal":
            entry = {"kind": "category"}
        promise.refer_to(everybody, Column(name, entry, texts, sorted(promise.missing), folder))


def check(release, policy_path=None):
    """The object that is printed, see the top of this file."""
    problems = []
    public, private = os.path.join(release, "public"), os.path.join(release, "private")
    manifest = read_manifest(public, problems)
    if manifest.get("schema") != "mingle.release/1":
        raise Refused(f"{public}: no release of groups; noise is not judged here")
    for entry in manifest["files"]:
        check_file(public, entry, problems)
    is_fragmented = manifest.get("fragmented", False)
    if is_fragmented:
        published, records = groups_of_fragments(public, manifest)
    else:
        published = groups_of_public(public, manifest)
        records = sum(sum(group.values()) for group in published.values())
    answer = {"schema": "mingle.check-release/1", "release": release, "groups": len(published), "records": records,
              "m": manifest["m"]}
    if problems:
        return {**answer, "verdict": FAILS, "problems": problems, "constraints": []}
    has_private = os.path.isfile(os.path.join(private, "manifest.json"))
    if has_private:
        stated = read_manifest(private, problems)
        if stated["public_manifest"] != digest(os.path.join(public, "manifest.json")):
            problems.append(f"{private}: belongs to another public part")
        if stated.get("audit") is None:
            raise Refused(f"{private}: two sites made this release, and nobody can tell who contributed what")
        check_file(private, stated["audit"]["file"], problems)
        groups = groups_of_audit(private, stated, manifest)
        sums = added_up(groups)
        if is_fragmented:
            sums = column_by_column(sums, len(names_by_role(manifest)[1]))
        if sums != published:
            problems.append("the audit does not add up to the published table")
        policy = stated.get("policy", {})
    else:
        if is_fragmented:
            raise Refused(f"{release}: fragments are checked with the private part only")
        groups, policy = groups_without_audit(published), {}
    if problems:
        return {**answer, "verdict": FAILS, "problems": problems, "constraints": []}
    if policy_path:
        with open(policy_path, "rb") as file:
            policy = tomllib.load(file)
    constraints = judge_groups(groups, manifest, policy, policy_path, has_private)
    verdicts = {constraint["verdict"] for constraint in constraints}
    verdict = FAILS if FAILS in verdicts else UNDECIDED if UNDECIDED in verdicts else HOLDS
    return {**answer, "verdict": verdict, "problems": problems, "constraints": constraints}


def groups_without_audit(published):
    """For the outsider each row is somebody, contributed by nobody in particular."""
    groups = {}
    for label, counts in published.items():
        groups[label] = []
        for values, count in counts.items():
            kind = Kind()
            kind.people, kind.rows, kind.known_to = count, Counter({values: 1}), {""}
            groups[label].append(kind)
    return groups


def judge_groups(groups, manifest, policy, policy_path, has_private):
    people = manifest.get("people")
    counts_people = people is not None and has_several_rows(groups)
    _, sensitive = names_by_role(manifest)
    missing = {manifest.get("missing", "")}
    promises = []
    for entry in manifest["promises"]:
        place = None if entry.get("joint") or "column" not in entry else sensitive.index(entry["column"])
        promises.append(Promise(entry, place, missing, counts_people))
    everybody = [(kind.people, kind) for kinds in groups.values() for kind in kinds]
    folder = os.path.dirname(policy_path) if policy_path else ""
    columns_for_distances(promises, everybody, policy, folder, sensitive)
    adversary = Adversary(manifest["m"] if has_private else 0, (people or {}).get("knows", "people"), counts_people)
    constraints = []
    for promise in promises:
        verdicts = Counter(adversary.judge(kinds, promise) for kinds in groups.values())
        verdict = FAILS if verdicts[FAILS] else UNDECIDED if verdicts[UNDECIDED] else HOLDS
        # without the audit nobody can say who contributed what, nor who is one person
        if not has_private and verdict == HOLDS and (manifest["m"] or people):
            verdict = UNDECIDED
        constraints.append({**promise.entry, "verdict": verdict, "failing": verdicts[FAILS], "undecided": verdicts[UNDECIDED]})
    if manifest.get("semantics") == "strict":
        constraints.append(judge_sites(groups, manifest, has_private))
    return constraints


def has_several_rows(groups):
    """With one row a person, promises about people are promises about rows."""
    return any(kind.row_count() > 1 or len(kind.known_to) > 1 for kinds in groups.values() for kind in kinds)


def judge_sites(groups, manifest, has_private):
    """Strict semantics: every group mixes m + site_diversity providers."""
    least = manifest["m"] + manifest.get("site_diversity", 1)
    failing = sum(len(set().union(*(kind.known_to for kind in kinds))) < least for kinds in groups.values())
    verdict = UNDECIDED if not has_private else FAILS if failing else HOLDS
    return {"name": "site-diversity", "verdict": verdict, "failing": failing if has_private else 0, "undecided": 0}


def main():
    parser = argparse.ArgumentParser(description="Check a release once more, from its own files.")
    parser.add_argument("release")
    parser.add_argument("--policy", help="the policy file, for hierarchies and orders that t-closeness needs")
    arguments = parser.parse_args()
    try:
        answer = check(arguments.release, arguments.policy)
    except (Refused, UnreadableParquet, OSError, ValueError, KeyError, StopIteration) as error:
        print(f"check_release: {type(error).__name__}: {error}", file=sys.stderr)
        return 2
    json.dump(answer, sys.stdout, indent=1)
    print()
    return {HOLDS: 0, FAILS: 1, UNDECIDED: 4}[answer["verdict"]]


if __name__ == "__main__":
    sys.exit(main())
