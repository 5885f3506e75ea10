"""What would be published: summarize before release."""

from __future__ import annotations

import json
import os
from typing import Any

from . import _native
from .errors import Problem
from .policy import Policy
from .progress import Progress, Watched
from .release import Release
from .tables import Tables, given, kind_of


class Plan:
    """A verified plan: what a release would protect and cost. Nothing is written before :meth:`publish`."""

    #: what would be published, in words and figures
    text: str
    #: the same as the document that the program prints
    answer: dict[str, Any]
    #: what a steward should know before handing the release out
    warnings: list[Problem]

    def __init__(self, policy: Policy, tables: Tables | None, said: dict[str, Any]) -> None:
        self.policy = policy
        self._tables = tables
        self._kind = kind_of(tables)
        self.answer = said["answer"]
        self.text = said.get("text") or json.dumps(self.answer, indent=2, ensure_ascii=False)
        self.warnings = [Problem.of(warning) for warning in said["warnings"]]

    @property
    def holds(self) -> bool:
        """Whether the promises hold. A plan whose promises do not is never made."""
        return True

    @property
    def loss(self) -> float | None:
        """The share of detail that would be lost, from 0 to 1; ``None`` with noise, and where new rows are applied."""
        utility: dict[str, Any] | None = self.answer.get("utility")
        for name in ("ncp", "information_loss"):
            if utility is not None and utility.get(name):
                return float(utility[name]["overall"])
        return None

    def publish(self, out: str | os.PathLike[str], *, replace: bool = False, progress: Progress = None) -> Release:
        """Writes the release to a new folder, whole or not at all.

        :param replace: replace a release that is there already, at once
        """
        raise NotImplementedError

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        from .display import plan_html

        return plan_html(self)


class _GroupsPlan(Plan):
    """Groups: found and verified when it was planned."""

    def __init__(self, policy: Policy, tables: Tables | None, native: _native.NativePlan) -> None:
        super().__init__(policy, tables, json.loads(native.about))
        self._native = native

    def publish(self, out: str | os.PathLike[str], *, replace: bool = False, progress: Progress = None) -> Release:
        with Watched(progress) as listener:
            said = json.loads(self._native.publish(os.fspath(out), replace, listener))
        return Release(out, kind=self._kind, text=said["text"], policy=self.policy)


class _NoisePlan(Plan):
    """Noise: what it would cost; the tables are read again when the budget is spent."""

    def __init__(self, policy: Policy, tables: Tables | None, said: dict[str, Any]) -> None:
        super().__init__(policy, tables, said)
        self._rows = None if tables is None else said["rows"]

    def publish(self, out: str | os.PathLike[str], *, replace: bool = False, progress: Progress = None) -> Release:
        target = (os.fspath(out), replace)
        with Watched(progress) as listener:
            said = json.loads(
                _native.release_with_noise(
                    self.policy._native, given(self._tables), target, self._rows, listener
                )
            )
        text = json.dumps(said["answer"], indent=2, ensure_ascii=False)
        return Release(out, kind=self._kind, text=text, policy=self.policy)


def plan(
    policy: Policy | str | os.PathLike[str],
    tables: Tables | None = None,
    *,
    threads: int | None = None,
    progress: Progress = None,
) -> Plan:
    """Finds what would be published, and verifies it.

    >>> import mingle
    >>> policy = mingle.Policy({"age": "quasi-identifier", "disease": "sensitive"}, k=2)
    >>> patients = pandas.DataFrame({"age": [21, 24, 33, 38], "disease": ["flu", "asthma", "flu", "flu"]})
    >>> mingle.plan(policy, patients).answer["groups"]
    2

    :param policy: a policy, or the path of its file
    :param tables: a frame, a path, or a dict of both by provider; the files that the policy names where left out
    :param threads: on so many threads; the result does not depend on their number
    :param progress: ``True``, ``False``, or a function of step, done and total; shown in terminals and notebooks
        where left out
    """
    if not isinstance(policy, Policy):
        policy = Policy.from_file(policy)
    with Watched(progress) as listener:
        if policy.is_noise:
            said = _native.release_with_noise(policy._native, given(tables), None, None, listener)
            return _NoisePlan(policy, tables, json.loads(said))
        native = _native.plan(policy._native, given(tables), threads, listener)
        return _GroupsPlan(policy, tables, native)
