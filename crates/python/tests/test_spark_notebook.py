"""The engineers' notebook runs from top to bottom. It starts Sail, so it needs no Java."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

NOTEBOOK = Path(__file__).resolve().parents[3] / "examples/notebooks/engineers.ipynb"


def test_the_engineers_notebook_runs(tmp_path: Path) -> None:
    pytest.importorskip("pysail.spark")
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    resources = {"metadata": {"path": str(tmp_path)}}
    ran = nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", resources=resources).execute()
    shown = json.dumps([cell.get("outputs", []) for cell in ran.cells])
    for expected in ("grouping on the cluster", "anonymizing", "verdict: holds", "MG0302"):
        assert expected in shown, expected
    assert "<script" not in shown
