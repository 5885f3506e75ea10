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


def test_progress_in_a_terminal() -> None:
    """A real terminal: a line that is rewritten, and gone in the end; nothing in a pipe."""
    pty = pytest.importorskip("pty")
    script = """
import mingle
table = mingle.synth("hospital", rows=3000)
mingle.plan(mingle.Policy.propose(table, progress=True), table, progress=True)
"""
    quiet = script.replace(", progress=True", "")
    piped = subprocess.run([sys.executable, "-c", quiet], capture_output=True, text=True, check=True)
    assert piped.stderr == "" and piped.stdout == ""
    ours, theirs = pty.openpty()
    child = subprocess.Popen([sys.executable, "-c", script], stderr=theirs, stdout=subprocess.DEVNULL)
    os.close(theirs)
    shown = b""
    while True:
        try:
            some = os.read(ours, 4096)
        except OSError:
            # how Linux says that the other end is closed
            break
        if not some:
            break
        shown += some
    os.close(ours)
    assert child.wait() == 0
    assert b"\rmingle: anonymizing" in shown or b"\rmingle: " in shown
    assert shown.endswith(b"\r") and b"\n" not in shown


def test_progress_in_a_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    from mingle import progress

    class ZMQInteractiveShell:
        pass

    class FakeIPython:
        @staticmethod
        def get_ipython() -> ZMQInteractiveShell:
            return ZMQInteractiveShell()

    assert not progress.in_notebook()
    monkeypatch.setitem(sys.modules, "IPython", FakeIPython)
    assert progress.in_notebook() and progress.somebody_looks()
    with progress.Watched(None) as listener:
        assert listener is not None
    with progress.Watched(False) as listener:
        assert listener is None


def test_a_frame_of_spark(patients: pandas.DataFrame, tmp_path: Path) -> None:
    """Frames of Spark before 4.3 have no stream, but make an Arrow table."""
    frame = type("DataFrame", (), {"toArrow": lambda self: pyarrow.table(patients)})
    frame.__module__ = "pyspark.sql.classic.dataframe"
    release = mingle.plan(mingle.Policy(COLUMNS, k=3), frame()).publish(tmp_path / "spark")
    assert len(release.data) == 40


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
    # cost and promises are shown, the report is folded away in a frame that may run nothing
    html = release._repr_html_()
    assert "detail lost" in html and "k-anonymity" in html and "<iframe sandbox" in html
    halves = mingle.plan(policy, {"N": patients[:20], "S": patients[20:]}).publish(tmp_path / "halves")
    assert "<svg" in halves._repr_html_()
    # what was handed out knows nothing of it
    assert mingle.open(halves.public).exposure_chart() is None
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
    table = mingle.synth("hospital", rows=6_000)
    policy = mingle.Policy.propose(table, progress=False)
    steps: list[str] = []
    mingle.plan(policy, table, progress=lambda step, done, of: steps.append(step))
    assert "anonymizing" in steps

    def refuse(step: str, done: int, of: int | None) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        mingle.plan(policy, table, progress=refuse)


def test_other_threads_run_meanwhile() -> None:
    table = mingle.synth("hospital", rows=6_000)
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
table = mingle.synth("hospital", rows=40_000)
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


def test_the_reference_is_current() -> None:
    """docs/reference/python.md is what the docstrings say."""
    script = Path(__file__).parents[1] / "tools/reference.py"
    checked = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr


def checked_by(command: list[object], *files: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*map(str, command), *map(str, files)], capture_output=True, text=True, check=False)


HERE = Path(__file__).parent
PACKAGE = [HERE.parent / "python/mingle" / name for name in ["__init__.py", *(f"{name}.py" for name in MODULES)]]


def test_types_as_mypy_sees_them() -> None:
    """The package and its stubs, and a caller of them, strictly."""
    pytest.importorskip("mypy")
    command: list[object] = [sys.executable, "-m", "mypy", "--config-file", HERE.parent / "pyproject.toml"]
    found = checked_by(command, *PACKAGE, HERE / "typed_caller.py")
    assert found.returncode == 0, found.stdout
    wrong = checked_by(command, HERE / "wrong_caller.py")
    assert "arg-type" in wrong.stdout, wrong.stdout


def test_types_as_pyright_sees_them() -> None:
    """The same by the checker of many editors."""
    pytest.importorskip("pyright")
    command: list[object] = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable]
    started = checked_by([*command, "--version"])
    if started.returncode != 0:
        pytest.skip("pyright cannot start: it brings its own Node.js, which could not be had")
    found = checked_by([*command, "-p", HERE / "pyrightconfig.json"])
    assert found.returncode == 0, found.stdout
    wrong = checked_by(command, HERE / "wrong_caller.py")
    assert "reportArgumentType" in wrong.stdout, wrong.stdout


def test_providers_of_frames_on_a_cluster_are_named_once(tmp_path: Path) -> None:
    import mingle.spark

    columns = {"age": {"role": "quasi-identifier"}, "disease": {"role": "sensitive"}}
    data = {"provider_column": "site", "person": "row"}
    policy = mingle.Policy.from_dict({"data": data, "columns": columns, "privacy": {"k": 2}})
    frames = {"P": object(), "Q": object()}
    doors = [
        lambda given: mingle.spark.publish(given, policy, tmp_path / "out", private="beside"),
        lambda given: mingle.spark.verify(given, policy),
        lambda given: mingle.spark.measure(tmp_path, policy, given),
    ]
    for door in doors:
        with pytest.raises(mingle.MingleError) as refused:
            door(frames)
        assert refused.value.code == "MG0109"
        # without names it is the frame that is no frame
        with pytest.raises(mingle.MingleError) as other:
            door(object())
        assert other.value.code == "MG0202"
    assert not (tmp_path / "out").exists()
