"""Progress of a release on a cluster: one line per stage, because a stage may take minutes."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ..progress import Progress, somebody_looks
from .errors import on_cluster


class Stages:
    """Tells what is going on: to a function, or in lines on standard error where somebody looks."""

    def __init__(self, progress: Progress) -> None:
        self._listener: Callable[[str, int, int | None], None] | None = None
        self._prints = False
        if callable(progress):
            self._listener = progress
        else:
            self._prints = bool(progress) or (progress is None and somebody_looks())

    @property
    def listener(self) -> Callable[[str, int, int | None], None] | None:
        """Who hears of the engine's own steps."""
        return self._listener

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """One stage. What the cluster says when it fails becomes the package's exception."""
        if self._listener is not None:
            self._listener(name, 0, None)
        started = time.monotonic()
        with on_cluster(name):
            yield
        if self._prints:
            print(f"mingle: {name}, {time.monotonic() - started:.1f} s", file=sys.stderr, flush=True)

    def note(self, text: str) -> None:
        """Something that was decided."""
        if self._listener is not None:
            self._listener(text, 0, None)
        if self._prints:
            print(f"mingle: {text}", file=sys.stderr, flush=True)
