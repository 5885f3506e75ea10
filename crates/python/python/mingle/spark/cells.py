"""The second way: the table is cut into cells, and executors anonymize one cell each.

1. The cluster groups rows that agree. Distinct values, and how often sensitive values occur, come to the driver; they are
   shipped with every task, so that all parts mean the same by a value.
2. The driver grows the top of a Mondrian tree. Each round is one aggregation over all cells that are still too large.
3. Rows go to their cells; each executor runs the policy's method on one cell after the other.
4. What comes out is grouped anew by its labels, and every group is verified in executors against the whole published
   table. One group that fails refuses the release.
5. The cluster sorts the published rows, the driver writes them into one folder, counts them once more and renames it.

Only published rows, with their providers, touch the staging folder, never a row of the frame.
"""

from __future__ import annotations

import json
import os
import shutil
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import _native
from ..policy import Policy
from .assembly import Side, sorted_parts
from .errors import INPUT_CHANGED, NOT_A_TABLE, PLAN_REFUSED, refuse
from .executors import (
    CELL,
    CHECK_SCHEMA,
    CHUNK_ROWS,
    HISTOGRAM_SCHEMA,
    Shipped,
    ShippedPolicy,
    ShippedTable,
    anonymize_cells,
    check_groups,
    count_cells,
    sort_into_cells,
)
from .frames import (
    COUNT,
    PROVIDER,
    Frame,
    ProviderFrame,
    Roles,
    functions_of,
    refuse_changed,
    repeated_identifiers,
)
from .place import ReleasePlace
from .stages import Stages

if TYPE_CHECKING:
    import pyarrow

PROVIDER_PUBLISHED = "MG0407"
ROWS_ARE_NOT_PEOPLE = "MG0310"
#: so many partitions at most, however many cells there are
MOST_PARTITIONS = 2_000


@dataclass(frozen=True)
class Layout:
    """The columns of the frame on the cluster, after the provider."""

    quasi: list[str]
    sensitive: list[str]
    insensitive: list[str]
    #: all published columns in the policy's order
    published: list[str]

    @staticmethod
    def of(roles: Roles) -> Layout:
        """By a policy's roles."""
        return Layout(
            quasi=roles.with_role("quasi-identifier"),
            sensitive=roles.with_role("sensitive"),
            insensitive=roles.with_role("insensitive"),
            published=roles.with_role("quasi-identifier", "sensitive", "insensitive"),
        )

    @property
    def columns(self) -> list[str]:
        """All of them, in the order of executors."""
        return [*self.quasi, *self.sensitive, *self.insensitive]

    # published rows have texts t0, t1, …: labels, the provider, sensitive values, what is carried along

    @property
    def width(self) -> int:
        """How many texts a published row has."""
        return len(self.columns) + 1

    @property
    def label_texts(self) -> list[str]:
        """The labels of a published row."""
        return [f"t{place}" for place in range(len(self.quasi))]

    @property
    def provider_text(self) -> str:
        """Who contributed it."""
        return f"t{len(self.quasi)}"

    @property
    def sensitive_texts(self) -> list[str]:
        """Its sensitive values."""
        first = len(self.quasi) + 1
        return [f"t{place}" for place in range(first, first + len(self.sensitive))]

    def text_of(self, column: str) -> str:
        """The text of a published column."""
        if column in self.quasi:
            return f"t{self.quasi.index(column)}"
        return f"t{self.columns.index(column) + 1}"


def in_executors(
    frames: list[ProviderFrame],
    policy: Policy,
    roles: Roles,
    rows: int,
    place: ReleasePlace,
    cell_rows: int,
    staging: str | os.PathLike[str] | None,
    stages: Stages,
) -> str:
    """Publishes by cells; says what was published."""
    _native.refuse_cells(policy._native)
    layout = Layout.of(roles)
    with stages.stage("looking for identifiers that repeat"):
        refuse_repeated(frames, roles, policy)
    counted = joined(frames, roles, layout)
    counted = counted.persist() if hasattr(counted, "persist") else counted
    folder = staging_folder(place, staging)
    try:
        with stages.stage("looking at values on the cluster"):
            whole, providers = whole_table(counted, layout, rows)
        shipped_policy = ship(policy, roles)
        shipped = Shipped(shipped_policy, ShippedTable.of(whole))
        cells, tree = grow(counted, shipped, cell_rows, stages)
        with stages.stage(f"anonymizing {len(cells)} cells in executors"):
            published = anonymized(counted, shipped, tree, cells, layout, folder / "published")
        with stages.stage("verifying what is published, on the cluster"):
            checks, published_of = verified(published, shipped_policy, layout, len(providers))
        with stages.stage("sorting published rows on the cluster"):
            data, audit = sorted_rows(published, layout, folder)
        known = [(name, count, published_of.get(name, 0)) for name, count in sorted(providers.items())]
        groups = 0

        def write(out: Path) -> None:
            nonlocal groups
            groups = _native.write_assembled(
                (policy._native, shipped_policy.policy()._native),
                (whole.__arrow_c_stream__(), whole.num_rows),
                checks,
                known,
                (data.given(), audit.given()),
                os.fspath(out),
                stages.listener,
            )

        with stages.stage("writing the release"):
            place.put(write)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if hasattr(counted, "unpersist"):
            try:
                counted.unpersist()
            except Exception:
                # a cluster that is gone has nothing to give back
                pass
    left_out = rows - sum(published_of.values())
    return (
        f"{rows - left_out} rows published, {left_out} suppressed, of {len(providers)} providers; {groups} groups; "
        f"{len(cells)} cells, the largest of {max(distinct for _, _, distinct in cells)} distinct rows"
    )


