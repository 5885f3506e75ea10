"""Made-up tables, for trying things and for scale. Nobody in them exists."""

from __future__ import annotations

from typing import Any

from . import _native
from .progress import Progress, Watched
from .tables import as_frame


def synth(
    topic: str,
    *,
    rows: int = 1000,
    seed: int = 0,
    providers: int = 1,
    visits: int | None = None,
    kind: str | None = None,
    progress: Progress = None,
) -> Any:
    """A made-up table; the same arguments give the same table, and it is the one that the program writes.

    >>> import mingle
    >>> mingle.synth("census", rows=10, kind="pandas").shape
    (10, 8)

    :param topic: ``"census"``, ``"hospital"`` or ``"ipums-like"``
    :param providers: with more than one, a column ``provider`` names them
    :param visits: so many visits a patient has on average; of hospitals only
    :param kind: ``"pandas"``, ``"polars"`` or ``"pyarrow"``
    """
    with Watched(progress) as listener:
        return as_frame(_native.synth(topic, rows, seed, providers, visits, listener), kind)
