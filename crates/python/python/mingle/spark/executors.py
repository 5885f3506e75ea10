"""What executors do: count cells, sort rows into them, anonymize one cell at a time, verify groups.

Each function works on the batches of one task and holds no more than one cell, or one chunk of rows, at a time. It needs
nothing but what is shipped with it: the policy with its hierarchies, and rows that stand for the whole table. A task that
is run again gives the same rows, so retries and speculation change nothing.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from .errors import CLUSTER_FAILED, INPUT_CHANGED, FoundInExecutor, in_executor
from .frames import COUNT

#: rows that are read at once where cells do not matter
CHUNK_ROWS = 500_000
#: the cell of a row
CELL = "mingle_cell"

Batches = Iterator[Any]


@dataclass(frozen=True)
class ShippedPolicy:
    """A policy on its way to executors: as a document, with the texts of its hierarchy files."""

    version: str
    document: str
    #: column and text of each hierarchy file
    files: tuple[tuple[str, str], ...]

    def policy(self) -> Any:
        """The policy, as it is in this process."""
        import mingle

        if mingle.__version__ != self.version:
            raise FoundInExecutor(
                CLUSTER_FAILED,
                f"an executor has mingle {mingle.__version__}, and the driver {self.version}",
                "install the same wheel everywhere",
            )
        known = _POLICIES.get(self)
        if known is None:
            known = self._read()
            _POLICIES[self] = known
        return known

    def _read(self) -> Any:
        from mingle.policy import Policy

        sections = json.loads(self.document)
        with tempfile.TemporaryDirectory() as folder:
            for place, (column, text) in enumerate(self.files):
                name = f"hierarchy{place}.csv"
                with open(os.path.join(folder, name), "w", encoding="utf-8", newline="") as file:
                    file.write(text)
                sections["columns"][column]["hierarchy"] = name
            # hierarchy files are read whenever a table is: keep them as long as this process lives
            kept = tempfile.mkdtemp(prefix="mingle-") if self.files else folder
            for place in range(len(self.files)):
                name = f"hierarchy{place}.csv"
                os.replace(os.path.join(folder, name), os.path.join(kept, name))
            return Policy.from_dict(sections, folder=kept)


_POLICIES: dict[ShippedPolicy, Any] = {}


@dataclass(frozen=True)
class ShippedTable:
    """Rows that stand for the whole table, as Arrow bytes; their last column is a count."""

    bytes: bytes = field(repr=False)
    rows: int

    @staticmethod
    def of(table: Any) -> ShippedTable:
        """Packs a table."""
        import pyarrow

        sink = pyarrow.BufferOutputStream()
        options = pyarrow.ipc.IpcWriteOptions(compression="zstd")
        with pyarrow.ipc.new_stream(sink, table.schema, options=options) as writer:
            writer.write_table(table)
        return ShippedTable(sink.getvalue().to_pybytes(), table.num_rows)

    def table(self) -> Any:
        """Unpacks it."""
        import pyarrow

        return pyarrow.ipc.open_stream(self.bytes).read_all()


@dataclass(frozen=True)
class Shipped:
    """All that a task needs beside its rows."""

    policy: ShippedPolicy
    whole: ShippedTable

    def part(self, batches: list[Any]) -> tuple[Any, Any, int]:
        """The policy, a stream of the whole table's rows and of a part's, and how many are the former."""
        import pyarrow

        whole = self.whole.table()
        rows = pyarrow.Table.from_batches([_as(batch, whole.schema) for batch in batches], whole.schema)
        joined = pyarrow.concat_tables([whole, rows])
        return self.policy.policy()._native, joined.__arrow_c_stream__(), self.whole.rows


def _as(batch: Any, schema: Any) -> Any:
    """A batch with the whole table's types: engines differ in whether texts are large or views."""
    import pyarrow

    columns = []
    for place, wanted in enumerate(schema):
        column = batch.column(place)
        columns.append(column if column.type == wanted.type else column.cast(wanted.type))
    return pyarrow.RecordBatch.from_arrays(columns, schema=schema)


def _chunks(batches: Batches) -> Iterator[list[Any]]:
    """Batches together, as many as are read at once."""
    chunk: list[Any] = []
    rows = 0
    for batch in batches:
        if batch.num_rows == 0:
            continue
        chunk.append(batch)
        rows += batch.num_rows
        if rows >= CHUNK_ROWS:
            yield chunk
            chunk, rows = [], 0
    if chunk:
        yield chunk


def count_cells(shipped: Shipped, tree: str, open_cells: frozenset[int]) -> Callable[[Batches], Batches]:
    """Counts of the open cells: cell, column, code, count."""

    def run(batches: Batches) -> Batches:
        import pyarrow
        import pyarrow.compute

        from mingle import _native

        wanted = pyarrow.array(sorted(open_cells), pyarrow.int32())
        for chunk in _chunks(batches):
            with in_executor():
                policy, stream, standing = shipped.part(chunk)
                counted = pyarrow.table(_native.cell_histogram(policy, stream, standing, tree))
                is_open = pyarrow.compute.is_in(counted.column("cell"), value_set=wanted)
                counted = counted.filter(is_open)
            yield from counted.to_batches()

    return run