def refuse_repeated(frames: list[ProviderFrame], roles: Roles, policy: Policy) -> None:
    """k rows are k people only if no identifier repeats, or if the policy says so."""
    if "person" in policy.to_dict().get("data", {}):
        return
    repeated = repeated_identifiers(frames, roles)
    if not repeated:
        return
    column, rows, distinct, most = max(repeated, key=lambda seen: seen[2])
    refuse(
        ROWS_ARE_NOT_PEOPLE,
        f'column "{column}" repeats: {rows} rows have {distinct} different identifiers, up to {most} have the same one, '
        "and each row would count as one person",
        f'write person = "{column}" in [data] if it tells people apart, and publish from one machine; write person = "row" '
        "if each row is one person all the same",
    )


def joined(frames: list[ProviderFrame], roles: Roles, layout: Layout) -> Frame:
    """All rows of all providers: the provider, the columns by their places, and how often each row occurs."""
    types: dict[str, Any] = {}
    for frame in frames:
        for column in frame.present(layout.columns):
            name = frame.place(column)
            kind = frame.placed.schema[name].dataType
            if types.setdefault(column, kind) != kind:
                refuse(
                    NOT_A_TABLE,
                    f'column "{column}" has another type in {frame.name} than in another frame',
                    "cast it to the same type in all frames",
                )
    rows: Any = None
    for frame in frames:
        functions = functions_of(frame.placed)
        provider = _provider(frame, roles, functions)
        selected = [provider.alias("p")]
        for number, column in enumerate(layout.columns):
            name = frame.place(column)
            cell = functions.lit(None).cast(types[column]) if name is None else functions.col(name)
            selected.append(cell.alias(f"c{number}"))
        some = frame.placed.select(*selected)
        rows = some if rows is None else rows.unionAll(some)
    functions = functions_of(rows)
    keys = ["p", *[f"c{number}" for number in range(len(layout.columns))]]
    return rows.groupBy(*keys).agg(functions.count(functions.lit(1)).alias(COUNT))


def _provider(frame: ProviderFrame, roles: Roles, functions: Any) -> Any:
    if frame.provider is not None:
        return functions.lit(frame.provider)
    if roles.provider_column is None:
        return functions.lit(frame.name)
    return functions.col(frame.place(roles.provider_column)).cast("string")


def whole_table(counted: Frame, layout: Layout, rows: int) -> tuple[pyarrow.Table, dict[str, int]]:
    """Rows that stand for the whole table: every value of every column is in some of them.

    The first have the combinations of sensitive values, with how often each occurs; the count of the others is zero.
    Also how many rows each provider has.
    """
    import pyarrow

    functions = functions_of(counted)
    total = functions.sum(COUNT).alias(COUNT)
    each = counted.groupBy("p").agg(total).toArrow()
    each = each.set_column(0, "p", each.column("p").cast(pyarrow.string()))
    counts = dict(zip(each.column("p").to_pylist(), each.column(COUNT).to_pylist(), strict=True))
    refuse_changed("the table", rows, sum(counts.values()))
    distinct: list[Any] = [each.sort_by("p").column("p")]
    first = len(layout.quasi)
    places = [f"c{number}" for number in range(len(layout.columns))]
    for place in places[:first]:
        values = counted.select(place).distinct().toArrow()
        distinct.append(values.sort_by(place).column(place))
    sensitive = places[first : first + len(layout.sensitive)]
    if sensitive:
        combinations = counted.groupBy(*sensitive).agg(total).toArrow()
        combinations = combinations.sort_by([(name, "ascending") for name in sensitive])
        of_combinations = combinations.column(COUNT).to_pylist()
        distinct += [combinations.column(name) for name in sensitive]
    else:
        of_combinations = [rows]
    length = max(len(values) for values in distinct)
    columns = []
    for values in distinct:
        cycle = pyarrow.array([row % len(values) for row in range(length)], pyarrow.int64())
        columns.append(values.take(cycle))
    header = counted.limit(0).toArrow().schema
    for place in places[first + len(layout.sensitive) :]:
        # what is carried along means the same in every part: it is not changed
        columns.append(pyarrow.nulls(length, header.field(place).type))
    columns.append(pyarrow.array(of_combinations + [0] * (length - len(of_combinations)), pyarrow.int64()))
    return pyarrow.table(columns, names=[PROVIDER, *layout.columns, COUNT]).combine_chunks(), counts


