"""The adversary is played: one function per attack, on a release or a table of any tool."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any

from . import _native
from .errors import Problem, PromiseBroken
from .policy import Policy
from .progress import Progress, Watched
from .release import Release, Subject, subject_of
from .tables import Table, Tables, given, given_table


class Attack:
    """What came of an attack."""

    #: the document that the program prints
    answer: dict[str, Any]
    #: why the table should not be handed out; ``None`` where it withstands
    problem: Problem | None
    #: a chart as SVG, where the attack has one
    figure: str | None

    def __init__(self, said: dict[str, Any]) -> None:
        self.answer = said["answer"]
        self.problem = Problem.of(said["problem"]) if said["problem"] else None
        self.figure = said["figure"]

    @property
    def succeeds(self) -> bool:
        """Whether somebody learns what nobody should."""
        return self.problem is not None

    def raise_if_succeeds(self) -> Attack:
        """The gate of a pipeline."""
        if self.problem is not None:
            raise PromiseBroken(self.problem)
        return self

    def __repr__(self) -> str:
        return str(self.problem) if self.problem else f"<{self.answer['schema']}: withstands>"

    def _repr_html_(self) -> str:
        from .display import attack_html

        return attack_html(self)


def insider(
    subject: Subject,
    policy: Policy | None = None,
    *,
    up_to: int | None = None,
    show_values: bool = False,
    progress: Progress = None,
) -> Attack:
    """Coalitions of providers take out their own rows and look at what is left.

    >>> import mingle
    >>> patients = mingle.synth("hospital", rows=300, providers=3)
    >>> release = mingle.plan(mingle.Policy.propose(patients), patients).publish(folder / "attacked")
    >>> mingle.attack.insider(release).succeeds
    False

    :param policy: what is promised, where a table is attacked; a release is attacked by its own promises
    :param up_to: the largest coalition
    :param show_values: whether sensitive values may be in the answer
    """
    native = policy._native if policy is not None else None
    with Watched(progress) as listener:
        return Attack(json.loads(_native.insider(subject_of(subject), native, up_to, show_values, listener)))


def background_join(
    subject: Subject,
    policy: Policy,
    original: Tables | None = None,
    *,
    knows: Sequence[str] = (),
    quasi_identifiers: Sequence[str] = (),
    show_values: bool = False,
    progress: Progress = None,
) -> Attack:
    """A reader who knows some sensitive columns of people looks for the others.

    :param knows: the sensitive columns that are known; each in turn where left out
    :param quasi_identifiers: the quasi-identifiers that are known; all where left out
    """
    known = (list(knows), list(quasi_identifiers))
    with Watched(progress) as listener:
        said = _native.background_join(
            subject_of(subject), policy._native, given(original), known, show_values, listener
        )
    return Attack(json.loads(said))


def minimality(
    subject: Subject,
    policy: Policy,
    original: Tables | None = None,
    *,
    confidence: float = 1.0,
    show_values: bool = False,
    progress: Progress = None,
) -> Attack:
    """A reader who knows everybody's quasi-identifiers and the method.

    :param confidence: how sure the reader must be of a value to have inferred it
    """
    with Watched(progress) as listener:
        said = _native.minimality(
            subject_of(subject), policy._native, given(original), confidence, show_values, listener
        )
    return Attack(json.loads(said))


def intersection(
    releases: Sequence[Release | str | os.PathLike[str]],
    policy: Policy,
    population: Table | None = None,
    *,
    without: Sequence[str] = (),
    show_values: bool = False,
    progress: Progress = None,
) -> Attack:
    """A reader lays releases about the same people beside each other.

    :param releases: releases or their folders, tables, or ``TABLE=POLICY``
    :param population: the people whom the reader knows; the policy's tables where left out
    :param without: quasi-identifiers that the reader does not know
    """
    paths = [str(r.folder) if isinstance(r, Release) else os.fspath(r) for r in releases]
    people = given_table(population) if population is not None else None
    with Watched(progress) as listener:
        said = _native.intersection(paths, policy._native, people, list(without), show_values, listener)
    return Attack(json.loads(said))
