"""Publish one anonymized table together, verified.

Tables and a policy go in, a verified release comes out:

>>> import mingle
>>> patients = mingle.synth("hospital", rows=300, providers=3)
>>> policy = mingle.Policy.propose(patients)
>>> plan = mingle.plan(policy, patients)
>>> plan.holds
True
>>> release = plan.publish(folder / "release")
>>> release.verify().holds
True

The same policy and the same data give the same bytes as the program ``mingle``.
"""

from . import attack, dp
from ._native import VERSION as __version__
from .errors import MingleError, Place, PromiseBroken
from .plan import Plan, plan
from .policy import Policy
from .release import Release, measure, open, report
from .synth import synth
from .verdict import Verdict, verify

__all__ = [
    "MingleError",
    "Place",
    "Plan",
    "Policy",
    "PromiseBroken",
    "Release",
    "Verdict",
    "__version__",
    "attack",
    "dp",
    "measure",
    "open",
    "plan",
    "report",
    "synth",
    "verify",
]
