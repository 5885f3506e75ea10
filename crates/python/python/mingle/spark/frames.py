"""The providers' frames: which columns are needed, and what the cluster counts of them.

Columns are renamed by their places as long as they are on the cluster, because Spark takes names that differ in case
for one and reads dots in names as fields. Nothing but counts and distinct rows leaves the cluster.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..policy import Policy
from .errors import CONTRADICTION, INPUT_CHANGED, NOT_A_TABLE, refuse

if TYPE_CHECKING:
    import pyarrow

#: a frame of Spark or of its Connect client; both are duck-typed, because either package may be missing
Frame = Any
#: one frame, or one for each provider
Frames = Any

#: how often a row occurs
COUNT = "mingle_count"
#: who contributed it, where every provider has a frame
PROVIDER = "mingle_provider"


def functions_of(frame: Frame) -> Any:
    """The functions that go with a frame's own kind of columns."""
    connect = type(frame).__module__.startswith("pyspark.sql.connect")
    return importlib.import_module("pyspark.sql.connect.functions" if connect else "pyspark.sql.functions")


@dataclass(frozen=True)
class Roles:
    """What a policy wants of a frame's columns."""

    #: name and role in the policy's order
    roles: dict[str, str]
    provider_column: str | None
    missing: list[str]
    #: why every row is needed by itself, or nothing
    needs_rows: list[str]

    @staticmethod
    def of(policy: Policy) -> Roles:
        """Reads them from a policy."""
        document = policy.to_dict()
        columns = document.get("columns", {})
        data = document.get("data", {})
        roles = {name: column["role"] for name, column in columns.items()}
        reasons = []
        if "insensitive" in roles.values():
            reasons.append("insensitive columns")
        if data.get("person", "row") != "row":
            reasons.append("people with several rows")
        if document.get("composition"):
            reasons.append("releases laid beside")
        if any("separator" in column for column in columns.values()):
            reasons.append("cells with several values")
        return Roles(
            roles=roles,
            provider_column=data.get("provider_column"),
            missing=data.get("missing", ["", "?"]),
            needs_rows=reasons,
        )

    def with_role(self, *wanted: str) -> list[str]:
        """The columns of some roles, in the policy's order."""
        return [name for name, role in self.roles.items() if role in wanted]

    @property
    def keys(self) -> list[str]:
        """What rows are grouped by: the provider, quasi-identifiers and sensitive columns."""
        keys = self.with_role("quasi-identifier", "sensitive")
        if self.provider_column is not None and self.provider_column not in keys:
            keys.insert(0, self.provider_column)
        return keys


class ProviderFrame:
    """One provider's frame, or the frame of all, with its columns renamed by their places."""

    def __init__(self, provider: str | None, frame: Frame) -> None:
        self.provider = provider
        self.name = "the frame" if provider is None else f"the frame of {provider}"
        if not hasattr(frame, "mapInArrow") or not hasattr(frame, "toArrow"):
            refuse(
                NOT_A_TABLE,
                f"{self.name}: {type(frame).__name__} is no frame of Spark 4",
                "give a DataFrame of Spark 4 or of its Connect client; mingle.plan takes frames of one machine",
            )
        self.columns: list[str] = list(frame.columns)
        self.placed = frame.toDF(*[f"c{place}" for place in range(len(self.columns))])
        self._header: pyarrow.Table | None = None

    @property
    def header(self) -> pyarrow.Table:
        """Names and types of all columns, without rows."""
        if self._header is None:
            empty = self.placed.limit(0).toArrow()
            self._header = empty.slice(0, 0).rename_columns(self.columns)
        return self._header

    def place(self, column: str) -> str | None:
        """What a column is called on the cluster; ``None`` where the frame lacks it or has it twice."""
        if self.columns.count(column) != 1:
            return None
        return f"c{self.columns.index(column)}"

    def present(self, columns: list[str]) -> list[str]:
        """Those of some columns that the frame has. What is missing is the engine's to refuse."""
        return [column for column in columns if self.place(column) is not None]

    def select(self, columns: list[str]) -> Frame:
        """Some columns that the frame has, by their places."""
        return self.placed.select(*[self.place(column) for column in columns])

    def counted(self, columns: list[str]) -> Frame:
        """The distinct rows of some columns, each with how often it occurs."""
        functions = functions_of(self.placed)
        places = [self.place(column) for column in columns]
        count = functions.count(functions.lit(1)).alias(COUNT)
        if not places:
            return self.placed.agg(count)
        return self.placed.groupBy(*places).agg(count)

    def size(self, columns: list[str]) -> tuple[int, int]:
        """How many rows there are, and about how many distinct ones."""
        functions = functions_of(self.placed)
        places = [self.place(column) for column in columns]
        count = functions.count(functions.lit(1)).alias("n")
        if not places:
            (row,) = self.placed.agg(count).collect()
            return int(row["n"]), 1
        distinct = functions.approx_count_distinct(functions.xxhash64(*places)).alias("d")
        (row,) = self.placed.agg(count, distinct).collect()
        return int(row["n"]), int(row["d"])


