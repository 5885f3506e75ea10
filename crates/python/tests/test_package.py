"""Frames in and out, attacks, measures, reports, notebooks, Ctrl-C, documents and types."""

from __future__ import annotations

import doctest
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import duckdb
import pandas
import polars
import pyarrow
import pytest
from conftest import COLUMNS, REPOSITORY

import mingle
from mingle.gate import assert_holds

MODULES = ["attack", "dp", "errors", "gate", "plan", "policy", "release", "synth", "tables", "verdict"]


@pytest.mark.parametrize("name", ["", *MODULES])
def test_docstrings(name: str, tmp_path: Path) -> None:
    module = sys.modules["mingle" + (f".{name}" if name else "")]
    names = {"folder": tmp_path, "pandas": pandas, "mingle": mingle}
    found = doctest.testmod(module, extraglobs=names, optionflags=doctest.ELLIPSIS)
    assert found.failed == 0


def test_results_are_of_the_callers_kind(patients: pandas.DataFrame, tmp_path: Path) -> None:
    policy = mingle.Policy(COLUMNS, k=3, m=0)
    kinds = {
        "pandas": (patients, pandas.DataFrame),
        "polars": (polars.from_pandas(patients), polars.DataFrame),
        "pyarrow": (pyarrow.table(patients), pyarrow.Table),
        "duckdb": (duckdb.from_df(patients), pyarrow.Table),
        "halves": ({"N": patients[:20], "S": patients[20:]}, pandas.DataFrame),
    }
    for name, (tables, expected) in kinds.items():
        release = mingle.plan(policy, tables).publish(tmp_path / name)
        assert isinstance(release.data, expected), name
        assert len(release.data) == 40
        assert release.data["zip"][0] is not None
        assert_holds(release)


def test_numbers_come_back_as_numbers(patients: pandas.DataFrame, tmp_path: Path) -> None:
    policy = mingle.Policy({**COLUMNS, "cost": {"role": "insensitive"}}, k=3)
    release = mingle.plan(policy, patients.assign(cost=range(40))).publish(tmp_path / "r")
    assert sorted(release.data["cost"]) == list(range(40))


def test_threads_do_not_matter(patients: pandas.DataFrame, tmp_path: Path) -> None:
    policy = mingle.Policy(COLUMNS, k=3)
    for threads in (1, 4):
        mingle.plan(policy, patients, threads=threads).publish(tmp_path / str(threads))
    assert (tmp_path / "1/public/data.csv").read_bytes() == (tmp_path / "4/public/data.csv").read_bytes()


def test_verify_measure_and_attack_a_table_of_any_tool(examples: Path) -> None:
    policy = mingle.Policy.from_file(examples / "hospitals/table.toml")
    broken = pandas.read_csv(examples / "hospitals/t_a.csv", dtype=str)
    fine = pandas.read_csv(examples / "hospitals/t_b.csv", dtype=str)
    assert not mingle.verify(broken, policy).holds
    assert mingle.verify(fine, policy).holds
    assert mingle.attack.insider(broken, policy).succeeds
    assert not mingle.attack.insider(fine, policy).succeeds
    assert not mingle.verify(examples / "hospitals/t_a.csv", policy).holds
    with pytest.raises(mingle.PromiseBroken):
        mingle.verify(broken, policy).raise_if_fails()
    with pytest.raises(AssertionError):
        assert_holds(broken, policy)


def test_attacks_on_a_release(patients: pandas.DataFrame, tmp_path: Path) -> None:
    policy = mingle.Policy({**COLUMNS, "drug": "sensitive"}, k=3)
    patients = patients.assign(drug=["a", "b"] * 20)
    release = mingle.plan(policy, patients).publish(tmp_path / "r")
    for attack in (
        mingle.attack.minimality(release, policy, patients),
        mingle.attack.background_join(release, policy, patients, knows=["drug"]),
        mingle.attack.intersection([release, release], policy, patients),
    ):
        assert attack.answer["schema"].startswith("mingle.attack-")
        assert attack._repr_html_()
    assert release.measure(patients)["rows"] == 40


