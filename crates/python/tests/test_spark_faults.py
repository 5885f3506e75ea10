"""Executors that are killed, and clusters that go away: the same release or none. Real processes, so Spark only."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import spark_engines
from test_spark import public_files

pyarrow = pytest.importorskip("pyarrow")

import mingle  # noqa: E402
from mingle.errors import MingleError  # noqa: E402

mingle_spark = pytest.importorskip("mingle.spark")

if spark_engines.ENGINE != "classic":
    pytest.skip("executors are processes of their own on Spark only", allow_module_level=True)


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    session, _ = spark_engines.start()
    yield session
    session.stop()


def executors() -> list[int]:
    """The executors of this test's own session: Java processes below this process."""
    driver = os.getpid()
    found = subprocess.run(["ps", "-wweo", "pid=,ppid=,args="], capture_output=True, text=True, check=True).stdout
    parent_of, arguments_of = {}, {}
    for line in found.splitlines():
        pid, parent, *arguments = line.split(None, 2)
        parent_of[int(pid)] = int(parent)
        arguments_of[int(pid)] = arguments[0] if arguments else ""
    own = []
    for pid, arguments in arguments_of.items():
        if "CoarseGrainedExecutorBackend" not in arguments or "java" not in arguments.split()[0]:
            continue
        above = pid
        while above in parent_of and above != driver:
            above = parent_of[above]
        if above == driver:
            own.append(pid)
    return own


class KillsInStage:
    """Kills one executor with -9 while a stage runs."""

    def __init__(self, stage: str) -> None:
        self.stage = stage
        self.killed: list[int] = []
        self.thread: threading.Thread | None = None

    def __call__(self, step: str, done: int, of: int | None) -> None:
        if step.startswith(self.stage) and self.thread is None:
            self.thread = threading.Thread(target=self.kill)
            self.thread.start()

    def kill(self) -> None:
        time.sleep(0.15)
        running = executors()
        if running:
            os.kill(running[0], signal.SIGKILL)
            self.killed.append(running[0])


STAGES = {
    "driver": ["counting rows", "grouping on the cluster"],
    "cells": [
        "looking at values",
        "counting 2 cells",
        "anonymizing",
        "verifying what is published",
        "sorting published rows",
    ],
}


@pytest.fixture(scope="module")
def hospital() -> Any:
    return pyarrow.table(mingle.synth("hospital", rows=800, providers=3))


@pytest.mark.parametrize("way", STAGES)
def test_an_executor_killed_in_each_stage(spark: Any, hospital: Any, tmp_path: Path, way: str) -> None:
    policy = mingle.Policy.propose(hospital)
    frame = spark.createDataFrame(hospital).repartition(3)
    mingle_spark.publish(frame, policy, tmp_path / "calm", private="beside", way=way, cell_rows=300)
    expected = public_files(tmp_path / "calm")
    for number, stage in enumerate(STAGES[way]):
        out = tmp_path / f"killed{number}"
        killer = KillsInStage(stage)
        try:
            mingle_spark.publish(frame, policy, out, private="beside", way=way, cell_rows=300, progress=killer)
            published = True
        except MingleError as error:
            published = False
            assert error.code == "MG0450", error
        assert killer.thread is not None, stage
        killer.thread.join()
        assert killer.killed, stage
        if published:
            assert public_files(out) == expected, stage
            assert mingle.open(out).verify().holds
        else:
            assert not out.exists()
        print(f"{way}, {stage}: {'the same release' if published else 'none'}")
        left = [path.name for path in tmp_path.iterdir() if path.name.startswith(".")]
        assert left == [], stage


def test_speculative_tasks_change_nothing(spark: Any, hospital: Any, tmp_path: Path) -> None:
    policy = mingle.Policy.propose(hospital)
    frame = spark.createDataFrame(hospital).repartition(8)
    mingle_spark.publish(frame, policy, tmp_path / "calm", private="beside", way="cells", cell_rows=300)
    # every task is run a second time as soon as it is slower than others
    scheduler = spark.sparkContext._jsc.sc().conf()
    before = {key: scheduler.get(key, "") for key in ("spark.speculation", "spark.speculation.multiplier")}
    spark.stop()
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local-cluster[2,1,1024]")
    settings = {
        "spark.driver.host": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.speculation": "true",
        "spark.speculation.interval": "10ms",
        "spark.speculation.multiplier": "1.0",
        "spark.speculation.quantile": "0.01",
        "spark.speculation.minTaskRuntime": "1ms",
    }
    for key, value in settings.items():
        builder = builder.config(key, value)
    hasty = builder.getOrCreate()
    frame = hasty.createDataFrame(hospital).repartition(8)
    mingle_spark.publish(frame, policy, tmp_path / "hasty", private="beside", way="cells", cell_rows=300)
    assert public_files(tmp_path / "hasty") == public_files(tmp_path / "calm")
    assert before["spark.speculation"] in ("", "false")


def test_a_cluster_that_goes_away(hospital: Any, tmp_path: Path) -> None:
    session, _ = spark_engines.start()
    policy = mingle.Policy.propose(hospital)
    frame = session.createDataFrame(hospital)

    def stops(step: str, done: int, of: int | None) -> None:
        if step.startswith("anonymizing"):
            session.stop()

    with pytest.raises(MingleError) as raised:
        mingle_spark.publish(
            frame, policy, tmp_path / "out", private="beside", way="cells", cell_rows=300, progress=stops
        )
    assert raised.value.code == "MG0450"
    assert list(tmp_path.iterdir()) == []
