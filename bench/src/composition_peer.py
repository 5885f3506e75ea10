"""The same work with anonypyx.

composition_peer.py attack FIRST SECOND TARGETS COLUMNS SENSITIVE COUNT OUT
    intersects two generalized tables for the first COUNT targets; COLUMNS are name:number or name:category.
    Prints CPU-seconds; writes each target's candidates, sorted and joined by |, to OUT.
composition_peer.py mdav TABLE COLUMNS K ROWS
    MDAV on the first ROWS rows. Prints CPU-seconds, and the normalized certainty penalty of the groups' ranges and sets.
"""
import resource
import sys

import pandas
from anonypyx.attackers import IntersectionAttacker
from anonypyx.generalisation import MachineReadable
from anonypyx.microaggregation import MDAVGeneric


def cpu():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def kinds(columns):
    return dict(column.split(":") for column in columns.split(","))


def interval(label, least, most):
    if label == "*":
        return least, most
    if label.startswith("["):
        low, high = label[1:-1].split("-")
        return int(low), int(high)
    return int(label), int(label)


def elements(label, values):
    if label == "*":
        return set(values)
    return set(label[1:-1].split("|")) if label.startswith("{") else {label}


def readable(table, columns, domains, sensitive):
    """A generalized table in the peer's own form."""
    out = {}
    for name, kind in columns.items():
        if kind == "number":
            ends = [interval(label, *domains[name]) for label in table[name]]
            out[f"{name}_min"], out[f"{name}_max"] = [low for low, _ in ends], [high for _, high in ends]
        else:
            sets = [elements(label, domains[name]) for label in table[name]]
            for value in domains[name]:
                out[f"{name}_{value}"] = [value in one for one in sets]
    if sensitive:
        out[sensitive] = list(table[sensitive])
    return pandas.DataFrame(out)


def attack(first, second, targets, columns, sensitive, count, out):
    columns = kinds(columns)
    releases = [pandas.read_csv(path, dtype=str) for path in (first, second)]
    people = pandas.read_csv(targets, dtype=str).head(int(count))
    everyone = pandas.read_csv(targets, dtype=str)
    domains = {
        name: (0, 10**6) if kind == "number" else sorted(everyone[name].unique()) for name, kind in columns.items()
    }
    one_hot = {n: [f"{n}_{v}" for v in domains[n]] for n, kind in columns.items() if kind != "number"}
    intervals = {n: (f"{n}_min", f"{n}_max") for n, kind in columns.items() if kind == "number"}
    schema = MachineReadable(one_hot, intervals, [sensitive])
    known = readable(people, columns, domains, None)
    known["ID"] = range(len(known))
    frames = [readable(release, columns, domains, sensitive) for release in releases]
    before = cpu()
    attacker = IntersectionAttacker(known, list(columns), sensitive, schema)
    for frame in frames:
        attacker.observe(frame, list(columns) + [sensitive], range(len(known)))
    found = ["|".join(sorted(attacker.predict(target, sensitive))) for target in range(len(known))]
    print(cpu() - before)
    with open(out, "w", encoding="utf-8") as file:
        file.write("\n".join(found) + "\n")


def mdav(table, columns, k, rows):
    columns = kinds(columns)
    frame = pandas.read_csv(table)[list(columns)].head(int(rows))
    plain = frame.copy()
    for name, kind in columns.items():
        if kind != "number":
            # the peer writes codes over the values, which later versions of pandas allow for codes only
            frame[name] = pandas.Categorical(pandas.factorize(frame[name])[0])
        else:
            frame[name] = frame[name].astype("float64")
    before = cpu()
    groups = MDAVGeneric(frame, list(columns)).partition(int(k))
    seconds = cpu() - before
    loss = 0.0
    for group in groups:
        members = plain.loc[list(group)]
        for name, kind in columns.items():
            if kind == "number":
                whole = plain[name].max() - plain[name].min()
                loss += len(members) * (members[name].max() - members[name].min()) / whole
            else:
                covered = members[name].nunique()
                loss += 0 if covered == 1 else len(members) * covered / plain[name].nunique()
    print(seconds, loss / len(plain) / len(columns))


{"attack": attack, "mdav": mdav}[sys.argv[1]](*sys.argv[2:])
