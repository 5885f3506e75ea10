"""Verifying on a cluster: a table that any tool has anonymized, or a release in its folder."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from .. import _native
from ..policy import Policy
from ..progress import Progress
from ..release import Release
from ..verdict import Verdict
from ..verdict import verify as verify_here
from .cells import MOST_PARTITIONS, ship
from .errors import CONTRADICTION, NO_ROWS, refuse
from .executors import CHECK_SCHEMA, CHUNK_ROWS, Shipped, ShippedPolicy, ShippedTable, check_groups
from .frames import COUNT, PROVIDER, Frame, Frames, Roles, functions_of, provider_frames, refuse_said_twice
from .publishing import refuse_unreadable
from .stages import Stages

CONTRIBUTORS_UNKNOWN = "MG0408"
CONSTRAINT_FAILS = "MG0302"
UNDECIDED = "MG0305"


def verify(
    subject: Frames | Release | str | os.PathLike[str],
    policy: Policy | str | os.PathLike[str] | None = None,
    *,
    progress: Progress = None,
) -> Verdict:
    """Checks a table on a cluster against a policy, or a release in its folder against its own promises.

    Equal texts are one group, as everywhere. Groups are formed by the cluster and each is checked in an executor, with all
    of its rows and against the whole table. A release is checked on the driver, which needs memory for it.

    :param subject: a DataFrame, or one for each provider; or a release or its folder
    :param policy: what is promised about a DataFrame
    """
    if isinstance(subject, (Release, str, Path)):
        return verify_here(subject, policy, progress=progress)
    if policy is None:
        raise TypeError("a table is verified against a policy: verify(df, policy)")
    if not isinstance(policy, Policy):
        policy = Policy.from_file(policy)
    refuse_said_twice(policy, subject)
    roles = Roles.of(policy)
    needs = [reason for reason in roles.needs_rows if reason != "insensitive columns"]
    if needs:
        refuse(
            CONTRADICTION,
            f"{' and '.join(needs)} cannot be verified on a cluster",
            "bring the table to one machine: mingle.verify takes its frames",
        )
    frames = provider_frames(subject)
    stages = Stages(progress)
    with stages.stage("grouping on the cluster"):
        refuse_unreadable(frames, policy, labels=True)
        rows = _texts(frames, roles)
        groups, whole, providers, total = _grouped(rows, roles)
    if total == 0:
        refuse(NO_ROWS, "the table has no rows", "check the frame")
    knows_providers = roles.provider_column is not None or len(frames) > 1
    m = _native.insiders_of(policy._native, providers if knows_providers else 1)
    if m > 0 and not knows_providers:
        refuse(
            CONTRIBUTORS_UNKNOWN,
            "nothing says who contributed which row, and the policy promises something against insiders",
            "name the provider_column in [data], or give one frame for each provider",
        )
    shipped_policy = ship(policy, roles)
    with stages.stage("verifying groups in executors"):
        labels = len(roles.with_role("quasi-identifier"))
        keys = [f"t{place}" for place in range(labels)]
        partitions = min(1 + groups.count() // CHUNK_ROWS, MOST_PARTITIONS)
        together = groups.repartition(partitions, *keys) if keys else groups.coalesce(1)
        task = check_groups(Shipped(shipped_policy, ShippedTable.of(whole)), providers)
        found = together.mapInArrow(task, CHECK_SCHEMA).toArrow().to_pylist()
    return _verdict(found, shipped_policy, m, providers if knows_providers else None)


def _texts(frames: Any, roles: Roles) -> Frame:
    """Labels, the provider and sensitive values of all rows, as texts."""
    rows: Any = None
    for frame in frames:
        functions = functions_of(frame.placed)
        columns = [*roles.with_role("quasi-identifier"), *roles.with_role("sensitive")]
        texts = [
            functions.coalesce(functions.col(frame.place(column)).cast("string"), functions.lit(""))
            for column in columns
        ]
        if frame.provider is not None:
            provider = functions.lit(frame.provider)
        elif roles.provider_column is not None:
            provider = functions.col(frame.place(roles.provider_column)).cast("string")
        else:
            provider = functions.lit(frame.name)
        texts.insert(len(roles.with_role("quasi-identifier")), provider)
        some = frame.placed.select(*[text.alias(f"t{place}") for place, text in enumerate(texts)])
        rows = some if rows is None else rows.unionAll(some)
    return rows


def _grouped(rows: Frame, roles: Roles) -> tuple[Frame, Any, int, int]:
    """Counted groups, rows that stand for the whole table, and how many providers and rows there are."""
    import pyarrow

    functions = functions_of(rows)
    groups = rows.groupBy(*rows.columns).agg(functions.count(functions.lit(1)).alias(COUNT))
    labels = len(roles.with_role("quasi-identifier"))
    total = functions.sum(COUNT).alias(COUNT)
    of_provider = groups.groupBy(f"t{labels}").agg(total).toArrow()
    counts = of_provider.column(COUNT).to_pylist()
    sensitive = rows.columns[labels + 1 :]
    if sensitive:
        combinations = groups.groupBy(*sensitive).agg(total).toArrow()
    else:
        combinations = pyarrow.table({COUNT: pyarrow.array([sum(counts)], pyarrow.int64())})
    length = combinations.num_rows
    blank = pyarrow.array([""] * length, pyarrow.string())
    provider = pyarrow.array((of_provider.column(0).to_pylist() or [""])[:1] * length, pyarrow.string())
    columns = [*[blank] * labels, provider]
    columns += [combinations.column(name).cast(pyarrow.string()) for name in sensitive]
    columns.append(combinations.column(COUNT))
    names = [*roles.with_role("quasi-identifier"), PROVIDER, *roles.with_role("sensitive"), COUNT]
    whole = pyarrow.table(columns, names=names).combine_chunks()
    return groups, whole, len(counts), sum(counts)


def _verdict(found: list[dict[str, Any]], policy: ShippedPolicy, m: int, providers: int | None) -> Verdict:
    names = _native.promise_names(policy.policy()._native)
    verdicts = []
    for place, name in enumerate(names):
        fails = any(json.loads(check["fails"])[place] for check in found)
        undecided = any(json.loads(check["undecided"])[place] for check in found)
        verdicts.append({"name": name, "verdict": "fails" if fails else "undecided" if undecided else "holds"})
    if any(check["sites"] for check in found):
        verdicts.append({"name": "site-diversity", "verdict": "fails"})
    said = {verdict["verdict"] for verdict in verdicts}
    overall = "fails" if "fails" in said else "undecided" if "undecided" in said else "holds"
    answer = {
        "verdict": overall,
        "groups": sum(check["groups"] for check in found),
        "records": sum(check["rows"] for check in found),
        "providers": providers,
        "m": m,
        "constraints": verdicts,
    }
    problem = None
    if overall != "holds":
        broken = ", ".join(verdict["name"] for verdict in verdicts if verdict["verdict"] == overall)
        problem = {
            "code": CONSTRAINT_FAILS if overall == "fails" else UNDECIDED,
            "text": f"{broken} {overall} in a group" if overall == "fails" else f"{broken} could not be decided",
            "hint": "do not hand the table out; mingle.verify on one machine names the group and the coalition",
        }
    return Verdict({"answer": answer, "problem": problem, "note": None})
