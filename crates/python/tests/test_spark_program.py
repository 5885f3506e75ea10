"""``mingle publish --on``: the program, this package and a cluster, on Sail."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import spark_engines

pyarrow = pytest.importorskip("pyarrow")

import pyarrow.parquet  # noqa: E402

import mingle  # noqa: E402

if spark_engines.ENGINE != "sail":
    pytest.skip("a cluster with an address of its own: Sail", allow_module_level=True)

PROGRAM = Path(os.environ.get("MINGLE_PROGRAM", Path(__file__).resolve().parents[3] / "target/debug/mingle"))

POLICY = """
[data]
{tables}
person = "row"
[columns.age]
role = "quasi-identifier"
[columns.zip]
role = "quasi-identifier"
kind = "category"
[columns.disease]
role = "sensitive"
[privacy]
k = 3
m = 1
"""


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """The address of a server in a process of its own, as a user has one."""
    pytest.importorskip("pysail.spark", reason="pysail is not installed")
    if not PROGRAM.is_file():
        pytest.skip("the program is not built: cargo build at the top of the repository")
    script = """
import sys
from pysail.spark import SparkConnectServer
server = SparkConnectServer(ip="127.0.0.1", port=0)
server.start(background=True)
print(server.listening_address[1], flush=True)
sys.stdin.read()
"""
    environment = {**os.environ, "SAIL_MODE": "local-cluster", "RUST_LOG": "error"}
    server = subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    )
    assert server.stdout is not None
    yield f"sc://127.0.0.1:{int(server.stdout.readline())}"
    server.kill()
    server.wait()


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    folder = tmp_path / "tables"
    folder.mkdir()
    rows = range(300)
    table: Any = pyarrow.table(
        {
            "age": [20 + row * 7 % 50 for row in rows],
            "zip": [f"1{row % 9}" for row in rows],
            "disease": [f"d{row * 11 % 5}" for row in rows],
        }
    )
    pyarrow.parquet.write_table(table.slice(0, 150), folder / "north.parquet")
    pyarrow.parquet.write_table(table.slice(150), folder / "south.parquet")
    named = 'providers = [{ name = "N", path = "north.parquet" }, { name = "S", path = "south.parquet" }]'
    (folder / "policy.toml").write_text(POLICY.format(tables=named))
    return folder


def arguments(folder: Path, *more: object) -> list[str]:
    return [str(PROGRAM), "publish", str(folder / "policy.toml"), "--out", str(folder / "out"), *map(str, more)]


ENVIRONMENT = {**os.environ, "MINGLE_PYTHON": sys.executable, "NO_COLOR": "1"}


def run(folder: Path, *more: object) -> subprocess.CompletedProcess[str]:
    command = arguments(folder, *more)
    return subprocess.run(command, capture_output=True, text=True, check=False, env=ENVIRONMENT)


def refused(folder: Path, *more: object) -> tuple[int, str]:
    """The exit code, and the code of the only error."""
    before = sorted(path.name for path in folder.iterdir())
    ran = run(folder, *more)
    assert ran.returncode != 0 and ran.stderr.count("error[") == 1, ran.stderr
    assert sorted(path.name for path in folder.iterdir()) == before
    return ran.returncode, ran.stderr.split("error[")[1][:6]


def test_the_same_table_as_on_one_machine(cluster: str, tables: Path) -> None:
    ran = run(tables, "--on", cluster, "--private", tables / "kept")
    assert ran.returncode == 0, ran.stderr
    assert [path.name for path in (tables / "out").iterdir()] == ["public"]
    assert (tables / "kept/audit.parquet").is_file()
    assert "planned on the driver" in ran.stderr
    mingle.plan(mingle.Policy.from_file(tables / "policy.toml")).publish(tables / "here")
    for file in (tables / "here/public").iterdir():
        if file.suffix == ".csv":
            assert file.read_bytes() == (tables / "out/public" / file.name).read_bytes()
    assert mingle.open(tables / "out").verify().answer["verdict"] != "fails"
    # the same place again
    again = run(tables, "--on", cluster, "--private", tables / "kept")
    assert again.returncode == 2 and "MG0401" in again.stderr


def test_what_is_refused(cluster: str, tables: Path) -> None:
    file = tables / "policy.toml"
    text = file.read_text()
    assert refused(tables, "--on", "sc://127.0.0.1:1") == (3, "MG0450")
    (tables / "north.csv").write_text("age,zip,disease\n1,2,3\n")
    changes = {
        "north.csv": (2, "MG0109"),
        "nowhere.parquet": (2, "MG0201"),
    }
    for name, expected in changes.items():
        file.write_text(text.replace("north.parquet", name))
        assert refused(tables, "--on", cluster) == expected, name
    for key in ('decimal = ","', 'delimiter = ";"', 'date_format = "dd.mm.yyyy"'):
        file.write_text(text.replace("[data]", f"[data]\n{key}"))
        assert refused(tables, "--on", cluster)[0] == 2, key
    file.write_text(POLICY.format(tables=""))
    assert refused(tables, "--on", cluster) == (2, "MG0109")
    (tables / "damaged.parquet").write_bytes(b"PAR1 no table PAR1")
    file.write_text(text.replace("north.parquet", "damaged.parquet"))
    assert refused(tables, "--on", cluster) == (3, "MG0450")


def test_ctrl_c_and_a_program_that_is_gone(cluster: str, tables: Path) -> None:
    # a table that takes a while to plan
    rows = range(20_000)
    table: Any = pyarrow.table(
        {
            "age": [row * 7919 % 9_973 for row in rows],
            "zip": [f"{row * 7907 % 9_967}" for row in rows],
            "disease": [f"d{row * 11 % 5}" for row in rows],
        }
    )
    pyarrow.parquet.write_table(table, tables / "north.parquet")
    before = sorted(path.name for path in tables.iterdir())
    for sent, exits in ((signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)):
        child = subprocess.Popen(arguments(tables, "--on", cluster), stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
        assert child.stderr is not None
        # it works: the first stage has ended
        while "counting rows" not in child.stderr.readline():
            assert child.poll() is None
        child.send_signal(sent)
        rest = child.stderr.read()  # until the Python process has ended as well
        assert child.wait(timeout=60) == exits, rest
        assert sorted(path.name for path in tables.iterdir()) == before, rest
