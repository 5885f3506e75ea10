"""Tables on their way in and out.

In: anything with ``__arrow_c_stream__`` (pandas, polars, pyarrow, DuckDB, Spark), a path, or a dict of providers. Out: the
caller's own kind of frame, or Arrow.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
from collections.abc import Mapping
from typing import Any, Protocol, TypeAlias, runtime_checkable

from . import _native


@runtime_checkable
class ArrowStreamable(Protocol):
    """A frame of any library that speaks the Arrow PyCapsule interface."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...


#: one table
Table: TypeAlias = ArrowStreamable | str | os.PathLike[str]
#: one table, or one for each provider
Tables: TypeAlias = Table | Mapping[str, Table]

#: provider, name, path, stream
Given: TypeAlias = tuple[str | None, str, str | None, Any]


def given(tables: Tables | None) -> list[Given]:
    """Tables as the engine takes them. Every stream can be read once, so this is called for every pass."""
    if tables is None:
        return []
    if isinstance(tables, Mapping):
        return [given_table(table, str(provider)) for provider, table in tables.items()]
    return [given_table(tables)]


def given_table(table: Table, provider: str | None = None) -> Given:
    """One table as the engine takes it."""
    if isinstance(table, (str, os.PathLike)):
        path = os.fspath(table)
        return (provider, path, path, None)
    name = f"the frame of {provider}" if provider is not None else "the frame"
    table = _streamable(table)
    if not isinstance(table, ArrowStreamable):
        raise _native.refuse_frame(name, f"{type(table).__name__} has no Arrow stream")
    try:
        stream = table.__arrow_c_stream__()
    except ImportError:
        raise
    except Exception:
        # what the library says may quote a cell
        stream = None
    if stream is None:
        raise _native.refuse_frame(name, f"{type(table).__name__} cannot be made into an Arrow stream")
    return (provider, name, None, stream)


def _streamable(table: Any) -> Any:
    """Frames of Spark before 4.3 have no stream, but make a table that has one."""
    to_arrow = getattr(table, "toArrow", None)
    if isinstance(table, ArrowStreamable) or to_arrow is None or not type(table).__module__.startswith("pyspark."):
        return table
    return to_arrow()


def kind_of(tables: Tables | None) -> str | None:
    """The library whose frames the caller uses; ``None`` where nothing says so."""
    if isinstance(tables, Mapping):
        kinds = [kind_of(table) for table in tables.values()]
        return next((kind for kind in kinds if kind is not None), None)
    library = type(tables).__module__.split(".")[0]
    return library if library in ("pandas", "polars", "pyarrow") else None


def as_frame(frame: ArrowStreamable, kind: str | None) -> Any:
    """A frame of the caller's kind: of pandas, polars or pyarrow, else whichever Arrow there is."""
    if kind == "polars":
        polars: Any = importlib.import_module("polars")
        return polars.DataFrame(frame)
    if kind is None and importlib.util.find_spec("pyarrow") is None:
        return frame
    pyarrow: Any = importlib.import_module("pyarrow")
    table: Any = pyarrow.table(frame)
    return table.to_pandas() if kind == "pandas" else table