def test_notebook_views_escape_and_have_no_scripts(patients: pandas.DataFrame, tmp_path: Path) -> None:
    nasty = "<script>alert(1)</script>"
    columns = {**COLUMNS, nasty: "quasi-identifier"}
    patients = patients.assign(**{nasty: 1})
    policy = mingle.Policy(columns, k=3)
    plan = mingle.plan(policy, patients)
    release = plan.publish(tmp_path / "r")
    for view in (policy, plan, release, release.verify(), mingle.attack.insider(release)):
        html = view._repr_html_()
        assert "<script" not in html
    assert "<html" in release.report() and "<script" not in release.report(private=True)
    mingle.report(release, tmp_path / "report.html")
    with pytest.raises(FileExistsError):
        mingle.report(release, tmp_path / "report.html")


def test_damage_is_noticed(patients: pandas.DataFrame, tmp_path: Path) -> None:
    release = mingle.plan(mingle.Policy(COLUMNS, k=3), patients).publish(tmp_path / "r")
    with (release.public / "data.csv").open("a") as file:
        file.write("oops\n")
    verdict = mingle.open(release.folder).verify()
    assert not verdict
    with pytest.raises(mingle.PromiseBroken):
        verdict.raise_if_fails()


def test_exceptions_travel_between_processes() -> None:
    with pytest.raises(mingle.MingleError) as caught:
        mingle.Policy({"a": "sensitiv"}, k=3)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.code, str(again)) == (caught.value.code, str(caught.value))


def test_progress_is_told_and_may_refuse() -> None:
    table = mingle.synth("hospital", rows=60_000)
    policy = mingle.Policy.propose(table, progress=False)
    steps: list[str] = []
    mingle.plan(policy, table, progress=lambda step, done, of: steps.append(step))
    assert "anonymizing" in steps

    def refuse(step: str, done: int, of: int | None) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        mingle.plan(policy, table, progress=refuse)


def test_other_threads_run_meanwhile() -> None:
    table = mingle.synth("hospital", rows=60_000)
    policy = mingle.Policy.propose(table)
    turns = 0
    over = threading.Event()

    def count() -> None:
        nonlocal turns
        while not over.is_set():
            turns += 1
            time.sleep(0.001)

    other = threading.Thread(target=count)
    other.start()
    started = time.monotonic()
    mingle.plan(policy, table)
    elapsed = time.monotonic() - started
    over.set()
    other.join()
    # the lock is never held for longer than a look at signals
    assert turns > elapsed * 50


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
def test_ctrl_c(tmp_path: Path) -> None:
    script = """
import sys, mingle
table = mingle.synth("hospital", rows=400_000)
policy = mingle.Policy.propose(mingle.synth("hospital", rows=1000))
print("ready", flush=True)
try:
    mingle.plan(policy, table, threads=1)
except KeyboardInterrupt:
    print("stopped", flush=True)
"""
    child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    asked = time.monotonic()
    assert child.communicate(timeout=60)[0] == "stopped\n"
    assert time.monotonic() - asked < 30


def test_the_guide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The Python blocks of the guide run, top to bottom, in one process."""
    text = (REPOSITORY / "docs/guides/python.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    assert len(blocks) > 5
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "docs/guides/python.md", "exec"), names)


def test_types() -> None:
    """The package and its stubs, and a caller of them, as a type checker sees them."""
    pytest.importorskip("mypy")
    here = Path(__file__).parent
    command = [sys.executable, "-m", "mypy", "--config-file", here.parent / "pyproject.toml"]
    checked = subprocess.run(
        [*command, here.parent / "python/mingle", here / "typed_caller.py"], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stdout
    wrong = subprocess.run([*command, here / "wrong_caller.py"], capture_output=True, text=True, check=False)
    assert "arg-type" in wrong.stdout, wrong.stdout
