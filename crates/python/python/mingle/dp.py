"""Differential privacy: ledgers, and what several releases amount to.

A policy with a ``[dp]`` section is published like any other: ``mingle.plan(policy, tables).publish(out)``. The plan
spends nothing; publishing spends first, then draws, then writes.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, TypeAlias

from . import _native
from .release import Release

#: taken exactly: 0.1 is one tenth
Amount: TypeAlias = int | float | str | Decimal


class Ledger:
    """What a data set's releases have spent, and what is left. Keep it with the data, and make no second one.

    >>> import mingle
    >>> ledger = mingle.dp.Ledger.create(folder / "patients.ledger", name="patients", epsilon=1.5)
    >>> ledger.answer["schema"]
    'mingle.dp-budget/1'
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)

    @classmethod
    def create(
        cls,
        path: str | os.PathLike[str],
        *,
        name: str = "",
        epsilon: Amount | None = None,
        delta: Amount | None = None,
        rho: Amount | None = None,
        accounting: str | None = None,
    ) -> Ledger:
        """Makes a ledger with a budget.

        :param accounting: ``"basic"`` or ``"concentrated"``
        """
        amounts = (_text(epsilon), _text(delta), _text(rho))
        _native.new_budget(os.fspath(path), name, amounts, accounting)
        return cls(path)

    @property
    def answer(self) -> dict[str, Any]:
        """The document ``mingle.dp-budget/1``, read anew."""
        answer: dict[str, Any] = json.loads(_native.budget(self.path))
        return answer

    def __repr__(self) -> str:
        return json.dumps(self.answer, indent=2, ensure_ascii=False)


def compose(
    parts: Sequence[Release | Ledger | str | os.PathLike[str]], *, delta: Amount | None = None
) -> dict[str, Any]:
    """What releases about the same people, and the entries of ledgers, amount to together."""
    paths: list[str] = []
    for part in parts:
        if isinstance(part, Release):
            paths.append(str(part.folder))
        elif isinstance(part, Ledger):
            paths.append(part.path)
        else:
            paths.append(os.fspath(part))
    answer: dict[str, Any] = json.loads(_native.compose(paths, _text(delta)))
    return answer


def _text(amount: Amount | None) -> str | None:
    """The shortest decimal text, which the engine takes exactly."""
    return None if amount is None else str(amount)
