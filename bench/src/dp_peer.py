"""The same table from a peer's maximum spanning tree.

dp_peer.py smartnoise|dpmm TABLE DOMAINS EPSILON DELTA OUT
    DOMAINS is a JSON object of column -> {"labels": [...]} or {"from": a, "width": w, "bins": n}, in the order of the
    columns. Writes made-up rows to OUT, a number as the start of its bin. Prints CPU-seconds of fitting and drawing
    alone, without imports, reading and writing.

Measured with smartnoise-synth 1.0.8 (mbi 1.1.0, jax 0.10.2) and, in an environment of its own since their pins do not go
together, dpmm 0.1.9; both install with pip alone, on Python 3.11. `mingle-bench dp DATA --peer PYTHON --dpmm PYTHON` runs
this script.

Both are told the domain in their own way: dpmm is given its size, smartnoise-synth reads the values that occur off the
data without paying for it, so neither is at a disadvantage.
"""
import json
import resource
import sys

import pandas


def cpu():
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def places(texts, domain):
    if "labels" in domain:
        place = {label: at for at, label in enumerate(domain["labels"])}
        return texts.map(place)
    bins = (texts.astype(int) - domain["from"]) // domain["width"]
    return bins.clip(0, domain["bins"] - 1)


def texts(places, domain):
    if "labels" in domain:
        return places.map(lambda at: domain["labels"][at])
    return domain["from"] + places * domain["width"]


def size(domain):
    return len(domain["labels"]) if "labels" in domain else domain["bins"]


def smartnoise(table, domains, epsilon, delta):
    from snsynth import Synthesizer

    before = cpu()
    synthesizer = Synthesizer.create("mst", epsilon=epsilon, delta=delta)
    made = synthesizer.fit_sample(table, categorical_columns=list(table.columns), preprocessor_eps=0.0)
    return pandas.DataFrame(made, columns=table.columns), cpu() - before


def dpmm(table, domains, epsilon, delta):
    from dpmm.models.mst import MSTGM

    before = cpu()
    model = MSTGM(epsilon=epsilon, delta=delta, n_jobs=1)
    model.set_domain({name: size(domain) for name, domain in domains.items()})
    model.fit(table)
    made = model.generate(n_records=len(table))
    return made[list(table.columns)], cpu() - before


def main(peer, path, domains, epsilon, delta, out):
    domains = json.loads(domains)
    raw = pandas.read_csv(path, dtype=str, keep_default_na=False)
    table = pandas.DataFrame({name: places(raw[name], domain).astype(int) for name, domain in domains.items()})
    made, seconds = {"smartnoise": smartnoise, "dpmm": dpmm}[peer](table, domains, float(epsilon), float(delta))
    made = made.astype(int)
    pandas.DataFrame({name: texts(made[name], domain) for name, domain in domains.items()}).to_csv(out, index=False)
    print(seconds)


main(*sys.argv[1:])