def sort_into_cells(shipped: Shipped, tree: str) -> Callable[[Batches], Batches]:
    """The same rows with their cell in front."""

    def run(batches: Batches) -> Batches:
        import pyarrow

        from mingle import _native

        for chunk in _chunks(batches):
            with in_executor():
                policy, stream, standing = shipped.part(chunk)
                cells = pyarrow.table(_native.cell_of_rows(policy, stream, standing, tree)).column("cell")
                rows = pyarrow.Table.from_batches(chunk)
                rows = rows.add_column(0, CELL, cells)
            yield from rows.to_batches()

    return run


def anonymize_cells(shipped: Shipped, rows_of_cell: dict[int, int], width: int) -> Callable[[Batches], Batches]:
    """Published rows. All rows of a cell are in one task; a cell is anonymized as soon as all of them are there."""

    def run(batches: Batches) -> Batches:
        waiting: dict[int, WaitingCell] = {}
        for batch in batches:
            for cell, rows in _by_cell(batch):
                gathered = waiting.setdefault(cell, WaitingCell())
                gathered.add(rows)
                # the number of rows tells when, so nothing depends on an order that some engines drop
                if gathered.rows == rows_of_cell.get(cell):
                    with in_executor():
                        published = _anonymized(shipped, waiting.pop(cell).batches, width)
                    yield from published
        with in_executor():
            _refuse_incomplete(waiting, rows_of_cell)

    return run


class WaitingCell:
    """Rows of a cell that are there already."""

    def __init__(self) -> None:
        self.batches: list[Any] = []
        self.rows = 0

    def add(self, batch: Any) -> None:
        """More of them; their last column is the count."""
        import pyarrow.compute

        self.batches.append(batch)
        self.rows += pyarrow.compute.sum(batch.column(batch.num_columns - 1)).as_py()


def _by_cell(batch: Any) -> Iterator[tuple[int, Any]]:
    """The rows of a batch by their cells, without the cell."""
    import pyarrow.compute

    if batch.num_rows == 0:
        return
    cells = batch.column(0)
    rows = batch.select(range(1, batch.num_columns))
    for cell in sorted(pyarrow.compute.unique(cells).to_pylist()):
        yield cell, rows.filter(pyarrow.compute.equal(cells, cell))


def _refuse_incomplete(waiting: dict[int, WaitingCell], rows_of_cell: dict[int, int]) -> None:
    """A cell that is spread over tasks, or that has changed, is never anonymized in pieces."""
    for cell, gathered in waiting.items():
        raise FoundInExecutor(
            INPUT_CHANGED,
            f"a cell has {gathered.rows} rows in a task where {rows_of_cell.get(cell, 0)} were counted",
            "publish from a table that nobody writes to, such as a snapshot, or cache the frame",
        )


def _anonymized(shipped: Shipped, rows: list[Any], width: int) -> list[Any]:
    import pyarrow

    from mingle import _native

    policy, stream, standing = shipped.part(rows)
    published = pyarrow.table(_native.anonymize_cell(policy, stream, standing))
    if published.num_columns == 0:
        return []
    names = [f"t{place}" for place in range(width)] + [COUNT]
    batches: list[Any] = published.rename_columns(names).to_batches(max_chunksize=65_536)
    return batches


def check_groups(shipped: Shipped, contributors: int) -> Callable[[Batches], Batches]:
    """Verdicts. All rows of a group are in one task, whose groups are checked together.

    Columns are the labels, the provider, sensitive values and the count.
    """

    def run(batches: Batches) -> Batches:
        import pyarrow

        from mingle import _native

        rows = [batch for batch in batches if batch.num_rows > 0]
        if not rows:
            return
        with in_executor():
            policy, stream, standing = shipped.part(rows)
            found = _native.check_part(policy, stream, standing, contributors)
        groups, count, fails, undecided, lacks_sites = found
        yield pyarrow.RecordBatch.from_pydict(
            {
                "groups": pyarrow.array([groups], pyarrow.int64()),
                "rows": pyarrow.array([count], pyarrow.int64()),
                "fails": pyarrow.array([json.dumps(fails)], pyarrow.string()),
                "undecided": pyarrow.array([json.dumps(undecided)], pyarrow.string()),
                "sites": pyarrow.array([lacks_sites], pyarrow.bool_()),
            }
        )

    return run


CHECK_SCHEMA = "groups long, rows long, fails string, undecided string, sites boolean"
HISTOGRAM_SCHEMA = "cell int, column int, code long, count long"
