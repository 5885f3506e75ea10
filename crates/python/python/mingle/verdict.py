"""Verdicts: whether a release, or a table of any tool, keeps what is promised."""

from __future__ import annotations

import json
import os
from typing import Any

from . import _native
from .errors import MingleError, Problem, PromiseBroken
from .policy import Policy
from .progress import Progress, Watched
from .release import Release, Subject, subject_of


class Verdict:
    """What a check has found. Undecided counts as not kept."""

    #: the document ``mingle.verify/1``
    answer: dict[str, Any]
    #: why the table should not be handed out; ``None`` where all holds
    problem: Problem | None
    #: what could not be looked at
    note: str | None

    def __init__(self, said: dict[str, Any]) -> None:
        self.answer = said["answer"]
        self.problem = Problem.of(said["problem"]) if said["problem"] else None
        self.note = said["note"]

    @property
    def holds(self) -> bool:
        """Whether everything that is promised is kept."""
        return self.problem is None

    def __bool__(self) -> bool:
        return self.holds

    def raise_if_fails(self) -> Verdict:
        """The gate of a pipeline: raises :class:`PromiseBroken` unless everything holds."""
        if self.problem is not None:
            raise PromiseBroken(self.problem)
        return self

    @property
    def text(self) -> str:
        """The verdict in a few lines."""
        lines = [f"verdict: {self.answer.get('verdict', 'holds' if self.holds else 'fails')}"]
        for constraint in self.answer.get("constraints", []):
            parameters = [
                f"{name} = {value}" if name != "column" else f"column {value}"
                for name, value in constraint.items()
                if name in ("column", "k", "l", "t", "c", "max") and value is not None
            ]
            lines.append(f"  {constraint['verdict']:<9} {', '.join([constraint['name'], *parameters])}")
        if self.problem is not None:
            lines.append(f"{self.problem.code}: {self.problem.text}")
        if self.note:
            lines.append(self.note)
        return "\n".join(lines)

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        from .display import verdict_html

        return verdict_html(self)


def verify(
    subject: Subject,
    policy: Policy | str | os.PathLike[str] | None = None,
    *,
    strict: bool = False,
    progress: Progress = None,
) -> Verdict:
    """Checks a release against its own promises, or a table of any tool against a policy.

    >>> import mingle
    >>> table = pandas.DataFrame({"age": ["20-29", "20-29", "30-39"], "disease": ["flu", "asthma", "flu"]})
    >>> policy = mingle.Policy({"age": "quasi-identifier", "disease": "sensitive"}, k=2)
    >>> verdict = mingle.verify(table, policy)
    >>> verdict.holds
    False
    >>> verdict.raise_if_fails()
    Traceback (most recent call last):
    mingle.errors.PromiseBroken: MG...

    :param subject: a release or its folder; or a frame or file, with a policy
    :param strict: take every warning for a finding
    """
    folder, table = subject_of(subject)
    with Watched(progress) as listener:
        if folder is not None:
            if policy is not None:
                raise MingleError(
                    Problem("MG0601", "a release is verified against its own promises", "leave the policy out")
                )
            return Verdict(json.loads(_native.verify_release(folder, strict, listener)))
        if policy is None:
            raise TypeError("a table is verified against a policy: verify(table, policy)")
        if not isinstance(policy, Policy):
            policy = Policy.from_file(policy)
        return Verdict(json.loads(_native.verify_table(policy._native, table, strict, listener)))


__all__ = ["Release", "Verdict", "verify"]
