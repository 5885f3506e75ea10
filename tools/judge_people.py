#!/usr/bin/env python3
"""Judges promises about people: counts them, row by row, in a published table that says whose each row is.

    tools/judge_people.py POLICY TABLE --person COLUMN [--provider COLUMN]

A release never says whose a row is, so nobody can count its people from outside. For a trial this can be had: copy the
person column (and the provider's) under another name before publishing, give the copy the role `insensitive`, and it
is carried along unchanged. TABLE is then the release's folder or `public/data.csv`; a table of any other tool that
kept such a column serves as well. This file shares no code with the program and knows nothing of its audit.

What is checked for every group of rows with equal quasi-identifiers, each from its definition (docs/concepts/people.md):
that a person is in one group; k people; that nobody has more than `max_share_of_rows` of the rows; distinct diversity
as hitting sets and against the reader who counts rows; maximum frequency over people and over rows; entropy and
recursive diversity by people's weights, by rows and as hitting sets; t-closeness with equal distance by weights and by
rows. With --provider, m = 0, 1, … as the policy says, for k and distinct diversity: every coalition is written out.

Prints a JSON object: groups, people, rows, the smallest group in people, and `checks` with the number of groups that
fail each. Exit code 0: all hold; 1: some do not; 2: refused. Plain Python 3.11 or later, standard library only.
"""

import argparse
import csv
import itertools
import json
import math
import os
import sys
import tomllib
from collections import Counter, defaultdict
from fractions import Fraction

from judge import Refused, exact, has_entropy, promises_of, verdict


class Person:
    """One person's rows within a group: how often each combination of sensitive values occurs, and at whom."""

    def __init__(self):
        self.rows = []

    def values(self, column, missing):
        """S_v: her values of a column, missing ones left out."""
        return {row[column] for row, _ in self.rows if row[column] not in missing}

    def providers(self):
        return {provider for _, provider in self.rows}


def read_groups(path, quasi, sensitive, person, provider):
    """Quasi-identifiers → person → rows."""
    if os.path.isdir(path):
        inner = os.path.join(path, "public")
        path = os.path.join(inner if os.path.isdir(inner) else path, "data.csv")
    groups = defaultdict(lambda: defaultdict(Person))
    with open(path, encoding="utf-8", newline="") as file:
        table = csv.DictReader(file)
        for name in [*quasi, *sensitive, person, *([provider] if provider else [])]:
            if name not in (table.fieldnames or []):
                raise Refused(f"{path} has no column {name}")
        for row in table:
            label = tuple(row[name] for name in quasi)
            values = {name: row[name] for name in sensitive}
            groups[label][row[person]].rows.append((values, row[provider] if provider else None))
    return groups


def hits_everybody(sets, size):
    """Whether some `size` values touch every set; the first set that is missed has to be touched by one of its values."""
    if not sets:
        return True
    if size == 0:
        return False
    first = min(sets, key=len)
    return any(hits_everybody([own for own in sets if value not in own], size - 1) for value in first)


def has_hitting_number(people, column, missing, l):
    """No l - 1 values meet S_v of everyone who has any; somebody must have some."""
    sets = [person.values(column, missing) for person in people]
    sets = [own for own in sets if own]
    return bool(sets) and not hits_everybody(sets, l - 1)


def withstands_counting(people, column, missing, l):
    """The most rows of one person and those of the l - 1 commonest values do not exceed the rows."""
    counts = Counter()
    rows = 0
    for person in people:
        rows += len(person.rows)
        counts.update(row[column] for row, _ in person.rows if row[column] not in missing)
    most = max(len(person.rows) for person in people)
    commonest = sum(count for _, count in counts.most_common(l - 1))
    return most + commonest <= rows


def row_counts(people, column):
    return Counter(row[column] for person in people for row, _ in person.rows)


def weights(people, column, missing):
    """Each person spreads weight 1 evenly over S_v."""
    amounts = defaultdict(Fraction)
    for person in people:
        own = person.values(column, missing)
        for value in own:
            amounts[value] += Fraction(1, len(own))
    return dict(amounts)


def as_whole_numbers(amounts):
    common = 1
    for amount in amounts.values():
        common = common * amount.denominator // math.gcd(common, amount.denominator)
    return [int(amount * common) for amount in amounts.values()]


def is_recursive(amounts, c, l):
    descending = sorted(amounts, reverse=True)
    return bool(descending) and descending[0] < c * sum(descending[l - 1:])


def total_variation(own, table):
    size, all_of_it = sum(own.values()), sum(table.values())
    if not size or not all_of_it:
        return Fraction(1)
    return sum(abs(Fraction(own.get(v, 0)) / size - Fraction(table[v]) / all_of_it) for v in table) / 2


def coalitions(people, m):
    """Every set of at most m of a group's providers, nobody first."""
    providers = sorted(set().union(*(person.providers() for person in people)))
    for size in range(min(m, len(providers)) + 1):
        yield from itertools.combinations(providers, size)


def unknown(people, coalition, knows):
    """Those whom the coalition does not know."""
    inside = set(coalition)
    if knows == "rows":
        return [person for person in people if not person.providers() <= inside]
    return [person for person in people if not person.providers() & inside]


