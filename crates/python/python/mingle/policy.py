"""Policies: everything that is asked of a publication, without data."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from . import _native
from .errors import Problem
from .progress import Progress, Watched
from .tables import Tables, given


class Policy:
    """A policy that makes sense by itself; whether it fits the tables turns out when they are read.

    Built in code, it has the keys of the policy file (``docs/reference/policy.md``):

    >>> import mingle
    >>> policy = mingle.Policy(
    ...     columns={
    ...         "age": "quasi-identifier",
    ...         "zip": {"role": "quasi-identifier", "kind": "category", "hierarchy": {"mask": 5}},
    ...         "disease": "sensitive",
    ...     },
    ...     k=3,
    ...     l=2,
    ...     m=1,
    ... )
    >>> policy.to_dict()["privacy"]
    {'k': 3, 'l': {'distinct': 2}, 'm': 1}
    """

    #: what deserves attention in a proposal; nothing for other policies
    warnings: list[Problem]
    #: what was seen in the tables, for a proposal; the document ``mingle.init/1``
    proposal: dict[str, Any] | None
    #: the text of the policy, with a reason on every line, for a proposal or a policy that was read
    text: str | None

    def __init__(
        self,
        columns: Mapping[str, str | Mapping[str, Any]],
        *,
        k: int | None = None,
        l: int | Mapping[str, Any] | None = None,  # noqa: E741
        t: float | Mapping[str, Any] | None = None,
        m: int | None = None,
        privacy: Mapping[str, Any] | None = None,
        data: Mapping[str, Any] | None = None,
        method: str | Mapping[str, Any] | None = None,
        release: Mapping[str, Any] | None = None,
        **sections: Mapping[str, Any],
    ) -> None:
        """
        :param columns: the role of each column, or a dict with ``role``, ``kind``, ``hierarchy``, …
        :param k: groups of at least so many
        :param l: at least so many distinct sensitive values in each, or a dict such as ``{"entropy": 2.5}``
        :param t: at most so far from the whole table, or a dict such as ``{"max": 0.2, "distance": "equal"}``
        :param m: all of it against any so many providers who collude
        :param privacy: further keys of ``[privacy]``
        :param data: keys of ``[data]``, such as ``{"provider_column": "hospital", "person": "patient_id"}``
        :param method: the name of the method, or a dict with its settings
        :param release: keys of ``[release]``, such as ``{"format": "parquet"}``
        :param sections: further sections, such as ``composition`` or ``dp``
        """
        promised: dict[str, Any] = {}
        if k is not None:
            promised["k"] = k
        if l is not None:
            promised["l"] = {"distinct": l} if isinstance(l, int) else dict(l)
        if t is not None:
            promised["t"] = {"max": t} if isinstance(t, (int, float)) else dict(t)
        if m is not None:
            promised["m"] = m
        promised.update(privacy or {})
        roles = {name: {"role": c} if isinstance(c, str) else dict(c) for name, c in columns.items()}
        document: dict[str, Any] = {"columns": roles}
        if promised:
            document["privacy"] = promised
        if data:
            document["data"] = dict(data)
        if method is not None:
            document["method"] = {"name": method} if isinstance(method, str) else dict(method)
        if release:
            document["release"] = dict(release)
        document.update(sections)
        self._take(_native.NativePolicy.from_dict(document, ""))

    def _take(self, native: _native.NativePolicy) -> None:
        self._native = native
        self.warnings = []
        self.proposal = None
        self.text = None

    @classmethod
    def _of(cls, native: _native.NativePolicy) -> Policy:
        policy = cls.__new__(cls)
        policy._take(native)
        return policy

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], *, settings: Sequence[str] = ()) -> Policy:
        """Reads a policy file.

        :param settings: changes to it, as the program's ``--set`` takes them: ``["privacy.k=20"]``
        """
        policy = cls._of(_native.NativePolicy.from_file(os.fspath(path), list(settings)))
        policy.text = Path(path).read_text(encoding="utf-8")
        return policy

    @classmethod
    def from_text(cls, text: str, *, folder: str | os.PathLike[str] = "", settings: Sequence[str] = ()) -> Policy:
        """Reads the text of a policy file that would stand in ``folder``.

        >>> import mingle
        >>> text = '[columns.age]\\nrole = "quasi-identifier"\\n[privacy]\\nk = 3\\n'
        >>> mingle.Policy.from_text(text).to_dict()["privacy"]["k"]
        3
        """
        path = os.path.join(os.fspath(folder), "policy.toml")
        policy = cls._of(_native.NativePolicy.from_text(text, path, list(settings)))
        policy.text = text
        return policy

    @classmethod
    def from_dict(cls, sections: Mapping[str, Any], *, folder: str | os.PathLike[str] = "") -> Policy:
        """Builds a policy from a dict with the sections and keys of the policy file.

        :param folder: names of files in it are relative to this folder
        """
        return cls._of(_native.NativePolicy.from_dict(dict(sections), os.fspath(folder)))

    @classmethod
    def propose(cls, tables: Tables, *, domains: bool = False, progress: Progress = None) -> Policy:
        """Looks at tables and proposes a policy. Read ``policy.text``: every line says why.

        The proposal can be published as it is, but it is a proposal: names of columns are hints, not knowledge.

        >>> import mingle
        >>> policy = mingle.Policy.propose(mingle.synth("hospital", rows=500))
        >>> policy.to_dict()["columns"]["diagnosis"]["role"]
        'sensitive'

        :param domains: propose a policy for releases with noise; its domains wait for somebody to vouch for them
        """
        with Watched(progress) as listener:
            said = json.loads(_native.propose(given(tables), domains, listener))
        text = said["answer"]["policy"]
        if domains:
            # it is refused until somebody has read it
            return _Unconfirmed(text, said)
        policy = cls.from_text(text)
        policy.proposal = said["answer"]
        policy.warnings = [Problem.of(warning) for warning in said["warnings"]]
        return policy

    def to_dict(self) -> dict[str, Any]:
        """All of it, as sections of keys."""
        document: dict[str, Any] = json.loads(self._native.document())
        return document

    @property
    def is_noise(self) -> bool:
        """Whether it asks for noise (``[dp]``) instead of groups."""
        return self._native.is_noise()

    def __repr__(self) -> str:
        columns = self.to_dict().get("columns", {})
        promise = "noise" if self.is_noise else json.dumps(self.to_dict().get("privacy", {}))
        return f"<mingle.Policy of {len(columns)} columns: {promise}>"

    def _repr_html_(self) -> str:
        from .display import policy_html

        return policy_html(self)


class _Unconfirmed(Policy):
    """A proposal with domains that nobody has vouched for: a text to read, and no policy yet."""

    def __init__(self, text: str, said: dict[str, Any]) -> None:
        self.text = text
        self.proposal = said["answer"]
        self.warnings = [Problem.of(warning) for warning in said["warnings"]]

    def to_dict(self) -> dict[str, Any]:
        raise ValueError("read the proposal's text, confirm its domains, and give it to Policy.from_text")

    def __repr__(self) -> str:
        return "<a proposed mingle.Policy whose domains are not confirmed: read .text>"

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(self.text or '')}</pre>"
