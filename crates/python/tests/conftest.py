"""What all tests need: the program to compare with, and the examples of the repository."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pandas
import pytest

REPOSITORY = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def program() -> Path:
    """The program; ``MINGLE_PROGRAM`` says where it is if not in the debug build of this repository."""
    path = Path(os.environ.get("MINGLE_PROGRAM", REPOSITORY / "target/debug/mingle"))
    if not path.is_file():
        pytest.skip("the program is not built: cargo build at the top of the repository")
    return path


@pytest.fixture(scope="session")
def examples() -> Path:
    """The examples of the repository."""
    return REPOSITORY / "examples"


@pytest.fixture
def patients() -> pandas.DataFrame:
    """Forty patients."""
    diseases = ["asthma", "cancer", "epilepsy", "flu"]
    return pandas.DataFrame(
        {
            "age": [20 + row for row in range(40)],
            "zip": [f"{12000 + row % 7 * 130:05}" for row in range(40)],
            "disease": [diseases[row % 4] for row in range(40)],
        }
    )


COLUMNS = {
    "age": "quasi-identifier",
    "zip": {"role": "quasi-identifier", "kind": "category", "hierarchy": {"mask": 5}},
    "disease": "sensitive",
}


def run(program: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Runs the program quietly."""
    command = [str(program), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)
