"""One machine, Spark with two executor processes, and Sail on the same made-up table.

    python benchmarks/spark.py ENGINE WAY ROWS [--topic hospital|census] [--cell-rows N]

ENGINE is ``one-machine``, ``classic`` or ``sail``; WAY is ``driver`` or ``cells`` (one machine has none: ``-``). Prints one
line of JSON: seconds, processor seconds and peak memory by kind of process, bytes shuffled per row where the engine says
so, and the loss of the release. Everything is on loopback and in a temporary folder.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

TICKS = os.sysconf("SC_CLK_TCK")


class Processes(threading.Thread):
    """Watches this process and all below it: processor seconds and peak memory by kind."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.cpu: dict[int, float] = {}
        self.peak: dict[int, int] = {}
        self.kind: dict[int, str] = {}
        self.over = threading.Event()

    def run(self) -> None:
        while not self.over.wait(0.2):
            self.look()

    def look(self) -> None:
        parents: dict[int, int] = {}
        for entry in os.listdir("/proc"):
            if not entry.isdigit():
                continue
            try:
                stat = Path(f"/proc/{entry}/stat").read_text().rsplit(")", 1)[1].split()
                parents[int(entry)] = int(stat[1])
                self._note(int(entry), stat)
            except (OSError, IndexError):
                continue
        self.below = self._below(parents)

    def _note(self, pid: int, stat: list[str]) -> None:
        self.cpu[pid] = (int(stat[11]) + int(stat[12])) / TICKS
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                self.peak[pid] = max(self.peak.get(pid, 0), int(line.split()[1]) // 1024)
        if pid not in self.kind or self.kind[pid] == "other":
            self.kind[pid] = self._kind(pid)

    def _kind(self, pid: int) -> str:
        arguments = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        if "CoarseGrainedExecutorBackend" in arguments:
            return "executor"
        if "pyspark.daemon" in arguments or "pyspark/daemon" in arguments:
            return "worker"
        return "driver" if pid == os.getpid() or "java" in arguments.split(" ")[0] else "other"

    def _below(self, parents: dict[int, int]) -> set[int]:
        own = {os.getpid()}
        grown = True
        while grown:
            more = {pid for pid, parent in parents.items() if parent in own and pid not in own}
            own |= more
            grown = bool(more)
        return own | getattr(self, "below", set())

    def figures(self) -> dict[str, Any]:
        self.look()
        kinds = sorted({self.kind[pid] for pid in self.below if pid in self.kind})
        cpu, peak = {}, {}
        for kind in kinds:
            of_kind = [pid for pid in self.below if self.kind.get(pid) == kind]
            cpu[kind] = round(sum(self.cpu.get(pid, 0.0) for pid in of_kind), 1)
            peak[kind] = max((self.peak.get(pid, 0) for pid in of_kind), default=0)
        return {"cpu_seconds": cpu, "peak_mib_of_one_process": peak}


def session(engine: str) -> tuple[Any, Any]:
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    os.environ["PYSPARK_PYTHON"] = sys.executable
    if engine == "sail":
        os.environ["SAIL_MODE"] = "local-cluster"
        os.environ.setdefault("RUST_LOG", "error")
        from pysail.spark import SparkConnectServer
        from pyspark.sql import SparkSession

        server = SparkConnectServer(ip="127.0.0.1", port=0)
        server.start(background=True)
        _, port = server.listening_address
        return SparkSession.builder.remote(f"sc://127.0.0.1:{port}").getOrCreate(), server
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local-cluster[2,1,2048]").config("spark.driver.memory", "3g")
    settings = {
        "spark.driver.host": "127.0.0.1",
        "spark.executor.memory": "2g",
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "8",
        "spark.driver.maxResultSize": "2g",
        "spark.log.level": "ERROR",
    }
    for key, value in settings.items():
        builder = builder.config(key, value)
    return builder.getOrCreate(), None


def shuffled(spark: Any) -> int | None:
    """Bytes that executors have written for one another, as Spark counts them."""
    try:
        store = spark.sparkContext._jsc.sc().statusStore()
    except Exception:
        return None
    listed = store.executorList(False)
    return sum(int(listed.apply(place).totalShuffleWrite()) for place in range(listed.size()))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("engine", choices=["one-machine", "classic", "sail"])
    parser.add_argument("way", choices=["driver", "cells", "-"])
    parser.add_argument("rows", type=int)
    parser.add_argument("--topic", default="hospital")
    parser.add_argument("--cell-rows", type=int, default=250_000)
    parser.add_argument("--measure", action="store_true")
    chosen = parser.parse_args()
    import pyarrow
    import pyarrow.parquet

    import mingle
    import mingle.spark

    with tempfile.TemporaryDirectory() as folder:
        table = pyarrow.table(mingle.synth(chosen.topic, rows=chosen.rows, providers=4))
        document = mingle.Policy.propose(table.slice(0, 20_000)).to_dict()
        document["data"]["person"] = "row"
        policy = mingle.Policy.from_dict(document)
        file = Path(folder) / "table.parquet"
        pyarrow.parquet.write_table(table, file, row_group_size=max(1, chosen.rows // 8))
        del table
        watched = Processes()
        watched.start()
        stages: list[str] = []
        out = Path(folder) / "release"
        moved = None
        started = time.monotonic()
        if chosen.engine == "one-machine":
            release = mingle.plan(policy, file).publish(out)
            seconds = time.monotonic() - started
        else:
            spark, _ = session(chosen.engine)
            frame = spark.read.parquet(file.as_uri())
            frame.count()
            started = time.monotonic()

            def listen(step: str, done: int, of: int | None) -> None:
                if done == 0 and (not stages or not stages[-1].endswith(step)):
                    stages.append(f"{time.monotonic() - started:.1f} s {step}")

            release = mingle.spark.publish(
                frame,
                policy,
                out,
                private="beside",
                way=chosen.way,
                driver_rows=10**9,
                cell_rows=chosen.cell_rows,
                progress=listen,
            )
            seconds = time.monotonic() - started
            moved = shuffled(spark)
        figures = watched.figures()
        watched.over.set()
        result: dict[str, Any] = {
            "engine": chosen.engine,
            "way": chosen.way,
            "topic": chosen.topic,
            "rows": chosen.rows,
            "seconds": round(seconds, 1),
            **figures,
            "shuffled_bytes_per_row": None if moved is None else round(moved / chosen.rows, 1),
            "groups": release.manifest["groups"],
        }
        if chosen.measure:
            result["ncp"] = mingle.measure(release, policy, file)["ncp"]["overall"]
        result["stages"] = stages
        print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
