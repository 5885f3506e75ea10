"""What a caller writes, for the type checker: nothing here is run."""

import pandas

import mingle

frame = pandas.DataFrame({"age": [1, 2]})
policy = mingle.Policy({"age": "quasi-identifier"}, k=2)
plan: mingle.Plan = mingle.plan(policy, {"North": frame, "South": "south.csv"})
loss: float | None = plan.loss
release: mingle.Release = plan.publish("out", replace=True)
verdict: mingle.Verdict = mingle.verify(release).raise_if_fails()
holds: bool = verdict.holds
