"""Sorted part files of a cluster, read one after the other as codes into dictionaries.

Spark numbers its part files in order, other engines do not: parts are ordered by their first rows. Whoever writes the
rows checks that each comes after the one before, so a part that is there twice, or between others, is noticed.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .errors import PLAN_REFUSED, refuse
from .frames import COUNT

BATCH_ROWS = 65_536


def sorted_parts(folder: Path, keys: list[str]) -> list[Path]:
    """The part files that have rows, in the order of their first rows."""
    import pyarrow.parquet

    found = []
    for file in sorted(folder.glob("*.parquet")):
        first = next(pyarrow.parquet.ParquetFile(file).iter_batches(batch_size=1, columns=keys), None)
        if first is not None and first.num_rows > 0:
            row = first.select(keys).to_pylist()[0]
            found.append((tuple(row[key] for key in keys), file))
    return [file for _, file in sorted(found, key=lambda part: part[0])]


class Side:
    """One table of a release: data, or who contributed what."""

    def __init__(self, parts: list[Path], keys: list[str], names: list[str], *, counts: bool) -> None:
        self.parts = parts
        self.keys = keys
        self.names = names
        #: whether the count is a column by itself
        self.counts = counts

    def _batches(self) -> Iterator[Any]:
        import pyarrow.parquet

        for part in self.parts:
            yield from pyarrow.parquet.ParquetFile(part).iter_batches(
                batch_size=BATCH_ROWS, columns=[*self.keys, COUNT]
            )

    def given(self) -> tuple[list[tuple[str, list[str]]], Any]:
        """The texts of each column, and a stream of rows in codes."""
        import pyarrow
        import pyarrow.compute

        texts: list[set[str]] = [set() for _ in self.keys]
        occurring: set[int] = set()
        for batch in self._batches():
            for place, key in enumerate(self.keys):
                texts[place].update(pyarrow.compute.unique(batch.column(key)).to_pylist())
            if self.counts:
                occurring.update(pyarrow.compute.unique(batch.column(COUNT)).to_pylist())
        if any(None in found for found in texts):
            refuse(PLAN_REFUSED, "a published cell is missing altogether", "please report this, without data")
        dictionaries = [sorted(found) for found in texts]
        columns = list(zip(self.names, dictionaries, strict=True))
        numbers = sorted(occurring)
        if self.counts:
            columns.append((COUNT, [str(number) for number in numbers]))
        fields = [pyarrow.field(f"k{place}", pyarrow.uint32()) for place in range(len(columns))]
        schema = pyarrow.schema([*fields, pyarrow.field(COUNT, pyarrow.int64())])
        known = [pyarrow.array(texts, pyarrow.string()) for texts in dictionaries]
        known_numbers = pyarrow.array(numbers, pyarrow.int64())

        def coded() -> Iterator[Any]:
            for batch in self._batches():
                codes = []
                for place, key in enumerate(self.keys):
                    column = batch.column(key).cast(pyarrow.string())
                    codes.append(pyarrow.compute.index_in(column, value_set=known[place]).cast(pyarrow.uint32()))
                if self.counts:
                    found = pyarrow.compute.index_in(batch.column(COUNT), value_set=known_numbers)
                    codes.append(found.cast(pyarrow.uint32()))
                yield pyarrow.RecordBatch.from_arrays([*codes, batch.column(COUNT)], schema=schema)

        reader = pyarrow.RecordBatchReader.from_batches(schema, coded())
        return columns, reader.__arrow_c_stream__()
