"""What is refused, and how: with a code, and without a cell."""

from __future__ import annotations

import datetime
import decimal
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

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


def without_canary(error: BaseException) -> None:
    """Neither the exception nor anything that it carries or hides may hold a cell."""
    shown = [str(error), repr(error), *map(str, error.args)]
    if isinstance(error, mingle.MingleError):
        shown += [str(error.place), str(error.excerpt), error.hint, *map(str, error.warnings)]
    shown.append("".join(traceback.format_exception(error)))
    for text in shown:
        assert SECRET not in text


def bad_tables(patients: pandas.DataFrame) -> dict[str, object]:
    """Every kind of bad table, each with a cell that must not be seen."""
    secret = patients.assign(disease=[SECRET] * 40)
    cells = secret.to_dict("list")
    return {
        "missing column": secret.drop(columns="zip"),
        "undeclared column": secret.assign(other=SECRET),
        "list column": pyarrow.table({**cells, "zip": [[SECRET]] * 40}),
        "struct column": pyarrow.table({**cells, "zip": [{"a": SECRET}] * 40}),
        "map column": pyarrow.table(
            {**cells, "zip": pyarrow.array([[("a", SECRET)]] * 40, pyarrow.map_(pyarrow.string(), pyarrow.string()))}
        ),
        "binary column": pyarrow.table({**cells, "zip": [SECRET.encode()] * 40}),
        "time of day": pyarrow.table({**cells, "zip": [datetime.time(1, 2)] * 40}),
        "duration": pyarrow.table({**cells, "zip": [datetime.timedelta(1)] * 40}),
        "mixed objects": secret.assign(zip=[SECRET, *range(39)]),
        "wrong kind": secret.assign(age=[SECRET, *map(str, range(39))]),
        "zero rows": secret.iloc[:0],
        "two columns of one name": pyarrow.table(
            [pyarrow.array([SECRET])] * 4, names=["age", "zip", "disease", "disease"]
        ),
        "no frame": [SECRET],
        "a path that is not there": f"/nowhere/{len(SECRET)}.csv",
    }


BAD = ["binary column", "duration", "list column", "map column", "missing column", "mixed objects", "no frame"]
BAD += ["struct column", "time of day", "two columns of one name", "undeclared column", "wrong kind", "zero rows"]
BAD += ["a path that is not there"]


@pytest.mark.parametrize("kind", BAD)
def test_no_function_shows_a_cell(kind: str, patients: pandas.DataFrame, tmp_path: Path) -> None:
    """Each kind of bad table, at every door."""
    table: Any = bad_tables(patients)[kind]
    columns = {**COLUMNS, "age": {"role": "quasi-identifier", "kind": "integer"}}
    policy = mingle.Policy(columns, k=2)
    release = mingle.plan(policy, patients).publish(tmp_path / "release")
    doors: dict[str, Callable[[], object]] = {
        "plan": lambda: mingle.plan(policy, table),
        "providers": lambda: mingle.plan(policy, {"North": patients, "South": table}),
        "measure": lambda: mingle.measure(release, policy, table),
        "minimality": lambda: mingle.attack.minimality(release, policy, table),
        "background join": lambda: mingle.attack.background_join(release, policy, table),
        "apply": lambda: release.apply(table),
        "propose": lambda: mingle.Policy.propose(table),
        "verify": lambda: mingle.verify(table, policy),
        "insider": lambda: mingle.attack.insider(table, policy),
        "intersection": lambda: mingle.attack.intersection([release, release], policy, table),
    }
    refused_at = []
    for door, open_it in doors.items():
        try:
            open_it()
        except mingle.MingleError as error:
            refused_at.append(door)
            assert error.code.startswith("MG") and error.hint, door
            without_canary(error)
    # what cannot be read, or lacks what the policy declares, is refused wherever rows are needed; a provider who has
    # none is only warned of
    needed = {"plan", "apply"} if kind == "zero rows" else {"plan", "providers", "apply"}
    assert needed <= set(refused_at), refused_at


def test_the_list_of_bad_tables_is_whole(patients: pandas.DataFrame) -> None:
    assert sorted(bad_tables(patients)) == sorted(BAD)


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


