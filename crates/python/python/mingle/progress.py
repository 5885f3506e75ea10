"""Progress in a terminal or a notebook: one line that is rewritten, and gone when the work is done.

Nothing is shown where nobody looks: in a pipe, a test or a script whose standard error is a file.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, TypeAlias

#: told the step, how much of it is done, and how much there is to do
Listener: TypeAlias = Callable[[str, int, int | None], None]
#: ``None``: shown where somebody looks; ``True`` or ``False``; or a function of one's own
Progress: TypeAlias = bool | Listener | None

#: nothing is shown for what is over sooner
PATIENCE_SECONDS = 0.5


class Watched:
    """A piece of work that is watched. ``with Watched(progress) as listener: …``"""

    def __init__(self, progress: Progress) -> None:
        self.line: Line | None = None
        self.listener: Listener | None = None
        if callable(progress):
            self.listener = progress
        elif progress or (progress is None and somebody_looks()):
            self.line = Line(patience=0.0 if progress else PATIENCE_SECONDS)
            self.listener = self.line.show

    def __enter__(self) -> Listener | None:
        return self.listener

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.line is not None:
            self.line.clear()


def in_notebook() -> bool:
    """Whether this is a notebook's kernel."""
    ipython: Any = sys.modules.get("IPython")
    if ipython is None:
        return False
    shell = ipython.get_ipython()
    return shell is not None and type(shell).__name__ == "ZMQInteractiveShell"


def somebody_looks() -> bool:
    """Whether a line that changes would be seen."""
    return in_notebook() or bool(getattr(sys.stderr, "isatty", lambda: False)())


class Line:
    """The line."""

    def __init__(self, patience: float) -> None:
        self.patience = patience
        self.started = time.monotonic()
        self.shown = 0

    def show(self, step: str, done: int, of: int | None) -> None:
        """Rewrites it."""
        if time.monotonic() - self.started < self.patience:
            return
        text = f"mingle: {step}"
        if of:
            text += f" {min(100, 100 * done // of)} %"
        print(f"\r{text.ljust(self.shown)}", end="", file=sys.stderr, flush=True)
        self.shown = max(self.shown, len(text))

    def clear(self) -> None:
        """Takes it away."""
        if self.shown:
            print(f"\r{' ' * self.shown}\r", end="", file=sys.stderr, flush=True)
            self.shown = 0
