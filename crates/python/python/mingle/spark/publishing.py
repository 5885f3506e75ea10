"""Publishing from a cluster."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

from .. import _native
from ..errors import MingleError, Problem
from ..policy import Policy
from ..progress import Progress
from ..release import Release
from ..tables import Given
from .errors import CONTRADICTION, INPUT_LIMIT, NO_ROWS, USAGE, refuse
from .frames import (
    COUNT,
    Frames,
    ProviderFrame,
    Roles,
    provider_frames,
    refuse_changed,
    refuse_said_twice,
    repeated_identifiers,
)
from .place import ReleasePlace
from .stages import Stages

#: so many distinct rows are planned on the driver, at about 2 kB each
DRIVER_ROWS = 2_000_000
#: so many distinct rows are anonymized at once in an executor, at about 2 kB each
CELL_ROWS = 250_000


def publish(
    frames: Frames,
    policy: Policy | str | os.PathLike[str],
    out: str | os.PathLike[str],
    *,
    private: str | os.PathLike[str] | None = None,
    way: str | None = None,
    driver_rows: int = DRIVER_ROWS,
    cell_rows: int = CELL_ROWS,
    staging: str | os.PathLike[str] | None = None,
    threads: int | None = None,
    progress: Progress = None,
) -> Release:
    """Makes a verified release of a frame on a cluster, whole or not at all.

    :param frames: a DataFrame whose policy names a ``provider_column``, or a dict of DataFrames by provider
    :param policy: a policy that names no files, or the path of its file
    :param out: a new folder, on a disk that the driver sees
    :param private: a new folder for what is never handed out, or ``"beside"`` for ``private/`` inside ``out``
    :param way: ``"driver"``: the cluster counts, the driver plans; ``"cells"``: executors anonymize; chosen by size
        where left out
    :param driver_rows: so many distinct rows, or rows where the policy needs each by itself, are planned on the driver
    :param cell_rows: so many distinct rows are anonymized at once in an executor, which bounds its memory
    :param staging: a folder that the driver and all executors see, for what executors hand over; the folder of ``out``
        where left out
    :param threads: of the driver
    :param progress: ``True``, ``False``, or a function of step, done and total; a line per stage in terminals and
        notebooks where left out
    """
    if not isinstance(policy, Policy):
        policy = Policy.from_file(policy)
    if way not in (None, "driver", "cells"):
        refuse(USAGE, "no such way", 'way is "driver" or "cells"')
    if policy.is_noise:
        refuse(
            CONTRADICTION,
            "a policy with noise ([dp]) is not published from a cluster",
            "bring the table to one machine: mingle.plan, or mingle dp release of the program",
        )
    refuse_said_twice(policy, frames)
    place = ReleasePlace(out, private)
    given = provider_frames(frames)
    roles = Roles.of(policy)
    stages = Stages(progress)
    with stages.stage("counting rows on the cluster"):
        refuse_unreadable(given, policy)
        sizes = [frame.size(frame.present(roles.keys)) for frame in given]
    rows = sum(rows for rows, _ in sizes)
    needed = rows if roles.needs_rows else sum(distinct for _, distinct in sizes)
    if way is None:
        way = "driver" if needed <= driver_rows else "cells"
    if way == "driver":
        what = "rows" if roles.needs_rows else "distinct rows"
        stages.note(f"about {needed} {what} of {rows}: planned on the driver")
        with_rows = [rows for rows, _ in sizes]
        text = _on_driver(given, policy, roles, with_rows, place, threads, stages)
    else:
        from .cells import in_executors

        stages.note(f"about {needed} distinct rows of {rows}: anonymized in executors")
        text = in_executors(given, policy, roles, rows, place, cell_rows, staging, stages)
    release = Release(place.out, kind=None, text=text, policy=policy)
    release.warnings = _warnings(place)
    for warning in release.warnings:
        stages.note(f"warning {warning}")
    return release


def _warnings(place: ReleasePlace) -> list[Problem]:
    """What the steward was warned of, as the private part keeps it."""
    private = place.private or place.out / "private"
    manifest = json.loads((private / "manifest.json").read_text(encoding="utf-8"))
    return [Problem(w["code"], w["text"], w.get("hint", "")) for w in manifest["warnings"]]


def refuse_unreadable(frames: list[ProviderFrame], policy: Policy, *, labels: bool = False) -> None:
    """Has the engine look at names and types, before anything is counted by columns that cannot be grouped.

    :param labels: the frames are anonymized already, and may lack identifiers
    """
    if labels:
        for frame in frames:
            stream = frame.header.__arrow_c_stream__()
            _ignoring_no_rows(
                lambda stream=stream, frame=frame: _native.verify_table(  # type: ignore[misc]
                    policy._native, (None, frame.name, None, stream), False, None
                )
            )
        return
    streams: list[Given] = [
        (frame.provider, frame.name, None, frame.header.__arrow_c_stream__()) for frame in frames
    ]
    _ignoring_no_rows(lambda: _native.plan(policy._native, streams, 1, None))


def _ignoring_no_rows(look: Callable[[], object]) -> None:
    """Names and types come first, and rows there are none."""
    try:
        look()
    except MingleError as error:
        if error.code != NO_ROWS:
            raise


def _on_driver(
    frames: list[ProviderFrame],
    policy: Policy,
    roles: Roles,
    sizes: list[int],
    place: ReleasePlace,
    threads: int | None,
    stages: Stages,
) -> str:
    """The first way: the engine works as on one machine, on what the cluster has counted."""
    if roles.needs_rows:
        plan = _plan_rows(frames, policy, roles, sizes, threads, stages)
    else:
        plan = _plan_counts(frames, policy, roles, sizes, threads, stages)
    said: dict[str, str] = {}

    def write(folder: Path) -> None:
        said.update(json.loads(plan.publish(os.fspath(folder), False, stages.listener)))

    with stages.stage("writing the release"):
        place.put(write)
    return said["text"]


def _plan_counts(
    frames: list[ProviderFrame],
    policy: Policy,
    roles: Roles,
    sizes: list[int],
    threads: int | None,
    stages: Stages,
) -> _native.NativePlan:
    with stages.stage("looking for identifiers that repeat"):
        repeated = repeated_identifiers(frames, roles)
    tables = []
    with stages.stage("grouping on the cluster"):
        for frame, rows in zip(frames, sizes, strict=True):
            columns = frame.present(roles.keys)
            counted = frame.counted(columns).toArrow().rename_columns([*columns, COUNT])
            refuse_changed(frame.name, rows, sum(counted.column(COUNT).to_pylist()))
            tables.append((frame.provider, frame.name, frame.header, counted))
    with stages.stage("planning and verifying on the driver"):
        streams = [
            (provider, name, header.__arrow_c_stream__(), counted.__arrow_c_stream__())
            for provider, name, header, counted in tables
        ]
        return _native.plan_counted(policy._native, streams, repeated, threads, stages.listener)


def _plan_rows(
    frames: list[ProviderFrame],
    policy: Policy,
    roles: Roles,
    sizes: list[int],
    threads: int | None,
    stages: Stages,
) -> _native.NativePlan:
    """Where the policy needs single rows, the driver reads them all."""
    reason = " and ".join(roles.needs_rows)
    tables = []
    with stages.stage(f"reading rows, because of {reason}"):
        for frame, rows in zip(frames, sizes, strict=True):
            columns = read_columns(frame, roles)
            read = frame.select(columns).toArrow().rename_columns(columns)
            refuse_changed(frame.name, rows, read.num_rows)
            tables.append((frame.provider, frame.name, read))
    with stages.stage("planning and verifying on the driver"):
        streams: list[Given] = [
            (provider, name, None, read.__arrow_c_stream__()) for provider, name, read in tables
        ]
        return _native.plan(policy._native, streams, threads, stages.listener)


def read_columns(frame: ProviderFrame, roles: Roles) -> list[str]:
    """All columns that the policy reads; what it drops stays on the cluster."""
    wanted = roles.with_role("identifier", "quasi-identifier", "sensitive", "insensitive")
    if roles.provider_column is not None and roles.provider_column not in wanted:
        wanted.append(roles.provider_column)
    present = frame.present(wanted)
    if not present:
        refuse(INPUT_LIMIT, f"{frame.name} has none of the policy's columns", "check the policy's columns")
    return present
