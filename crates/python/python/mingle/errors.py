"""What goes wrong: one exception with a code, a place and a hint. It never holds a cell.

>>> import mingle
>>> try:
...     mingle.Policy.from_dict({"columns": {"age": {"role": "quasi-identifier"}}, "privacy": {"kk": 3}})
... except mingle.MingleError as error:
...     print(error.code, error.text)
MG0103 privacy.kk : unknown key `kk` in `privacy`
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Place:
    """Where a problem is; what is not known is ``None``."""

    #: the file or frame, as the message names it
    file: str | None = None
    #: the line or row, counted from 1
    line: int | None = None
    #: of a policy: the character within the line, counted from 1
    column: int | None = None
    #: of a table: the name of the column
    column_name: str | None = None


class MingleError(Exception):
    """Why something cannot go on.

    ``mingle explain CODE`` of the program, and ``docs/reference`` of the repository, say more about a code.
    """

    #: stable, such as ``MG0301``
    code: str
    #: what is wrong
    text: str
    #: what to do about it
    hint: str
    #: where it is, as far as that is known
    place: Place | None
    #: lines of the policy that it is about
    excerpt: str | None
    #: what is odd about the tables, which may be the reason
    warnings: list[Problem]

    def __init__(self, problem: Problem, warnings: list[Problem] | None = None) -> None:
        self.code = problem.code
        self.text = problem.text
        self.hint = problem.hint
        self.place = problem.place
        self.excerpt = problem.excerpt
        self.warnings = warnings or []
        lines = [f"{self.code}: {self.text}"]
        if self.excerpt:
            lines.append(self.excerpt)
        lines.append(f"hint: {self.hint}")
        super().__init__("\n".join(lines))
        self._problem = problem

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self._problem, self.warnings))


class PromiseBroken(MingleError):
    """What a gate raises: a table does not keep, or is not known to keep, what is promised."""


@dataclass(frozen=True)
class Problem:
    """A problem or a warning: what, where, and what to do."""

    code: str
    text: str
    hint: str
    excerpt: str | None = None
    place: Place | None = None

    @staticmethod
    def of(document: dict[str, Any]) -> Problem:
        """Reads what the engine says."""
        place = document.get("place")
        return Problem(
            code=document["code"],
            text=document["text"],
            hint=document["hint"],
            excerpt=document.get("excerpt"),
            place=Place(**place) if place else None,
        )

    def __str__(self) -> str:
        return f"{self.code}: {self.text} (hint: {self.hint})"


def raised(document: str) -> MingleError:
    """The exception for what the engine says. Called by the engine."""
    said = json.loads(document)
    warnings = [Problem.of(warning) for warning in said["warnings"]]
    return MingleError(Problem.of(said["problem"]), warnings)
