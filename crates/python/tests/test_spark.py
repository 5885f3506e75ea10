"""Both ways on a cluster: the same bytes as one machine, or a verified release with the same bytes every time."""

from __future__ import annotations

import datetime
import decimal
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import spark_engines

pyarrow = pytest.importorskip("pyarrow")

import pyarrow.compute  # noqa: E402
import pyarrow.parquet  # noqa: E402

import mingle  # noqa: E402
from mingle import _native  # noqa: E402
from mingle.errors import MingleError  # noqa: E402

mingle_spark = pytest.importorskip("mingle.spark")
cells = pytest.importorskip("mingle.spark.cells")


#: where real tables may be
REPOSITORY_DATA = Path(__file__).resolve().parents[4] / "shared/data"


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    session, server = spark_engines.start()
    yield session
    session.stop()
    if server is not session:
        server.stop()


ROWS = 1_200


@pytest.fixture(scope="session")
def hospital() -> Any:
    return pyarrow.table(mingle.synth("hospital", rows=ROWS, providers=3))


@pytest.fixture(scope="session")
def policy(hospital: Any) -> mingle.Policy:
    return mingle.Policy.propose(hospital)


def changed(policy: mingle.Policy, **sections: Any) -> mingle.Policy:
    """The same policy with some keys set."""
    document = policy.to_dict()
    for section, keys in sections.items():
        document.setdefault(section, {}).update(keys)
    return mingle.Policy.from_dict(document)


def public_files(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted((folder / "public").iterdir())}


def rows_of(folder: Path) -> list[str]:
    return sorted((folder / "public/data.csv").read_text().splitlines()[1:])


def partitions(frame: Any, number: int) -> Any:
    return frame.repartition(number)


# --- the first way


def test_first_way_same_bytes_as_one_machine(spark: Any, hospital: Any, policy: mingle.Policy, tmp_path: Path) -> None:
    mingle.plan(policy, hospital).publish(tmp_path / "one")
    expected = public_files(tmp_path / "one")
    frame = spark.createDataFrame(hospital)
    for number in (1, 3, 8):
        out = tmp_path / f"cluster{number}"
        release = mingle_spark.publish(partitions(frame, number), policy, out, private="beside")
        assert public_files(out) == expected, number
        assert release.verify().holds


def test_first_way_with_a_frame_per_provider(spark: Any, hospital: Any, policy: mingle.Policy, tmp_path: Path) -> None:
    document = policy.to_dict()
    column = document["data"].pop("provider_column")
    document["columns"].pop(column, None)
    without = mingle.Policy.from_dict(document)
    tables = {}
    for provider in sorted(set(hospital.column(column).to_pylist())):
        of_provider = hospital.filter(pyarrow.compute.equal(hospital.column(column), provider))
        tables[provider] = of_provider.drop_columns([column])
    mingle.plan(without, tables).publish(tmp_path / "one")
    frames = {provider: spark.createDataFrame(table) for provider, table in tables.items()}
    mingle_spark.publish(frames, without, tmp_path / "driver", private="beside")
    assert public_files(tmp_path / "driver") == public_files(tmp_path / "one")
    release = mingle_spark.publish(frames, without, tmp_path / "cells", private="beside", way="cells", cell_rows=500)
    assert release.verify().holds


def test_rows_that_carry_something_along(spark: Any, hospital: Any, policy: mingle.Policy, tmp_path: Path) -> None:
    noted = hospital.append_column("note", pyarrow.array([f"n{row % 17}" for row in range(ROWS)]))
    carrying = changed(policy, columns={"note": {"role": "insensitive"}})
    mingle.plan(carrying, noted).publish(tmp_path / "one")
    frame = spark.createDataFrame(noted).repartition(3)
    mingle_spark.publish(frame, carrying, tmp_path / "driver", private="beside")
    assert public_files(tmp_path / "driver") == public_files(tmp_path / "one")
    release = mingle_spark.publish(frame, carrying, tmp_path / "cells", private="beside", way="cells", cell_rows=500)
    assert release.verify().holds
    place = release.manifest["columns"].index(next(c for c in release.manifest["columns"] if c["name"] == "note"))
    carried = sorted(row.split(",")[place] for row in rows_of(tmp_path / "cells"))
    assert carried == sorted(noted.column("note").to_pylist())


