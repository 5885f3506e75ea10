"""What the program starts for ``mingle publish --on``: one request in, one answer out.

The request is a line of JSON on standard input: the policy's file, settings, the cluster, and where the release goes. The
answer is two lines on standard output: which package answers, and what was published or why not. Everything else that
Spark may print goes to standard error. Standard input stays open as long as the program is there: when it ends, so does this.
"""

from __future__ import annotations

import _thread
import contextlib
import json
import os
import signal
import socket
import sys
import threading
from pathlib import Path
from typing import Any, TextIO
from urllib.parse import urlsplit

from .. import __version__
from ..errors import MingleError, Problem
from ..policy import Policy
from ..release import Release
from . import publish
from .errors import CLUSTER_FAILED, CONTRADICTION, INPUT_UNREADABLE, PACKAGE_MISSING, refuse

#: where Spark Connect listens if nothing else is said
CONNECT_PORT = 15002
#: keys of ``[data]`` that say how files are written; tables of a cluster have types
OF_FILES = ("sheet", "encoding", "delimiter", "decimal", "date_format", "header", "names", "columns")


def main() -> None:
    """Answers one request."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    _say(answers, {"version": __version__})
    try:
        request = json.loads(sys.stdin.readline())
        _say(answers, answer(request))
    except KeyboardInterrupt:
        # the program says so
        pass


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """What was published, or the problem."""
    try:
        release = publish_named(request)
    except MingleError as error:
        warnings = [_document(warning) for warning in error.warnings]
        return {"problem": _document(error._problem), "warnings": warnings}
    return {"text": repr(release), "warnings": [_document(warning) for warning in release.warnings]}


def publish_named(request: dict[str, Any]) -> Release:
    """Publishes the tables that a policy names."""
    file = request["policy"]
    named = Policy.from_file(file, settings=request["settings"])
    policy, tables = tables_apart(named, Path(file).parent)
    if isinstance(tables, str):
        where = [tables]
    else:
        where = list(tables.values())
    session = session_at(request["on"])
    _end_with_the_program()
    try:
        frames = [_frame(session, table) for table in where]
        given = frames[0] if isinstance(tables, str) else dict(zip(tables, frames, strict=True))
        return publish(
            given,
            policy,
            request["out"],
            private=request["private"] or "beside",
            staging=request["staging"],
            threads=request["threads"],
            progress=request["progress"],
        )
    finally:
        # a cluster that is gone has no session to end
        with contextlib.suppress(Exception):
            session.stop()


def tables_apart(policy: Policy, folder: Path) -> tuple[Policy, str | dict[str, str]]:
    """The policy without its tables, and where they are: one, or one for each provider."""
    document = policy.to_dict()
    data = dict(document.get("data", {}))
    path = data.pop("path", None)
    providers = data.pop("providers", None)
    tables: str | dict[str, str]
    if path is not None:
        tables = _place(path, folder)
    elif providers is not None:
        tables = {}
        for provider in providers:
            provider = dict(provider)
            name, path = provider.pop("name"), provider.pop("path")
            _refuse_file_keys(provider)
            if provider:
                refuse(
                    CONTRADICTION,
                    f"{', '.join(provider)} of provider {name} is not taken to a cluster",
                    "write it in [data], for all providers",
                )
            tables[name] = _place(path, folder)
    else:
        refuse(
            CONTRADICTION,
            "the policy names no tables, and nothing else does",
            "write path or providers in [data]: tables in Parquet, on a disk or in a store that the cluster sees",
        )
    _refuse_file_keys(data)
    document["data"] = data
    return Policy.from_dict(document, folder=folder), tables


def _refuse_file_keys(data: dict[str, Any]) -> None:
    written = data.pop("format", None)
    if written not in (None, "parquet"):
        refuse(CONTRADICTION, f'format = "{written}" is not read on a cluster', _PARQUET)
    for key in OF_FILES:
        if key in data:
            refuse(CONTRADICTION, f"{key} in [data] says how a file is written, and a cluster reads Parquet only", _PARQUET)


_PARQUET = "write the table as Parquet, or publish a DataFrame from Python: mingle.spark.publish(df, policy, out)"


def _place(path: str, folder: Path) -> str:
    """Where the cluster finds a table: a URL as it is, a path relative to the policy."""
    if "://" in path:
        return path
    file = Path(os.path.abspath(folder / path))
    if not file.exists():
        refuse(INPUT_UNREADABLE, f"cannot read {path}: there is no such file", "check the path, which is relative to the policy")
    if not file.is_dir() and file.suffix != ".parquet":
        refuse(CONTRADICTION, f"{path} is no Parquet file, and a cluster reads Parquet only", _PARQUET)
    return file.as_uri()


def session_at(address: str) -> Any:
    """A session. The address is not repeated in errors: it may hold a token."""
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        refuse(
            PACKAGE_MISSING,
            f"{sys.executable} has no pyspark",
            "install it beside the package mingle: pip install 'pyspark[connect]' (with Java), or pyspark-client for sc:// alone",
        )
    try:
        if address.startswith("sc://"):
            _knock(address)
            return SparkSession.builder.remote(address).getOrCreate()
        return SparkSession.builder.master(address).appName("mingle").getOrCreate()
    except ImportError as error:
        refuse(PACKAGE_MISSING, f"{sys.executable} lacks {error.name or 'a package'}", "pip install 'pyspark[connect]'")
    except Exception as error:
        refuse(
            CLUSTER_FAILED,
            f"no session of the cluster: {type(error).__name__}",
            "check the address after --on, that the cluster runs, and for other addresses than sc:// that Java is installed",
        )


def _knock(address: str) -> None:
    """Whether somebody is there: the client itself would try again for minutes."""
    parts = urlsplit(address)
    with socket.create_connection((parts.hostname or "localhost", parts.port or CONNECT_PORT), timeout=20):
        pass


def _frame(session: Any, table: str) -> Any:
    try:
        frame = session.read.parquet(table)
        # Connect looks at the file only now
        frame.schema
        return frame
    except Exception as error:
        refuse(
            CLUSTER_FAILED,
            f"the cluster cannot read a table that the policy names: {type(error).__name__}",
            "check that it is Parquet and that every executor sees it under the same path or URL",
        )


def _end_with_the_program() -> None:
    """Ctrl-C stops the work once; standard input that ends is the same."""

    def stop(signal_number: int, frame: object) -> None:
        # what is being removed is not interrupted again
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        raise KeyboardInterrupt

    # Spark has put its own there
    signal.signal(signal.SIGINT, stop)

    def watch() -> None:
        # not through sys.stdin, whose lock would be held when the interpreter ends
        while os.read(0, 1024):
            pass
        _thread.interrupt_main()

    threading.Thread(target=watch, daemon=True).start()


def _document(problem: Problem) -> dict[str, Any]:
    return {"code": problem.code, "text": problem.text, "hint": problem.hint, "excerpt": problem.excerpt}


def _say(answers: TextIO, document: dict[str, Any]) -> None:
    answers.write(json.dumps(document) + "\n")
    answers.flush()


if __name__ == "__main__":
    main()
