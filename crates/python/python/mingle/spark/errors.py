"""What goes wrong on a cluster, as the package's exception.

What Spark says may quote cells, so it is not repeated: an error says in which stage it happened and of which kind it is.
A problem that our own code has found in an executor comes back between two marks in Spark's text, because that is all
that every server passes on.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from ..errors import MingleError, Problem

CLUSTER_FAILED = "MG0450"
CONTRADICTION = "MG0109"
NOT_A_TABLE = "MG0202"
NO_ROWS = "MG0203"
INPUT_UNREADABLE = "MG0201"
INPUT_CHANGED = "MG0216"
INPUT_LIMIT = "MG0290"
PLAN_REFUSED = "MG0303"
OUTPUT_EXISTS = "MG0401"
OUTPUT_UNWRITABLE = "MG0402"
USAGE = "MG0601"
PACKAGE_MISSING = "MG0840"

_BEGIN = "<mingle-problem>"
_END = "</mingle-problem>"


def refuse(code: str, text: str, hint: str) -> NoReturn:
    """Raises a problem."""
    raise MingleError(Problem(code, text, hint))


class FoundInExecutor(Exception):
    """A problem on its way from an executor to the driver."""

    def __init__(self, code: str, text: str, hint: str) -> None:
        super().__init__(_BEGIN + json.dumps({"code": code, "text": text, "hint": hint}) + _END)


@contextmanager
def in_executor() -> Iterator[None]:
    """Sends the package's exceptions home, and nothing of any other but its kind."""
    try:
        yield
    except MingleError as error:
        raise FoundInExecutor(error.code, error.text, error.hint) from None
    except (FoundInExecutor, MemoryError, KeyboardInterrupt):
        raise
    except Exception as error:
        text = f"an executor failed with {type(error).__name__}"
        raise FoundInExecutor(CLUSTER_FAILED, text, "please report this, without data") from None


@contextmanager
def on_cluster(stage: str) -> Iterator[None]:
    """Turns what a cluster says while a stage runs into the package's exception."""
    try:
        yield
    except (MingleError, KeyboardInterrupt):
        raise
    except Exception as error:
        raise _explained(stage, error) from None


def _explained(stage: str, error: Exception) -> MingleError:
    said = str(error)
    begin = said.find(_BEGIN)
    end = said.find(_END, begin)
    if 0 <= begin < end:
        found = _document(said[begin + len(_BEGIN) : end])
        return MingleError(Problem(found["code"], found["text"], found["hint"]))
    if "No module named 'mingle" in said:
        return MingleError(
            Problem(
                CLUSTER_FAILED,
                f"{stage}: an executor does not have the Python package mingle",
                "install the same wheel in the Python of every executor (see spark.pyspark.python), or ship an "
                "environment with spark.archives",
            )
        )
    if "maxResultSize" in said:
        return MingleError(
            Problem(
                INPUT_LIMIT,
                f"{stage}: what the cluster would send is larger than the driver accepts",
                "raise spark.driver.maxResultSize and the driver's memory, or lower driver_rows so that executors "
                "do the work",
            )
        )
    return MingleError(
        Problem(
            CLUSTER_FAILED,
            f"{stage}: the cluster failed with {_kind(error)}",
            "nothing was published; look into the cluster's own logs, which may show cells, and run again",
        )
    )


def _document(text: str) -> dict[str, str]:
    # some servers quote the text once more
    try:
        said = json.loads(text)
    except ValueError:
        said = json.loads(text.encode().decode("unicode_escape"))
    return {key: str(said[key]) for key in ("code", "text", "hint")}


def _kind(error: Exception) -> str:
    condition = getattr(error, "getCondition", None)
    name = None
    if callable(condition):
        try:
            name = condition()
        except Exception:
            name = None
    return f"{type(error).__name__} ({name})" if name else type(error).__name__
