"""A gate for tests of pipelines.

>>> from mingle.gate import assert_holds
>>> policy = mingle.Policy({"age": "quasi-identifier"}, k=2)
>>> assert_holds(pandas.DataFrame({"age": ["20-29", "20-29"]}), policy)
"""

from __future__ import annotations

import os

from .policy import Policy
from .release import Subject
from .verdict import verify


def assert_holds(
    subject: Subject, policy: Policy | str | os.PathLike[str] | None = None, *, strict: bool = False
) -> None:
    """Fails a test unless a release keeps its promises, or a table those of a policy."""
    __tracebackhide__ = True
    verdict = verify(subject, policy, strict=strict, progress=False)
    if not verdict.holds:
        raise AssertionError(verdict.text)
