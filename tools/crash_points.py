#!/usr/bin/env python3
"""Kills the program before every system call that writes, and looks at what is left.

    tools/crash_points.py MINGLE [--every N] [--points N] [--only publish,...]

For each scenario one run is made without a fault; then the program is run again and again, and strace sends it
SIGKILL as it enters its first, second, third ... call that may change the disk, until a run gets through. After
each kill what is on the disk must be the old state or the new one, the program's own check must accept it, and
the same command must then end as if nothing had happened, with nothing left over. `--every N` takes every Nth
point and the last ones of each scenario (a short run); `--points N` stops a scenario after N kills.

Needs strace 6 or later. Ends with exit code 1 if a kill left anything else than old or new.
"""
import argparse
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

# What may change a disk, or make a change last. Opening is among them: it may create or truncate.
CALLS = (
    "write,pwrite64,writev,pwritev,openat,open,creat,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,"
    "rmdir,fsync,fdatasync,sync_file_range,ftruncate,truncate,fallocate,link,linkat,symlink,symlinkat,chmod,"
    "fchmod,fchmodat,copy_file_range,sendfile,flock"
)
KILLED = (-9, 137)

TABLE = "id,age,zip,disease\n" + "".join(
    f"p{n},{20 + n % 37},{1000 + 7 * (n % 11)},{('flu', 'asthma', 'ulcer', 'gout')[n % 4]}\n" for n in range(60)
)
POLICY = """[data]
path = "t.csv"
[columns.id]
role = "identifier"
[columns.age]
role = "quasi-identifier"
[columns.zip]
role = "quasi-identifier"
[columns.disease]
role = "sensitive"
[privacy]
k = {k}
"""
HISTORY = '[composition]\nhistory = "history"\nperson = "id"\nmax_perfect_breach = 1.0\n'
NOISY = """[data]
path = "t.csv"
[columns.id]
role = "identifier"
[columns.age]
role = "quasi-identifier"
domain = { from = 0, to = 100, width = 10 }
[columns.zip]
role = "insensitive"
domain = { from = 0, to = 9999, width = 1000 }
[columns.disease]
role = "sensitive"
domain = ["flu", "asthma", "ulcer", "gout"]
[dp]
release = "marginals"
epsilon = 0.5
delta = 1e-9
ledger = "l.ledger"
person = "id"
records_per_person = 1
"""


class Scenario:
    """A folder with an old state, a command, and what may be there after a kill."""

    def __init__(self, mingle):
        self.mingle = mingle

    def call(self, folder, *arguments, allowed=(0,)):
        done = subprocess.run([self.mingle, *arguments], cwd=folder, capture_output=True, text=True)
        if done.returncode not in allowed:
            raise SystemExit(f"{' '.join(arguments)}: exit {done.returncode}\n{done.stderr}")
        return done

    def prepare(self, folder):
        (folder / "t.csv").write_text(TABLE)
        (folder / "p.toml").write_text(POLICY.format(k=3))
        (folder / "q.toml").write_text(POLICY.format(k=6))

    def left_over(self, folder):
        hidden = [path.name for path in folder.iterdir() if path.name.startswith(".")]
        return [name for name in hidden if not name.endswith(".lock")]


def digest(folder):
    """One hash over all files of a folder; None where there is no folder."""
    if not folder.exists():
        return None
    whole = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        whole.update(str(path.relative_to(folder)).encode() + b"\0" + path.read_bytes() + b"\0")
    return whole.hexdigest()


class Publish(Scenario):
    name = "publish"
    command = ["publish", "p.toml", "--out", "r", "--threads", "1", "-q"]

    def state(self, folder):
        return digest(folder / "r")

    def check(self, folder):
        if (folder / "r").exists():
            self.call(folder, "verify", "r")


class PublishOver(Publish):
    name = "publish --force"
    command = ["publish", "q.toml", "--out", "r", "--threads", "1", "-q", "--force"]

    def prepare(self, folder):
        super().prepare(folder)
        self.call(folder, "publish", "p.toml", "--out", "r", "-q")


class History(Scenario):
    """The release and the history: a version is listed only if its release is there."""

    name = "history"
    command = ["publish", "h.toml", "--out", "r", "--threads", "1", "-q", "--force"]

    def prepare(self, folder):
        super().prepare(folder)
        (folder / "h.toml").write_text(POLICY.format(k=4) + HISTORY)
        self.call(folder, "history", "init", "history")

    def state(self, folder):
        listed = self.call(folder, "history", "list", "history", "--json", allowed=(0, 1)).stdout
        return (digest(folder / "r"), listed.count('"label"'))

    def between(self, old, new):
        """The release may be in its place before the history knows: it is announced there before."""
        return {(new[0], old[1])}

    def check(self, folder):
        if (folder / "r").exists():
            self.call(folder, "verify", "r")