def test_people_are_published_by_the_driver_and_refused_in_cells(spark: Any, tmp_path: Path) -> None:
    visits = pyarrow.table(mingle.synth("hospital", rows=600, providers=2, visits=3))
    policy = mingle.Policy.propose(visits)
    assert policy.to_dict()["data"]["person"] != "row"
    mingle.plan(policy, visits).publish(tmp_path / "one")
    frame = spark.createDataFrame(visits)
    mingle_spark.publish(frame, policy, tmp_path / "driver", private="beside")
    assert public_files(tmp_path / "driver") == public_files(tmp_path / "one")
    # more rows than the driver takes, or asked for: what is missing is named
    for arguments in ({"way": "cells"}, {"driver_rows": 100}):
        with pytest.raises(MingleError, match="people have several rows") as raised:
            mingle_spark.publish(frame, policy, tmp_path / "cells", private="beside", **arguments)
        assert raised.value.code == "MG0109" and "keep a person's rows together" in raised.value.hint
    assert not (tmp_path / "cells").exists()


# --- the second way


def cells_on_one_machine(table: Any, policy: mingle.Policy, cell_rows: int) -> list[tuple[Any, ...]]:
    """What executors should publish, without a cluster: the same steps on one table in memory."""
    roles = mingle_spark.frames.Roles.of(policy)
    layout = cells.Layout.of(roles)
    counted = table.select([roles.provider_column, *layout.columns]).group_by(
        [roles.provider_column, *layout.columns]
    )
    counted = counted.aggregate([([], "count_all")])
    counted = counted.rename_columns([mingle_spark.frames.PROVIDER, *layout.columns, mingle_spark.frames.COUNT])
    combinations = counted.group_by(layout.sensitive).aggregate([(mingle_spark.frames.COUNT, "sum")])
    distinct = [counted.column(name).unique() for name in [mingle_spark.frames.PROVIDER, *layout.quasi]]
    distinct += [combinations.column(name).combine_chunks() for name in layout.sensitive]
    length = max(len(values) for values in distinct)
    columns = [values.take(pyarrow.array([row % len(values) for row in range(length)])) for values in distinct]
    counts = combinations.column(len(layout.sensitive)).to_pylist()
    columns.append(pyarrow.array(counts + [0] * (length - len(counts)), pyarrow.int64()))
    whole = pyarrow.table(columns, names=counted.column_names)
    shipped = mingle_spark.executors.Shipped(cells.ship(policy, roles), mingle_spark.executors.ShippedTable.of(whole))
    native, _, standing = shipped.part([])
    growth = _native.NativeGrowth(native, whole.__arrow_c_stream__(), standing, cell_rows)
    more = True
    while more:
        _, stream, _ = shipped.part(counted.combine_chunks().to_batches())
        lines = pyarrow.table(_native.cell_histogram(native, stream, standing, growth.tree())).to_pylist()
        wanted = set(growth.open_cells())
        more = growth.grow(
            [(x["cell"], x["column"], x["code"], x["count"]) for x in lines if x["cell"] in wanted]
        )
    _, stream, _ = shipped.part(counted.combine_chunks().to_batches())
    cell_of = pyarrow.table(_native.cell_of_rows(native, stream, standing, growth.tree())).column(0)
    published: list[tuple[Any, ...]] = []
    for cell, rows, distinct_rows in growth.grown():
        part = counted.filter(pyarrow.compute.equal(cell_of, cell))
        assert part.num_rows == distinct_rows
        assert sum(part.column(mingle_spark.frames.COUNT).to_pylist()) == rows
        _, stream, _ = shipped.part(part.combine_chunks().to_batches())
        made = pyarrow.table(_native.anonymize_cell(native, stream, standing)).to_pylist()
        published += [tuple(row.values()) for row in made]
    return published


def expanded(published: list[tuple[Any, ...]], layout: Any) -> list[str]:
    """Published rows as lines, without who contributed them."""
    lines = []
    for row in published:
        cells_of_row = {f"t{place}": value for place, value in enumerate(row[:-1])}
        texts = [cells_of_row[layout.text_of(column)] for column in layout.published]
        lines += [",".join(f'"{t}"' if "," in t or '"' in t else t for t in texts)] * row[-1]
    return sorted(lines)


