"""The loss of the second way on a real table, against the first.

Adult is looked for in the folder that ``MINGLE_DATA`` names, or in ``../shared/data`` beside the repository; without it the
test is skipped.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from test_spark import REPOSITORY_DATA, spark  # noqa: F401

import mingle

csv = pytest.importorskip("pyarrow.csv")
mingle_spark = pytest.importorskip("mingle.spark")

COLUMNS: dict[str, Any] = {
    "age": "quasi-identifier",
    "workclass": "quasi-identifier",
    "education": "quasi-identifier",
    "marital-status": "quasi-identifier",
    "race": "quasi-identifier",
    "sex": "quasi-identifier",
    "native-country": "quasi-identifier",
    "occupation": "sensitive",
}


def test_loss_on_adult(spark: Any, tmp_path: Path) -> None:  # noqa: F811
    file = Path(os.environ.get("MINGLE_DATA", REPOSITORY_DATA)) / "adult/adult_all_clean.csv"
    if not file.is_file():
        pytest.skip(f"Adult is not at {file}")
    table = csv.read_csv(file)
    names = {name.replace("_", "-"): name for name in table.column_names}
    columns = {names[name]: role for name, role in COLUMNS.items() if name in names}
    assert len(columns) == len(COLUMNS), sorted(names)
    table = table.select(list(columns))
    policy = mingle.Policy(columns, k=10, l=2, data={"person": "row"})
    frame = spark.createDataFrame(table)
    driver = mingle_spark.publish(frame, policy, tmp_path / "driver", private="beside")
    cells = mingle_spark.publish(frame, policy, tmp_path / "cells", private="beside", way="cells", cell_rows=8_000)
    assert cells.verify().holds
    first = mingle_spark.measure(driver, policy, frame)["ncp"]["overall"]
    second = mingle_spark.measure(cells, policy, frame)["ncp"]["overall"]
    print(f"Adult, k = 10, l = 2: NCP {first:.4f} on the driver, {second:.4f} in cells ({cells})")
    assert second <= 1.1 * first
