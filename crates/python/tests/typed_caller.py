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
next_month: mingle.Release = release.apply(frame, never_handed_out=True).publish("next")
attack: mingle.attack.Attack = mingle.attack.insider(next_month, up_to=2)
ledger: mingle.dp.Ledger = mingle.dp.Ledger("ledger")
report: str = mingle.report(release)