def test_second_way_same_bytes_for_any_partitions(
    spark: Any, hospital: Any, policy: mingle.Policy, tmp_path: Path
) -> None:
    frame = spark.createDataFrame(hospital)
    expected: dict[str, bytes] | None = None
    for number in (1, 3, 8):
        out = tmp_path / f"cells{number}"
        release = mingle_spark.publish(
            partitions(frame, number), policy, out, private="beside", way="cells", cell_rows=400
        )
        assert release.verify().holds
        files = public_files(out)
        assert expected is None or files == expected, number
        expected = files
    layout = cells.Layout.of(mingle_spark.frames.Roles.of(policy))
    assert rows_of(tmp_path / "cells1") == expanded(cells_on_one_machine(hospital, policy, 400), layout)
    # nothing but the release is left
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cells1", "cells3", "cells8"]


def test_loss_of_the_second_way_is_within_a_tenth(spark: Any, tmp_path: Path) -> None:
    larger = pyarrow.table(mingle.synth("hospital", rows=2_000, providers=3))
    policy = mingle.Policy.propose(larger)
    frame = spark.createDataFrame(larger)
    one = mingle_spark.publish(frame, policy, tmp_path / "driver", private="beside")
    # cells of a few hundred rows, which nobody needs, cost more: 14 % with 500
    two = mingle_spark.publish(frame, policy, tmp_path / "cells", private="beside", way="cells", cell_rows=1_100)
    first = mingle_spark.measure(one, policy, frame)["ncp"]["overall"]
    second = mingle_spark.measure(two, policy, frame)["ncp"]["overall"]
    assert second <= 1.1 * first


PROMISES: list[dict[str, Any]] = [
    {"k": 4, "m": 0},
    {"k": 4, "m": 1, "l": {"entropy": 2}},
    {"k": 3, "m": 1, "l": {"recursive": {"c": 3, "l": 2}}},
    {"k": 5, "m": 0, "t": {"max": 0.6, "distance": "equal"}},
    {"k": 5, "m": 1, "max_frequency": 0.5},
    {"k": 3, "m": 1, "semantics": "strict", "site_diversity": 1},
]


@pytest.mark.parametrize("promised", PROMISES, ids=json.dumps)
def test_every_promise_by_cells(
    spark: Any, hospital: Any, policy: mingle.Policy, tmp_path: Path, promised: dict[str, Any]
) -> None:
    document = policy.to_dict()
    document["privacy"] = promised
    asked = mingle.Policy.from_dict(document)
    frame = spark.createDataFrame(hospital)
    release = mingle_spark.publish(frame, asked, tmp_path / "out", private="beside", way="cells", cell_rows=600)
    verdict = release.verify()
    assert verdict.holds, verdict
    assert release.manifest["rows"] == ROWS


def test_parquet_and_rows_left_out(spark: Any, hospital: Any, policy: mingle.Policy, tmp_path: Path) -> None:
    asked = changed(policy, release={"format": "parquet"}, method={"max_suppressed": 0.02})
    release = mingle_spark.publish(
        spark.createDataFrame(hospital), asked, tmp_path / "out", private="beside", way="cells", cell_rows=600
    )
    assert release.verify().holds
    assert 0.98 * ROWS <= release.manifest["rows"] <= ROWS


def test_one_dense_tuple_cannot_be_cut_and_need_not_be(spark: Any, tmp_path: Path) -> None:
    table = pyarrow.table({"age": [40] * 900 + [41] * 100, "disease": ["flu", "asthma"] * 500})
    policy = mingle.Policy({"age": "quasi-identifier", "disease": "sensitive"}, k=5)
    release = mingle_spark.publish(
        spark.createDataFrame(table), policy, tmp_path / "out", private="beside", way="cells", cell_rows=1
    )
    assert release.verify().holds
    assert release.manifest["groups"] == 2