def provider_frames(frames: Frames) -> list[ProviderFrame]:
    """One frame, or one for each provider."""
    if isinstance(frames, Mapping):
        if not frames:
            refuse(NOT_A_TABLE, "no frame is given", "give a frame, or a dict of frames by provider")
        return [ProviderFrame(str(provider), frame) for provider, frame in frames.items()]
    return [ProviderFrame(None, frames)]


def refuse_said_twice(policy: Policy, frames: Frames) -> None:
    """A policy that names files leaves open which rows are meant, and two names of providers whose they are."""
    if isinstance(frames, Mapping) and policy.to_dict().get("data", {}).get("provider_column") is not None:
        refuse(
            CONTRADICTION,
            "a dict of frames names the providers, and so does provider_column in [data]",
            "take provider_column out of the policy, or give one frame of all providers",
        )
    if policy._native.names_tables():
        refuse(
            CONTRADICTION,
            "the policy names files in [data], and frames are given as well",
            "take path and providers out of the policy",
        )


#: a column of identifiers in which some repeat, as the engine takes it: name, rows, different ones, most rows of one
SeenIdentifiers = tuple[str, int, int, int]


def repeated_identifiers(frames: list[ProviderFrame], roles: Roles) -> list[SeenIdentifiers]:
    """Which identifiers repeat, over all frames together: k rows are then not k people."""
    found = []
    for column in roles.with_role("identifier"):
        if column == roles.provider_column:
            continue
        cells = None
        for frame in frames:
            place = frame.place(column)
            if place is None:
                continue
            functions = functions_of(frame.placed)
            texts = frame.placed.select(functions.col(place).cast("string").alias("cell"))
            cells = texts if cells is None else cells.unionAll(texts)
        if cells is None:
            continue
        functions = functions_of(cells)
        cell = functions.col("cell")
        known = cells.where(cell.isNotNull() & ~cell.isin(*roles.missing)) if roles.missing else cells.dropna()
        each = known.groupBy("cell").agg(functions.count(functions.lit(1)).alias("n"))
        (row,) = each.agg(
            functions.sum("n").alias("rows"),
            functions.count(functions.lit(1)).alias("distinct"),
            functions.max("n").alias("most"),
        ).collect()
        rows, distinct = int(row["rows"] or 0), int(row["distinct"])
        if rows > distinct:
            found.append((column, rows, distinct, int(row["most"])))
    return found


def refuse_changed(name: str, before: int, now: int) -> None:
    """A frame that has other rows in a later pass is another table than the one that was looked at."""
    if before != now:
        refuse(
            INPUT_CHANGED,
            f"{name} had {before} rows in one pass and {now} in the next",
            "publish from a table that nobody writes to, such as a snapshot, or cache the frame; a frame with rand() or a "
            "limit without an order is another one in every pass",
        )