def typed_tables(patients: pandas.DataFrame) -> tuple[pandas.DataFrame, dict[str, object]]:
    """The same table as plain texts, and in every type that means them."""
    costs = [decimal.Decimal(row) / 4 for row in range(40)]
    at = pandas.date_range("2024-01-01 00:30", periods=40, freq="h", tz="Europe/Berlin")
    plain = patients.assign(cost=[format(c.normalize(), "f") for c in costs])
    plain["at"] = at.tz_convert("UTC").strftime("%Y-%m-%dT%H:%M:%SZ")
    typed = plain.assign(cost=costs, at=at)
    arrow = pyarrow.table(typed)
    dictionary = arrow.set_column(1, "zip", arrow["zip"].combine_chunks().dictionary_encode())
    return plain, {
        "decimals": plain.assign(cost=costs),
        "time zones": plain.assign(at=at),
        "categories": typed.assign(zip=typed["zip"].astype("category")),
        "dictionary": dictionary,
        "nullable": typed.assign(age=typed["age"].astype("Int32"), zip=typed["zip"].astype("string")),
        "small numbers": typed.assign(age=typed["age"].astype("int8")),
        "floats that are whole": typed.assign(age=typed["age"].astype("float64")),
        "index": typed.set_index(pandas.Index(range(100, 140))),
        "large strings": arrow.cast(large(arrow.schema)),
        "several batches": pyarrow.concat_tables([arrow.slice(0, 7), arrow.slice(7)]),
        "polars": polars.from_pandas(typed),
        "polars categories": polars.from_pandas(typed).with_columns(polars.col("zip").cast(polars.Categorical)),
    }


TYPES = ["categories", "decimals", "dictionary", "floats that are whole", "index", "large strings", "nullable"]
TYPES += ["polars", "polars categories", "several batches", "small numbers", "time zones"]


@pytest.mark.parametrize("kind", TYPES)
def test_types_that_are_read(kind: str, patients: pandas.DataFrame, tmp_path: Path) -> None:
    """Categories, nullable and large types, decimals and instants with a zone all mean their texts."""
    policy = mingle.Policy({**COLUMNS, "cost": "insensitive", "at": "insensitive"}, k=2)
    plain, variants = typed_tables(patients)
    assert sorted(variants) == TYPES
    expected = data_of(mingle.plan(policy, plain).publish(tmp_path / "plain"))
    table: Any = variants[kind]
    assert data_of(mingle.plan(policy, table).publish(tmp_path / "typed")) == expected


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


def test_providers_are_named_once() -> None:
    columns = {"age": {"role": "quasi-identifier"}, "disease": {"role": "sensitive"}}
    data = {"provider_column": "site", "person": "row"}
    policy = mingle.Policy.from_dict({"data": data, "columns": columns, "privacy": {"k": 2}})
    frame = pandas.DataFrame({"age": [30, 31, 32, 33], "disease": list("abab"), "site": list("PPQQ")})
    with pytest.raises(mingle.MingleError) as refused:
        mingle.plan(policy, {"P": frame, "Q": frame})
    assert refused.value.code == "MG0109"
    # either of the two is enough
    assert mingle.plan(policy, frame) is not None


WRITTEN: list[dict[str, object]] = [{"decimal": ","}, {"date_format": "dd.mm.yyyy"}, {"delimiter": ";"}]
WRITTEN += [{"encoding": "latin-1"}, {"header": True}, {"columns": {"Age": "age"}}]


@pytest.mark.parametrize("written", WRITTEN, ids=str)
def test_how_files_are_written_is_not_ignored(
    written: dict[str, object], patients: pandas.DataFrame, tmp_path: Path
) -> None:
    """A frame is no file, so such a key is refused; a path is read as the policy says."""
    error = refused(patients, data=written)
    assert error.code == "MG0109" and "is no file" in error.text
    if "decimal" in written or "delimiter" in written:
        columns = {**COLUMNS, "cost": {"role": "insensitive", "kind": "decimal"}}
        plain = patients.assign(cost=[f"{row}.25" for row in range(40)])
        file = tmp_path / "table.csv"
        separator = str(written.get("delimiter", "\t"))
        decimal_mark = str(written.get("decimal", "."))
        plain.assign(cost=plain["cost"].str.replace(".", decimal_mark)).to_csv(file, index=False, sep=separator)
        of_file = mingle.plan(mingle.Policy(columns, k=2, data=written), file).publish(tmp_path / "file")
        of_frame = mingle.plan(mingle.Policy(columns, k=2), plain).publish(tmp_path / "frame")
        assert data_of(of_file) == data_of(of_frame)