def test_hierarchy_files_travel_with_the_policy(spark: Any, tmp_path: Path) -> None:
    (tmp_path / "zip.csv").write_text("".join(f"1{zip:02};1{zip // 10}*;***\n" for zip in range(30)))
    table = pyarrow.table(
        {
            "zip": [f"1{row % 30:02}" for row in range(600)],
            "age": [20 + row * 7 % 50 for row in range(600)],
            "site": [f"P{row % 3}" for row in range(600)],
            "disease": [f"d{row * 11 % 5}" for row in range(600)],
        }
    )
    columns = {
        "zip": {"role": "quasi-identifier", "kind": "category", "hierarchy": "zip.csv"},
        "age": {"role": "quasi-identifier"},
        "disease": {"role": "sensitive"},
    }
    data = {"provider_column": "site", "person": "row"}
    privacy = {"k": 4, "m": 1, "l": {"distinct": 2}}
    policy = mingle.Policy.from_dict({"columns": columns, "data": data, "privacy": privacy}, folder=tmp_path)
    frame = spark.createDataFrame(table)
    release = mingle_spark.publish(frame, policy, tmp_path / "out", private="beside", way="cells", cell_rows=40)
    assert release.verify().holds


# --- planted mistakes: what a bug in executors, a lost or a doubled part would do