def withstands(people, m, knows, holds):
    """Whether a property that more people never break holds for whoever is left, unless nobody is."""
    for coalition in coalitions(people, m):
        left = unknown(people, coalition, knows)
        if left and not holds(left):
            return False
    return True


def check_values(groups, name, policy, missing, insiders):
    """What is promised about one sensitive column."""
    m, knows = insiders
    promised = promises_of(policy, name)
    l = promised.get("l", {})
    everybody = [person for people in groups for person in people]
    checks = []

    def check(constraint, parameter, holds):
        failing = sum(not holds(people) for people in groups)
        checks.append(verdict(constraint, name, parameter, failing))

    if "distinct" in l:
        least = l["distinct"]
        check("distinct-l-diversity, hitting sets", least,
              lambda people: withstands(people, m, knows, lambda left: has_hitting_number(left, name, missing, least)))
        check("distinct-l-diversity, counting reader", least,
              lambda people: withstands_counting(people, name, missing, least))
    if "max_frequency" in promised:
        most = exact(promised["max_frequency"])

        def frequent(people):
            holders = Counter(value for person in people for value in person.values(name, missing))
            counts = row_counts(people, name)
            by_people = all(count <= most * len(people) for count in holders.values())
            return by_people and all(count <= most * sum(counts.values()) for count in counts.values())

        check("max-frequency", promised["max_frequency"], frequent)
    if "entropy" in l:
        least = exact(l["entropy"])
        whole = -(-least.numerator // least.denominator)
        check("entropy-l-diversity", l["entropy"], lambda people: (
            has_hitting_number(people, name, missing, whole)
            and has_entropy(as_whole_numbers(weights(people, name, missing)), least)
            and has_entropy(list(row_counts(people, name).values()), least)))
    if "recursive" in l:
        c, least = exact(l["recursive"]["c"]), l["recursive"]["l"]
        check("recursive-l-diversity", l["recursive"], lambda people: (
            has_hitting_number(people, name, missing, least)
            and is_recursive(list(weights(people, name, missing).values()), c, least)
            and is_recursive(list(row_counts(people, name).values()), c, least)))
    if "t" in promised:
        if promised["t"].get("distance", "equal") != "equal":
            raise Refused("t-closeness of people is judged with equal distance only")
        most = exact(promised["t"]["max"])
        by_people, by_rows = weights(everybody, name, missing), row_counts(everybody, name)
        check("t-closeness", promised["t"], lambda people: (
            total_variation(weights(people, name, missing), by_people) <= most
            and total_variation(row_counts(people, name), by_rows) <= most))
    return checks


def judge_people(policy_path, table, person, provider=None):
    """The object that is printed, see the top of this file."""
    with open(policy_path, "rb") as file:
        policy = tomllib.load(file)
    roles = {name: column.get("role") for name, column in policy.get("columns", {}).items()}
    quasi = [name for name, role in roles.items() if role == "quasi-identifier"]
    sensitive = [name for name, role in roles.items() if role == "sensitive"]
    missing = set(policy.get("data", {}).get("missing", ["", "?"]))
    privacy = policy.get("privacy", {})
    m, knows = (privacy.get("m", 0) if provider else 0), privacy.get("knows", "people")
    by_label = read_groups(table, quasi, sensitive, person, provider)
    groups = [list(people.values()) for people in by_label.values()]
    checks = []
    if privacy.get("rows", "together") == "together":
        where = Counter(who for people in by_label.values() for who in people)
        checks.append(verdict("a-person-in-one-group", None, None, sum(count > 1 for count in where.values())))
    if "k" in privacy:
        k = privacy["k"]
        failing = sum(not withstands(people, m, knows, lambda left: len(left) >= k) for people in groups)
        checks.append(verdict("k-anonymity", None, k, failing))
    if "max_share_of_rows" in privacy:
        most = exact(privacy["max_share_of_rows"])
        failing = 0
        for people in groups:
            rows = sum(len(person.rows) for person in people)
            failing += any(len(person.rows) > most * rows for person in people)
        checks.append(verdict("max-share-of-rows", None, privacy["max_share_of_rows"], failing))
    for name in sensitive:
        checks += check_values(groups, name, policy, missing, (m, knows))
    return {
        "table": table,
        "groups": len(groups),
        "people": len({who for people in by_label.values() for who in people}),
        "rows": sum(len(person.rows) for people in groups for person in people),
        "smallest_group": min((len(people) for people in groups), default=0),
        "m": m,
        "holds": all(check["holds"] for check in checks),
        "checks": checks,
    }


def main():
    parser = argparse.ArgumentParser(description="Count people in a published table that says whose each row is.")
    parser.add_argument("policy")
    parser.add_argument("table", help="a release's folder or a CSV file")
    parser.add_argument("--person", required=True, help="the published column that tells people apart")
    parser.add_argument("--provider", help="the published column that names providers")
    arguments = parser.parse_args()
    try:
        answer = judge_people(arguments.policy, arguments.table, arguments.person, arguments.provider)
    except (Refused, OSError, tomllib.TOMLDecodeError) as error:
        print(f"judge_people: {error}", file=sys.stderr)
        return 2
    json.dump(answer, sys.stdout, indent=1)
    print()
    return 0 if answer["holds"] else 1


if __name__ == "__main__":
    sys.exit(main())
