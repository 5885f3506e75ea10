"""Releases: folders that are handed out, and what is known about them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _native
from .errors import Problem
from .policy import Policy
from .progress import Progress, Watched
from .tables import Table, Tables, as_frame, given, given_table

if TYPE_CHECKING:
    from .plan import Plan
    from .verdict import Verdict


#: beyond so many rows a release shows no chart of who is exposed by itself
CHARTED_ROWS = 1_000_000


class Release:
    """A release in its folder: hand out ``public``, keep ``private``."""

    #: the folder
    folder: Path
    #: what the steward was warned of, for a release that was made here on a cluster; a plan has its own
    warnings: list[Problem]

    def __init__(
        self,
        folder: str | os.PathLike[str],
        *,
        kind: str | None = None,
        text: str | None = None,
        policy: Policy | None = None,
    ) -> None:
        self.folder = Path(folder)
        self._kind = kind
        self._text = text
        self._policy = policy
        self._chart: str | None = None
        self.warnings = []

    @property
    def public(self) -> Path:
        """What is handed out."""
        nested = self.folder / "public"
        return nested if nested.is_dir() else self.folder

    @property
    def manifest(self) -> dict[str, Any]:
        """What the release says about itself."""
        manifest: dict[str, Any] = json.loads((self.public / "manifest.json").read_text(encoding="utf-8"))
        return manifest

    @property
    def private_manifest(self) -> dict[str, Any]:
        """What only the steward knows about the release; empty where the private part is not here."""
        file = self.folder / "private" / "manifest.json"
        if not file.is_file():
            return {}
        manifest: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        return manifest

    def exposure_chart(self) -> str | None:
        """How many people are exposed to coalitions of providers, as an SVG chart; looked at once.

        ``None`` where that is not known: without the private part, with noise or one provider; or where looking would
        take long, beyond a million rows: see :func:`mingle.attack.insider`.
        """
        if self._chart is None:
            private = self.private_manifest
            rows = self.manifest.get("rows", 0)
            if not private.get("audit") or len(private.get("providers", [])) < 2 or rows > CHARTED_ROWS:
                return None
            from .attack import insider

            self._chart = insider(self, progress=False).figure
        return self._chart

    @property
    def data(self) -> Any:
        """The published table, as the kind of frame that the release was made from."""
        return self.table()

    def table(self, name: str = "data", *, kind: str | None = None) -> Any:
        """One of the published tables as a frame.

        :param name: the file's name without its ending; most releases have ``data`` only
        :param kind: ``"pandas"``, ``"polars"`` or ``"pyarrow"``
        """
        manifest = self.manifest
        kinds = {c["name"]: c["kind"] for c in manifest.get("columns", []) if c.get("kind")}
        for ending in ("csv", "parquet"):
            file = self.public / f"{name}.{ending}"
            if file.is_file():
                frame = _native.read_published(str(file), kinds, "formula_guard" in manifest)
                return as_frame(frame, kind or self._kind)
        raise FileNotFoundError(f"{self.public} has no table {name!r}; it has {', '.join(self.tables)}")

    @property
    def tables(self) -> list[str]:
        """The names of the published tables."""
        files = [file for ending in ("csv", "parquet") for file in self.public.glob(f"*.{ending}")]
        return sorted(file.stem for file in files)

    def verify(self, *, strict: bool = False, progress: Progress = None) -> Verdict:
        """Checks it against its own promises, from the bytes in the folder."""
        from .verdict import verify

        return verify(self, strict=strict, progress=progress)

    def measure(self, original: Tables | None = None, *, policy: Policy | None = None) -> dict[str, Any]:
        """What it has lost; see :func:`measure`."""
        policy = policy or self._policy
        if policy is None:
            raise TypeError("give the policy that the release was made by: measure(original, policy=…)")
        return measure(self, policy, original)

    def apply(
        self,
        new_rows: Tables,
        *,
        policy: Policy | str | os.PathLike[str] | None = None,
        never_handed_out: bool = False,
        threads: int | None = None,
        progress: Progress = None,
    ) -> Plan:
        """Puts new rows, such as next month's, into the groups of this release.

        Each row goes under the labels that cover it, and no label is changed. The published rows and the new ones
        together are verified; what breaks a promise is refused, and so is what a reader of both releases would learn
        by subtracting one from the other. Nothing is written before :meth:`Plan.publish`.

        >>> import mingle
        >>> columns = {"age": "quasi-identifier", "disease": "sensitive"}
        >>> policy = mingle.Policy(columns, k=2, l=2)
        >>> january = pandas.DataFrame({"age": [21, 24, 33, 38], "disease": ["flu", "gout", "flu", "gout"]})
        >>> release = mingle.plan(policy, january).publish(folder / "january")
        >>> february = pandas.DataFrame({"age": [22, 23], "disease": ["gout", "flu"]})
        >>> plan = release.apply(february)
        >>> plan.answer["placed_rows"], plan.answer["published_rows"]
        (2, 6)
        >>> plan.publish(folder / "february").verify().holds
        True

        :param new_rows: a frame, a path, or a dict of both by provider
        :param policy: the policy that the release was made by; known where it was published or applied here
        :param never_handed_out: nobody has this release, so nobody can subtract it from the next one
        """
        from .plan import _GroupsPlan

        if policy is None:
            policy = self._policy
        if policy is None:
            raise TypeError("give the policy that the release was made by: apply(new_rows, policy=…)")
        if not isinstance(policy, Policy):
            policy = Policy.from_file(policy)
        with Watched(progress) as listener:
            native = _native.apply(
                policy._native, str(self.folder), given(new_rows), never_handed_out, threads, listener
            )
        return _GroupsPlan(policy, new_rows, native)

    def report(self, *, private: bool = False) -> str:
        """Its report as HTML, made anew; see :func:`report`."""
        return report(self, private=private)

    def __repr__(self) -> str:
        return self._text or f"<mingle.Release at {self.folder}>"

    def _repr_html_(self) -> str:
        from .display import release_html

        return release_html(self)


def open(folder: str | os.PathLike[str], *, kind: str | None = None) -> Release:
    """A release that is there already.

    :param kind: the library of frames that are read from it: ``"pandas"``, ``"polars"`` or ``"pyarrow"``
    """
    if not (Path(folder) / "manifest.json").is_file() and not (Path(folder) / "public/manifest.json").is_file():
        # the engine says what is wrong with it
        _native.verify_release(os.fspath(folder), False, None)
    return Release(folder, kind=kind)


#: a release or its folder, or a table that any tool has anonymized
Subject = Release | Table


def subject_of(subject: Subject) -> tuple[str | None, Any]:
    """A folder or a table, as the engine takes them."""
    if isinstance(subject, Release):
        return (str(subject.folder), None)
    if isinstance(subject, (str, os.PathLike)) and Path(subject).is_dir():
        return (os.fspath(subject), None)
    return (None, given_table(subject))


def measure(
    subject: Subject, policy: Policy, original: Tables | None = None, *, progress: Progress = None
) -> dict[str, Any]:
    """What a release, or a table of any tool, has lost against its original.

    >>> import mingle
    >>> patients = mingle.synth("hospital", rows=300)
    >>> policy = mingle.Policy.propose(patients)
    >>> release = mingle.plan(policy, patients).publish(folder / "measured")
    >>> 0 < mingle.measure(release, policy, patients)["ncp"]["overall"] < 1
    True

    :param original: the tables that it was made from; those that the policy names where left out
    """
    with Watched(progress) as listener:
        said = _native.measure(policy._native, subject_of(subject), given(original), listener)
    answer: dict[str, Any] = json.loads(said)
    return answer


def report(
    release: Release | str | os.PathLike[str],
    out: str | os.PathLike[str] | None = None,
    *,
    private: bool = False,
    progress: Progress = None,
) -> str:
    """The report of a release as one HTML page without scripts.

    :param out: a new file that it is written to as well
    :param private: the one for the steward, which is not to be handed out
    """
    folder = release.folder if isinstance(release, Release) else Path(release)
    with Watched(progress) as listener:
        html, _ = _native.report(str(folder), private, listener)
    if out is not None:
        with Path(out).open("x", encoding="utf-8", newline="") as file:
            file.write(html)
    return html
