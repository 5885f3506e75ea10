"""What is refused, and how: with a code, and without a cell."""

from __future__ import annotations

import decimal
from pathlib import Path

import pandas
import polars
import pyarrow
import pytest
from conftest import COLUMNS

import mingle

SECRET = "vErY-sEcReT"


def refused(table: object, columns: dict[str, object] | None = None, **more: object) -> mingle.MingleError:
    policy = mingle.Policy(columns or COLUMNS, k=2, **more)  # type: ignore[arg-type]
    with pytest.raises(mingle.MingleError) as caught:
        mingle.plan(policy, table)  # type: ignore[arg-type]
    error = caught.value
    assert error.code.startswith("MG") and error.hint
    assert SECRET not in str(error) and SECRET not in repr(error)
    assert error.__cause__ is None and (error.__context__ is None or error.__suppress_context__)
    return error


def test_missing_and_undeclared_columns(patients: pandas.DataFrame) -> None:
    error = refused(patients.drop(columns="zip"))
    assert "zip" in error.text and error.place is not None and error.place.file == "the frame"
    assert "other" in refused(patients.assign(other=SECRET)).text


def test_nested_and_binary_columns(patients: pandas.DataFrame) -> None:
    nested = pyarrow.table({**patients.to_dict("list"), "zip": [[SECRET]] * 40})
    assert "nested" in refused(nested).text
    binary = pyarrow.table({**patients.to_dict("list"), "zip": [SECRET.encode()] * 40})
    assert "binary" in refused(binary).text


def test_mixed_objects_do_not_leak(patients: pandas.DataFrame) -> None:
    mixed = patients.assign(zip=[SECRET, *range(39)])
    refused(mixed)


def test_cells_of_the_wrong_kind_do_not_leak(patients: pandas.DataFrame) -> None:
    wrong = patients.assign(age=[SECRET, *map(str, range(39))])
    columns = {**COLUMNS, "age": {"role": "quasi-identifier", "kind": "integer"}}
    error = refused(wrong, columns)
    assert error.place is not None and error.place.column_name == "age"


def test_zero_rows(patients: pandas.DataFrame) -> None:
    refused(patients.iloc[:0])
    refused(polars.DataFrame(schema={"age": polars.Int64, "zip": polars.String, "disease": polars.String}))


def test_what_is_no_frame() -> None:
    for table in [{"North": 3}, 3, [1, 2], polars.Series([SECRET])]:
        refused(table)


def test_policy_that_names_files_while_frames_are_given(patients: pandas.DataFrame) -> None:
    error = refused(patients, data={"path": "table.csv"})
    assert "names files" in error.text


def test_output_that_exists(patients: pandas.DataFrame, tmp_path: Path) -> None:
    plan = mingle.plan(mingle.Policy(COLUMNS, k=2), patients)
    taken = tmp_path / "taken"
    taken.mkdir()
    (taken / "file").write_text("kept")
    with pytest.raises(mingle.MingleError):
        plan.publish(taken)
    assert (taken / "file").read_text() == "kept"
    # the plan is not lost
    release = plan.publish(tmp_path / "free")
    with pytest.raises(mingle.MingleError):
        plan.publish(tmp_path / "second")
    again = mingle.plan(mingle.Policy(COLUMNS, k=2), patients)
    with pytest.raises(mingle.MingleError):
        again.publish(release.folder)
    assert again.publish(release.folder, replace=True).verify().holds


def test_types_that_are_read(patients: pandas.DataFrame, tmp_path: Path) -> None:
    """Categories, nullable and large types, decimals and instants with a zone all mean their texts."""
    policy = mingle.Policy({**COLUMNS, "cost": "insensitive", "at": "insensitive"}, k=2)
    costs = [decimal.Decimal(row) / 4 for row in range(40)]
    at = pandas.date_range("2024-01-01 00:30", periods=40, freq="h", tz="Europe/Berlin")
    plain = patients.assign(cost=[format(c.normalize(), "f") for c in costs])
    plain["at"] = at.tz_convert("UTC").strftime("%Y-%m-%dT%H:%M:%SZ")
    expected = data_of(mingle.plan(policy, plain).publish(tmp_path / "plain"))
    typed = plain.assign(cost=costs, at=at)
    variants = {
        "category": typed.assign(zip=typed["zip"].astype("category")),
        "nullable": typed.assign(age=typed["age"].astype("Int32"), zip=typed["zip"].astype("string")),
        "index": typed.set_index(pandas.Index(range(100, 140))),
        "large": pyarrow.table(typed).cast(large(pyarrow.table(typed).schema)),
        "polars": polars.from_pandas(typed),
    }
    for name, table in variants.items():
        release = mingle.plan(policy, table).publish(tmp_path / name)
        assert data_of(release) == expected, name


def data_of(release: mingle.Release) -> bytes:
    return (release.public / "data.csv").read_bytes()


def large(schema: pyarrow.Schema) -> pyarrow.Schema:
    fields = [
        field.with_type(pyarrow.large_string()) if pyarrow.types.is_string(field.type) else field for field in schema
    ]
    return pyarrow.schema(fields)


def test_a_frame_that_changes_before_its_budget_is_spent(tmp_path: Path, patients: pandas.DataFrame) -> None:
    ledger = mingle.dp.Ledger.create(tmp_path / "ledger", epsilon=10)
    sections = {
        "data": {"undeclared": "drop"},
        "columns": {"disease": {"role": "sensitive", "domain": ["asthma", "cancer", "epilepsy", "flu"]}},
        "dp": {"release": "histogram", "epsilon": 1, "ledger": str(tmp_path / "ledger")},
    }
    policy = mingle.Policy.from_dict(sections)
    plan = mingle.plan(policy, patients)
    patients.loc[40] = patients.loc[0]
    before = ledger.answer
    with pytest.raises(mingle.MingleError) as caught:
        plan.publish(tmp_path / "changed")
    assert "another number of rows" in caught.value.text
    assert ledger.answer == before and not (tmp_path / "changed").exists()
    release = mingle.plan(policy, patients).publish(tmp_path / "noisy")
    assert release.verify().holds and ledger.answer != before
    mingle.dp.compose([release], delta="1e-6")