def ship(policy: Policy, roles: Roles) -> ShippedPolicy:
    """The policy as executors need it: without what is not published, with the provider in a column of its own."""
    from .. import __version__

    sections = policy.to_dict()
    columns = {}
    for name, declared in sections["columns"].items():
        if declared["role"] not in ("quasi-identifier", "sensitive", "insensitive"):
            continue
        if declared["role"] == "insensitive":
            # texts stay as they are written
            declared = {"role": "insensitive", "kind": "category"}
        columns[name] = {key: value for key, value in declared.items() if key != "optional"}
    data = {"provider_column": PROVIDER, "person": "row"}
    if "missing" in sections.get("data", {}):
        data["missing"] = sections["data"]["missing"]
    kept = {key: value for key, value in sections.items() if key in ("privacy", "method", "release")}
    document = json.dumps({"columns": columns, "data": data, **kept})
    files = tuple(_native.hierarchy_files(policy._native))
    return ShippedPolicy(__version__, document, files)


def grow(
    counted: Frame, shipped: Shipped, cell_rows: int, stages: Stages
) -> tuple[list[tuple[int, int, int]], str]:
    """The cells (number, rows, distinct rows) and the tree that leads to them."""
    functions = functions_of(counted)
    whole = shipped.whole.table()
    growth = _native.NativeGrowth(
        shipped.policy.policy()._native, whole.__arrow_c_stream__(), whole.num_rows, cell_rows
    )
    more = True
    while more:
        open_cells = frozenset(growth.open_cells())
        with stages.stage(f"counting {len(open_cells)} cells on the cluster"):
            task = count_cells(shipped, growth.tree(), open_cells)
            lines = counted.mapInArrow(task, HISTOGRAM_SCHEMA)
            lines = lines.groupBy("cell", "column", "code").agg(functions.sum("count").alias("count")).toArrow()
            names = ("cell", "column", "code", "count")
            more = growth.grow(list(zip(*[lines.column(name).to_pylist() for name in names], strict=True)))
    return growth.grown(), growth.tree()


def anonymized(
    counted: Frame, shipped: Shipped, tree: str, cells: list[tuple[int, int, int]], layout: Layout, folder: Path
) -> Frame:
    """Published rows, staged: everything that follows is about these very rows."""
    from pyspark.sql import types

    session = counted.sparkSession
    with_cell = types.StructType([types.StructField(CELL, types.IntegerType()), *counted.schema.fields])
    rows_of_cell = {cell: rows for cell, rows, _ in cells}
    partitions = min(len(cells), MOST_PARTITIONS)
    in_cells = counted.mapInArrow(sort_into_cells(shipped, tree), with_cell)
    # with the order a task holds one cell at a time; engines that drop it hold the cells of a task
    together = in_cells.repartition(partitions, CELL).sortWithinPartitions(CELL)
    texts = [types.StructField(f"t{place}", types.StringType()) for place in range(layout.width)]
    schema = types.StructType([*texts, types.StructField(COUNT, types.LongType())])
    published = together.mapInArrow(anonymize_cells(shipped, rows_of_cell, layout.width), schema)
    published.write.parquet(folder.as_uri())
    return session.read.parquet(folder.as_uri())


