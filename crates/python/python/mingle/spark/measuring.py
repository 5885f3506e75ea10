"""What a release has lost, measured against a frame on a cluster."""

from __future__ import annotations

import json
import os
from typing import Any

from .. import _native
from ..policy import Policy
from ..progress import Progress
from ..release import Release
from ..tables import Given
from .errors import INPUT_LIMIT, refuse
from .frames import Frames, Roles, provider_frames, refuse_changed, refuse_said_twice
from .publishing import read_columns
from .stages import Stages

#: so many rows are measured on the driver
MEASURED_ROWS = 20_000_000


def measure(
    subject: Release | str | os.PathLike[str] | Frames,
    policy: Policy | str | os.PathLike[str],
    original: Frames,
    *,
    driver_rows: int = MEASURED_ROWS,
    progress: Progress = None,
) -> dict[str, Any]:
    """What a release, or a table of any tool, has lost against its original: the document of ``mingle measure``.

    Both are read on the driver, which is refused beyond ``driver_rows`` rows.

    :param subject: a release or its folder, or a DataFrame
    :param original: the DataFrame that it was made from, or one for each provider
    """
    if not isinstance(policy, Policy):
        policy = Policy.from_file(policy)
    refuse_said_twice(policy, original)
    roles = Roles.of(policy)
    stages = Stages(progress)
    frames = provider_frames(original)
    with stages.stage("counting rows on the cluster"):
        sizes = [frame.size([])[0] for frame in frames]
    if sum(sizes) > driver_rows:
        refuse(
            INPUT_LIMIT,
            f"{sum(sizes)} rows are more than the {driver_rows} that are measured on the driver",
            "raise driver_rows and the driver's memory, or measure a sample of both tables",
        )
    tables: list[Given] = []
    with stages.stage("reading rows"):
        for frame, rows in zip(frames, sizes, strict=True):
            columns = read_columns(frame, roles)
            read = frame.select(columns).toArrow().rename_columns(columns)
            refuse_changed(frame.name, rows, read.num_rows)
            tables.append((frame.provider, frame.name, None, read.__arrow_c_stream__()))
        looked: tuple[str | None, Any]
        if isinstance(subject, Release):
            looked = (os.fspath(subject.folder), None)
        elif isinstance(subject, (str, os.PathLike)):
            looked = (os.fspath(subject), None)
        else:
            (frame,) = provider_frames(subject)
            read = frame.placed.toArrow().rename_columns(frame.columns)
            looked = (None, (None, frame.name, None, read.__arrow_c_stream__()))
    with stages.stage("measuring on the driver"):
        answer: dict[str, Any] = json.loads(
            _native.measure(policy._native, looked, tables, stages.listener)
        )
    return answer