class Ledger(Scenario):
    """Spending comes first: an entry without a release is allowed, a release without an entry is not."""

    name = "ledger"
    command = ["dp", "marginals", "n.toml", "--out", "r", "-q"]

    def prepare(self, folder):
        super().prepare(folder)
        (folder / "n.toml").write_text(NOISY)
        self.call(folder, "dp", "budget", "l.ledger", "--create", "--epsilon", "9", "--delta", "1e-6", "--name", "t")

    def state(self, folder):
        self.call(folder, "dp", "budget", "l.ledger")
        entries = len((folder / "l.ledger").read_text().splitlines()) - 1
        return (entries, (folder / "r").exists())

    def between(self, old, new):
        return {(new[0], False)}

    def check(self, folder):
        if (folder / "r").exists():
            self.call(folder, "verify", "r")


def kill_at(mingle, command, folder, number, output):
    inject = f"inject={CALLS}:signal=KILL:when={number}"
    strace = ["strace", "-f", "-qq", "-o", output, "-e", f"trace={CALLS}", "-e", inject]
    return subprocess.run(strace + [mingle] + command, cwd=folder, capture_output=True).returncode


def run(scenario, mingle, every, most):
    with tempfile.TemporaryDirectory() as home:
        home = pathlib.Path(home)
        start = home / "start"
        start.mkdir()
        scenario.prepare(start)
        old = scenario.state(start)
        through = home / "through"
        shutil.copytree(start, through)
        scenario.call(through, *scenario.command)
        new = scenario.state(through)
        if old == new:
            raise SystemExit(f"{scenario.name}: the command changes nothing")
        allowed = {old, new} | getattr(scenario, "between", lambda *_: set())(old, new)
        number, kills, settled, seen = 0, 0, 0, {}
        while kills < most:
            number += every if number else 1
            folder = home / "killed"
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(start, folder)
            code = kill_at(mingle, scenario.command, folder, number, str(home / "trace"))
            if code not in KILLED:
                if code != 0:
                    raise SystemExit(f"{scenario.name}: exit {code} at call {number} without a kill")
                break
            kills += 1
            state = scenario.state(folder)
            if state not in allowed:
                raise SystemExit(f"{scenario.name}: killed at call {number}: neither old nor new: {state}")
            seen[state] = seen.get(state, 0) + 1
            scenario.check(folder)
            # a folder in the making that is younger than a minute might have a living maker
            for path in folder.glob(".*"):
                os.utime(path, (0, 0))
            # the same command again: through, or refused because it is done already
            again = scenario.call(folder, *scenario.command, allowed=(0, 2))
            # a release that was announced and is not there: the history asks what became of it
            if "MG0415" in again.stderr:
                scenario.call(folder, "history", "forget", "history", "--pending")
                again = scenario.call(folder, *scenario.command, allowed=(0, 2))
                settled += 1
            if again.returncode != 0 and state == old:
                raise SystemExit(f"{scenario.name}: killed at call {number}: cannot be repeated\n{again.stderr}")
            scenario.check(folder)
            left = scenario.left_over(folder)
            if again.returncode == 0 and left:
                raise SystemExit(f"{scenario.name}: killed at call {number}: left over {left}")
        in_old, in_new = seen.get(old, 0), seen.get(new, 0)
        asked = f"; {settled} asked what became of an announced release" if settled else ""
        between = kills - in_old - in_new
        print(f"{scenario.name}: {kills} kills: {in_old} old, {in_new} new, {between} announced or paid{asked}", flush=True)
        return kills


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("mingle")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--points", type=int, default=1 << 30)
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    if shutil.which("strace") is None:
        print("strace is missing: it comes with Debian's package of that name", file=sys.stderr)
        return 2
    mingle = str(pathlib.Path(given.mingle).resolve())
    total = 0
    for kind in (Publish, PublishOver, History, Ledger):
        if not given.only or kind.name in given.only.split(","):
            total += run(kind(mingle), mingle, given.every, given.points)
    print(f"{total} kills in all: the old state, the new one, or one that is announced or paid for, and nothing else")
    return 0


if __name__ == "__main__":
    sys.exit(main())