def verified(
    published: Frame, policy: ShippedPolicy, layout: Layout, contributors: int
) -> tuple[list[tuple[int, int, bool]], dict[str, int]]:
    """Has every group checked with all of its rows; says how many rows of each provider are published."""
    import pyarrow

    functions = functions_of(published)
    total = functions.sum(COUNT).alias(COUNT)
    of_provider = published.groupBy(layout.provider_text).agg(total).toArrow()
    rows_of = dict(
        zip(of_provider.column(0).to_pylist(), of_provider.column(COUNT).to_pylist(), strict=True)
    )
    refuse_provider_published(published, layout, len(rows_of))
    keys = [*layout.label_texts, layout.provider_text, *layout.sensitive_texts]
    if layout.sensitive:
        combinations = published.groupBy(*layout.sensitive_texts).agg(total).toArrow()
    else:
        combinations = pyarrow.table({COUNT: pyarrow.array([sum(rows_of.values())], pyarrow.int64())})
    length = combinations.num_rows
    blank = pyarrow.array([""] * length, pyarrow.string())
    provider = pyarrow.array([next(iter(rows_of))] * length, pyarrow.string())
    columns = [*[blank] * len(layout.quasi), provider]
    columns += [combinations.column(name).cast(pyarrow.string()) for name in layout.sensitive_texts]
    columns.append(combinations.column(COUNT))
    names = [*layout.quasi, PROVIDER, *layout.sensitive, COUNT]
    whole = ShippedTable.of(pyarrow.table(columns, names=names).combine_chunks())
    groups = published.groupBy(*keys).agg(total)
    labels = layout.label_texts
    partitions = min(1 + groups.count() // CHUNK_ROWS, MOST_PARTITIONS)
    together = groups.repartition(partitions, *labels)
    task = check_groups(Shipped(policy, whole), contributors)
    found = together.mapInArrow(task, CHECK_SCHEMA).toArrow().to_pylist()
    refuse_failing(found, policy)
    # a group that was spread over tasks would have been counted in each of them
    distinct = published.select(*labels).distinct().count()
    if distinct != sum(check["groups"] for check in found):
        refuse(PLAN_REFUSED, "a published group was not verified as a whole", "please report this, without data")
    if sum(check["rows"] for check in found) != sum(rows_of.values()):
        refuse(INPUT_CHANGED, "the published rows have changed while they were verified", "publish again")
    return [(check["groups"], check["rows"], True) for check in found], rows_of


def refuse_failing(found: list[dict[str, Any]], policy: ShippedPolicy) -> None:
    """One group that fails refuses the release."""
    names = _native.promise_names(policy.policy()._native)
    broken = set()
    for check in found:
        for name, fails, undecided in zip(
            names, json.loads(check["fails"]), json.loads(check["undecided"]), strict=True
        ):
            if fails or undecided:
                broken.add(f"{name} {'fails' if fails else 'is undecided'}")
        if check["sites"]:
            broken.add("site-diversity fails")
    if broken:
        refuse(
            PLAN_REFUSED,
            f"what was anonymized in cells was refused: {', '.join(sorted(broken))} in a group",
            "nothing was published; raise cell_rows or driver_rows, or weaken a constraint",
        )


def refuse_provider_published(published: Frame, layout: Layout, providers: int) -> None:
    """A column that names the provider in every row is the provider."""
    if providers < 2:
        return
    functions = functions_of(published)
    provider = functions.col(layout.provider_text)
    others = []
    for column in layout.published:
        text = layout.text_of(column)
        differs = functions.when(functions.col(text) != provider, 1).otherwise(0)
        others.append(functions.max(differs).alias(text))
    (row,) = published.agg(*others).collect()
    for column in layout.published:
        if row[layout.text_of(column)] == 0:
            refuse(
                PROVIDER_PUBLISHED,
                f'column "{column}" names the provider in every row, and the provider is never published',
                "make it an identifier, or drop it",
            )


def sorted_rows(published: Frame, layout: Layout, folder: Path) -> tuple[Side, Side]:
    """The rows that are handed out, and who contributed what, each sorted by the whole row."""
    functions = functions_of(published)
    total = functions.sum(COUNT).alias(COUNT)
    texts = [layout.text_of(column) for column in layout.published]
    data = published.groupBy(*texts).agg(total).orderBy(*texts)
    data.write.parquet((folder / "data").as_uri())
    keys = [*layout.label_texts, layout.provider_text, *layout.sensitive_texts]
    audit = published.groupBy(*keys).agg(total).orderBy(*keys)
    audit.write.parquet((folder / "audit").as_uri())
    return (
        Side(sorted_parts(folder / "data", texts), texts, layout.published, counts=False),
        Side(
            sorted_parts(folder / "audit", keys),
            keys,
            [*layout.quasi, "provider", *layout.sensitive],
            counts=True,
        ),
    )


def staging_folder(place: ReleasePlace, staging: str | os.PathLike[str] | None) -> Path:
    """A new folder that the driver and all executors see. It never holds a row of the frame."""
    if staging is not None:
        parent = Path(os.path.abspath(staging))
    else:
        # it says who contributed what, so it is never beside what is handed out if somebody keeps that apart
        parent = (place.private or place.out).parent
    folder = parent / f".mingle-staging-{uuid.uuid4().hex}"
    folder.mkdir(mode=0o700)
    return folder