def test_a_group_that_fails_refuses_the_release(
    spark: Any, hospital: Any, policy: mingle.Policy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = cells.anonymized

    def wrong(*arguments: Any) -> Any:
        published = right(*arguments)
        functions = mingle_spark.frames.functions_of(published)
        # one row of each group leaves it for a label of its own
        label = functions.when(functions.col(mingle_spark.frames.COUNT) > 1, functions.col("t0"))
        return published.withColumn("t0", label.otherwise(functions.lit("1900")))

    monkeypatch.setattr(cells, "anonymized", wrong)
    with pytest.raises(MingleError, match="was refused"):
        mingle_spark.publish(
            spark.createDataFrame(hospital), policy, tmp_path / "out", private="beside", way="cells", cell_rows=400
        )
    assert list(tmp_path.iterdir()) == []


def test_a_part_that_is_there_twice_or_not_at_all_refuses_the_release(
    spark: Any, hospital: Any, policy: mingle.Policy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = cells.sorted_parts
    frame = spark.createDataFrame(hospital)
    for change in (lambda parts: parts + parts[-1:], lambda parts: parts[1:]):
        monkeypatch.setattr(cells, "sorted_parts", lambda folder, keys, change=change: change(right(folder, keys)))
        with pytest.raises(MingleError):
            mingle_spark.publish(frame, policy, tmp_path / "out", private="beside", way="cells", cell_rows=400)
        assert list(tmp_path.iterdir()) == []


# --- verifying


def test_verify_finds_what_one_machine_finds(spark: Any, hospital: Any, policy: mingle.Policy, tmp_path: Path) -> None:
    mingle.plan(policy, hospital).publish(tmp_path / "one")
    audit = pyarrow.parquet.read_table(tmp_path / "one/private/audit.parquet")
    times = pyarrow.array([row for row, n in enumerate(audit.column("count").to_pylist()) for _ in range(n)])
    provider = policy.to_dict()["data"]["provider_column"]
    names = [provider if name == "provider" else name for name in audit.column_names]
    table = audit.rename_columns(names).take(times).drop_columns(["count"])
    for k in (5, 9):
        asked = changed(policy, privacy={"k": k})
        here, there = mingle.verify(table, asked), mingle_spark.verify(spark.createDataFrame(table), asked)
        assert here.holds == there.holds == (k == 5)
        assert there.answer["groups"] == here.answer["groups"]
    with pytest.raises(mingle.PromiseBroken):
        there.raise_if_fails()


# --- bad input


def test_where_releases_go(spark: Any, hospital: Any, policy: mingle.Policy, tmp_path: Path) -> None:
    frame = spark.createDataFrame(hospital)
    with pytest.raises(MingleError, match="nobody says where the private part"):
        mingle_spark.publish(frame, policy, tmp_path / "out")
    with pytest.raises(MingleError, match="inside"):
        mingle_spark.publish(frame, policy, tmp_path / "out", private=tmp_path / "out/private")
    with pytest.raises(MingleError, match="no folder that the driver sees"):
        mingle_spark.publish(frame, policy, "s3a://bucket/out", private="beside")
    (tmp_path / "shared").mkdir()
    (tmp_path / "own").mkdir()
    for way in ("driver", "cells"):
        out, private = tmp_path / f"shared/{way}", tmp_path / f"own/{way}"
        mingle_spark.publish(frame, policy, out, private=private, way=way, cell_rows=600)
        assert [path.name for path in out.iterdir()] == ["public"]
        assert (private / "audit.parquet").is_file() and (private / "manifest.json").is_file()
        with pytest.raises(MingleError) as raised:
            mingle_spark.publish(frame, policy, out, private=tmp_path / "own/other", way=way)
        assert raised.value.code == "MG0401"
        with pytest.raises(MingleError) as raised:
            mingle_spark.publish(frame, policy, tmp_path / "shared/other", private=private, way=way)
        assert raised.value.code == "MG0401"
    assert sorted(path.name for path in (tmp_path / "shared").iterdir()) == ["cells", "driver"]
    assert sorted(path.name for path in (tmp_path / "own").iterdir()) == ["cells", "driver"]


def test_two_drivers_on_one_output(spark: Any, hospital: Any, policy: mingle.Policy, tmp_path: Path) -> None:
    frame = spark.createDataFrame(hospital)
    ended: list[str] = []

    def drive() -> None:
        try:
            mingle_spark.publish(frame, policy, tmp_path / "out", private="beside")
            ended.append("published")
        except MingleError as error:
            ended.append(error.code)

    drivers = [threading.Thread(target=drive) for _ in range(2)]
    for driver in drivers:
        driver.start()
    for driver in drivers:
        driver.join()
    assert sorted(ended) == ["MG0401", "published"]
    assert mingle.open(tmp_path / "out").verify().holds
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def other_rows_every_time(batches: Iterator[Any]) -> Iterator[Any]:
    """Leaves out some rows, other ones in every pass."""
    import os

    for batch in batches:
        left = batch.num_rows - int.from_bytes(os.urandom(2), "little") % (1 + batch.num_rows // 2)
        yield batch.slice(0, left)


def test_frames_that_cannot_be_published(spark: Any, hospital: Any, policy: mingle.Policy, tmp_path: Path) -> None:
    out = tmp_path / "out"
    frame = spark.createDataFrame(hospital)
    functions = mingle_spark.frames.functions_of(frame)

    def code(frame: Any, **arguments: Any) -> str:
        with pytest.raises(MingleError) as raised:
            mingle_spark.publish(frame, policy, out, private="beside", **arguments)
        assert list(tmp_path.iterdir()) == []
        return raised.value.code

    for way in ("driver", "cells"):
        assert code(frame.limit(0), way=way) == "MG0203"
        assert code(frame.drop("zip"), way=way) == "MG0204"
        assert code(frame.withColumn("more", functions.lit(1)), way=way) == "MG0205"
        nested = frame.withColumn("zip", functions.array(functions.col("zip")))
        assert code(nested, way=way) == "MG0202"
        binary = frame.withColumn("zip", functions.col("zip").cast("binary"))
        assert code(binary, way=way) == "MG0202"
        unsteady = frame.mapInArrow(other_rows_every_time, frame.schema)
        assert code(unsteady, way=way) == "MG0216", way
    assert code(hospital) == "MG0202"


def typed(rows: int) -> Any:
    """A table with every type that clusters have and that means a text."""
    day = datetime.date(2024, 1, 1)
    at = datetime.datetime(2024, 1, 1, 23, 30, tzinfo=datetime.timezone(datetime.timedelta(hours=2)))
    return pyarrow.table(
        {
            "site": [f"P{row % 3}" for row in range(rows)],
            "cost": pyarrow.array([decimal.Decimal(row % 20) / 4 for row in range(rows)], pyarrow.decimal128(12, 3)),
            "day": [day + datetime.timedelta(days=row % 15) for row in range(rows)],
            "at": pyarrow.array(
                [at + datetime.timedelta(hours=row % 40) for row in range(rows)], pyarrow.timestamp("us", "Europe/Berlin")
            ),
            "dose": [None if row % 31 == 0 else float(row % 7) for row in range(rows)],
            "small": pyarrow.array([row % 9 for row in range(rows)], pyarrow.int8()),
            "text": pyarrow.array([f"t{row % 4}" for row in range(rows)], pyarrow.large_string()),
            "kind": pyarrow.array([f"c{row % 3}" for row in range(rows)]).dictionary_encode(),
            "flag": [row % 2 == 0 for row in range(rows)],
            "note": pyarrow.array([decimal.Decimal(row % 8) / 8 for row in range(rows)], pyarrow.decimal128(12, 3)),
            "disease": [f"d{row * 7 % 5}" for row in range(rows)],
        }
    )


@pytest.mark.parametrize("carries", [False, True], ids=["counted", "carrying"])
def test_types_mean_the_same_as_on_one_machine(spark: Any, tmp_path: Path, carries: bool) -> None:
    """Decimals, days, instants with a zone, floats with nulls, small integers, large strings, dictionaries, flags."""
    table = typed(240)
    columns: dict[str, Any] = {name: "quasi-identifier" for name in table.column_names if name not in ("site", "note")}
    columns["note"] = "insensitive" if carries else "identifier"
    columns["disease"] = "sensitive"
    policy = mingle.Policy(columns, k=3, m=1, data={"provider_column": "site", "person": "row"})
    place = table.column_names.index("kind")
    frame = spark.createDataFrame(table.set_column(place, "kind", table.column("kind").cast(pyarrow.string())))
    mingle.plan(policy, table).publish(tmp_path / "one")
    mingle_spark.publish(frame, policy, tmp_path / "driver", private="beside", way="driver")
    assert public_files(tmp_path / "driver")["data.csv"] == public_files(tmp_path / "one")["data.csv"]
    # one cell with everything is what one machine does
    mingle_spark.publish(frame, policy, tmp_path / "cells", private="beside", way="cells")
    assert public_files(tmp_path / "cells")["data.csv"] == public_files(tmp_path / "one")["data.csv"]


def test_policies_that_do_not_go_with_frames(spark: Any, hospital: Any, policy: mingle.Policy, tmp_path: Path) -> None:
    frame = spark.createDataFrame(hospital)

    def refused(asked: mingle.Policy, **arguments: Any) -> str:
        with pytest.raises(MingleError) as raised:
            mingle_spark.publish(frame, asked, tmp_path / "out", private="beside", **arguments)
        return raised.value.text

    assert "names files" in refused(changed(policy, data={"path": "table.csv"}))
    assert "fragments" in refused(changed(policy, release={"fragmented": True}), way="cells")
    assert "full-domain" in refused(changed(policy, method={"name": "datafly"}), way="cells")
    assert "strict = true" in refused(changed(policy, release={"strict": True}), way="cells")
    assert 'ranges = "cell"' in refused(
        changed(policy, method={"name": "mondrian", "ranges": "cell"}), way="cells"
    )


def test_what_a_cluster_says_is_not_repeated() -> None:
    from mingle.spark.errors import FoundInExecutor, on_cluster

    def said(error: Exception) -> MingleError:
        with pytest.raises(MingleError) as raised, on_cluster("counting"):
            raise error
        return raised.value

    secret = said(RuntimeError("cannot cast 'Alice Liddell' to int"))
    assert secret.code == "MG0450" and "Alice" not in str(secret)
    assert "does not have the Python package" in said(RuntimeError("No module named 'mingle'")).text
    assert said(RuntimeError(f"Traceback: {FoundInExecutor('MG0216', 'changed', 'again')}")).code == "MG0216"


def test_an_executor_of_another_version(spark: Any, hospital: Any, policy: mingle.Policy, tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mingle, "__version__", "0.0.1")
        if spark_engines.ENGINE == "sail":
            pytest.skip("executors of Sail's local cluster are in this process")
        with pytest.raises(MingleError, match="an executor has mingle|the driver"):
            mingle_spark.publish(
                spark.createDataFrame(hospital), policy, tmp_path / "out", private="beside", way="cells", cell_rows=400
            )
    assert not (tmp_path / "out").exists()


def test_progress_has_a_line_per_stage(
    spark: Any, hospital: Any, policy: mingle.Policy, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mingle_spark.publish(spark.createDataFrame(hospital), policy, tmp_path / "out", private="beside", progress=True)
    lines = capsys.readouterr().err.splitlines()
    assert [line for line in lines if line.startswith("mingle: grouping on the cluster, ")]
    assert [line for line in lines if line.startswith("mingle: writing the release, ")]
