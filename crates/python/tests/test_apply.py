"""New rows in the groups of a release: what is written, what is refused, and that the program does the same."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pandas
import polars
import pytest
from conftest import REPOSITORY, run

import mingle

COLUMNS = {"age": "quasi-identifier", "disease": "sensitive", "ward": "insensitive"}
JANUARY = pandas.DataFrame(
    {"age": [21, 24, 33, 38], "disease": ["flu", "gout", "flu", "gout"], "ward": ["e", "w", "e", "w"]}
)
FEBRUARY = pandas.DataFrame({"age": [22, 23], "disease": ["gout", "flu"], "ward": ["n", "s"]})


@pytest.fixture
def release(tmp_path: Path) -> mingle.Release:
    policy = mingle.Policy(COLUMNS, k=2, l=2)
    return mingle.plan(policy, JANUARY).publish(tmp_path / "january")


def test_rows_join_groups_and_the_union_verifies(release: mingle.Release, tmp_path: Path) -> None:
    plan = release.apply(FEBRUARY)
    assert plan.holds and plan.loss is None and plan.answer["schema"] == "mingle.apply/1"
    assert not (tmp_path / "february").exists()
    union = plan.publish(tmp_path / "february")
    assert union.verify().holds
    # and a second program that shares no code with the first says so too
    second = [sys.executable, REPOSITORY / "tools/check_release.py", union.folder]
    checked = subprocess.run(second, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    before, after = release.data, union.data
    assert isinstance(after, pandas.DataFrame)
    assert sorted(after["age"].unique()) == sorted(before["age"].unique())
    assert sorted(after["ward"]) == sorted([*JANUARY["ward"], *FEBRUARY["ward"]])
    assert "<script" not in plan._repr_html_() and "<script" not in union._repr_html_()
    # and it goes on from there
    again = union.apply(polars.from_pandas(FEBRUARY)).publish(tmp_path / "march")
    assert isinstance(again.data, polars.DataFrame) and len(again.data) == 8


def test_what_would_expose_or_has_no_place_is_refused(release: mingle.Release, tmp_path: Path) -> None:
    for rows, code in [(FEBRUARY[:1], "MG0308"), (FEBRUARY.assign(age=[77, 23]), "MG0312")]:
        with pytest.raises(mingle.MingleError) as caught:
            release.apply(rows)
        assert caught.value.code == code
        assert "gout" not in str(caught.value) and "77" not in str(caught.value)
    assert release.apply(FEBRUARY[:1], never_handed_out=True).answer["placed_rows"] == 1
    with pytest.raises(TypeError):
        mingle.open(release.folder).apply(FEBRUARY)
    other = mingle.Policy(COLUMNS, k=3, l=2)
    with pytest.raises(mingle.MingleError) as caught:
        mingle.open(release.folder).apply(FEBRUARY, policy=other)
    assert caught.value.code == "MG0418"


def test_a_plan_survives_an_output_that_exists(release: mingle.Release, tmp_path: Path) -> None:
    plan = release.apply(FEBRUARY)
    with pytest.raises(mingle.MingleError):
        plan.publish(release.folder)
    assert release.verify().holds
    plan.publish(tmp_path / "free")
    with pytest.raises(mingle.MingleError):
        plan.publish(tmp_path / "second")


def test_the_program_writes_the_same_bytes(program: Path, tmp_path: Path) -> None:
    sections = '[columns]\nage.role = "quasi-identifier"\ndisease.role = "sensitive"\nward.role = "insensitive"\n'
    privacy = "[privacy]\nk = 2\nl = { distinct = 2 }\nm = 0\n"
    (tmp_path / "policy.toml").write_text(
        f'[data]\nproviders = [{{ name = "N", path = "n.csv" }}, {{ name = "S", path = "s.csv" }}]\n{sections}{privacy}'
    )
    JANUARY.to_csv(tmp_path / "n.csv", index=False)
    JANUARY.assign(age=JANUARY["age"] + 1).to_csv(tmp_path / "s.csv", index=False)
    FEBRUARY.to_csv(tmp_path / "new.csv", index=False)
    policy_file = tmp_path / "policy.toml"
    assert run(program, "publish", policy_file, "--out", tmp_path / "january").returncode == 0
    applied = run(
        program, "apply", tmp_path / "january", f"N={tmp_path / 'new.csv'}", "--policy", policy_file, "--out", tmp_path / "p"
    )
    assert applied.returncode == 0, applied.stderr
    policy = mingle.Policy.from_file(policy_file)
    mingle.open(tmp_path / "january").apply({"N": FEBRUARY}, policy=policy).publish(tmp_path / "q")
    assert (tmp_path / "p/public/data.csv").read_bytes() == (tmp_path / "q/public/data.csv").read_bytes()
    # nothing says whose these rows are
    with pytest.raises(mingle.MingleError) as caught:
        mingle.open(tmp_path / "january").apply(FEBRUARY, policy=policy)
    assert caught.value.code == "MG0211"
