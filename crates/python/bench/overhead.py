"""What Python costs against the program: the same policy on the same table, in one run.

    python crates/python/bench/overhead.py --program target/release/mingle --rows 1000000

Both publish a made-up hospital table from a Parquet file, and Python once more from a pandas frame. What is compared is
the processor time of child processes (user and system, all threads), which other work on the machine disturbs less than
the clock; runs take turns, and the least of each is taken. Starting Python and importing are part of its time.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

POLICY = """
[data]
person = "row"
[columns]
patient_id.role = "identifier"
admission_date.role = "identifier"
date_of_birth = { role = "quasi-identifier", kind = "date" }
sex.role = "quasi-identifier"
zip = { role = "quasi-identifier", kind = "category", hierarchy = { mask = 5 } }
diagnosis.role = "sensitive"
length_of_stay.role = "identifier"
[privacy]
k = 10
l = { distinct = 2 }
[method]
name = "mondrian"
"""

FROM_FILE = """
import sys, mingle
policy = mingle.Policy.from_file(sys.argv[1])
mingle.plan(policy, sys.argv[2], progress=False).publish(sys.argv[3])
"""

FROM_FRAME = """
import sys, mingle, pyarrow.parquet
policy = mingle.Policy.from_file(sys.argv[1])
table = pyarrow.parquet.read_table(sys.argv[2])
mingle.plan(policy, table, progress=False).publish(sys.argv[3])
"""


def cpu_seconds(command: list[str]) -> float:
    """The processor time of a child process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Prints a line per way and the ratios."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--program", type=Path, required=True)
    asked.add_argument("--rows", type=int, default=1_000_000)
    asked.add_argument("--runs", type=int, default=3)
    options = asked.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        here = Path(scratch)
        table = here / "table.parquet"
        made = [str(options.program), "synth", "hospital", "--rows", str(options.rows), "--out", str(table)]
        subprocess.run(made, check=True, capture_output=True)
        (here / "frames.toml").write_text(POLICY)
        (here / "program.toml").write_text(POLICY.replace("[data]", f'[data]\npath = "{table.name}"'))
        ways: dict[str, list[str]] = {
            "program": [str(options.program), "publish", str(here / "program.toml"), "--out"],
            "python, file": [sys.executable, "-c", FROM_FILE, str(here / "frames.toml"), str(table)],
            "python, arrow": [sys.executable, "-c", FROM_FRAME, str(here / "frames.toml"), str(table)],
        }
        least: dict[str, float] = {}
        for run in range(options.runs):
            for name, command in ways.items():
                out = here / f"{run}-{name}"
                seconds = cpu_seconds([*command, str(out)])
                least[name] = min(seconds, least.get(name, seconds))
        data = {name: (here / f"0-{name}" / "public/data.csv").read_bytes() for name in ways}
        assert len(set(data.values())) == 1, "the releases differ"
    for name, seconds in least.items():
        print(f"{name:<14} {seconds:7.2f} s of processor time, {seconds / least['program']:.3f} of the program's")


if __name__ == "__main__":
    main()
