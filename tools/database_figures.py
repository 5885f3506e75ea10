#!/usr/bin/env python3
"""What reading from PostgreSQL costs beside reading a CSV file: a server of its own, made-up patients, three ways.

    tools/database_figures.py target/release/mingle 1000000 10000000

`csv` reads an export, `rows` the table row by row, `counts` lets the server group. Each line: seconds, the program's
processor seconds and largest memory, and the bytes that it took in. The server's own processor time is in none of them,
its waiting time is in the seconds. Needs Debian's postgresql; run as root or as a user who may run initdb.
"""

import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

POLICY = """[data]
{data}
person = "row"
[columns.age]
role = "quasi-identifier"
kind = "integer"
[columns.zip]
role = "quasi-identifier"
kind = "category"
hierarchy = {{ mask = 5 }}
[columns.sex]
role = "quasi-identifier"
[columns.diagnosis]
role = "sensitive"
[privacy]
k = 5
l = {{ distinct = 2 }}
[method]
name = "mondrian"
"""

TABLE = """CREATE TABLE patients AS SELECT (20 + (hashint8(i) & 63))::int AS age,
 (10000 + (hashint8(i * 7 + 1) & 31))::text AS zip, CASE WHEN hashint8(i * 3 + 5) & 1 = 0 THEN 'F' ELSE 'M' END AS sex,
 'D' || (hashint8(i * 11 + 2) & 7) AS diagnosis, md5(i::text) AS note FROM generate_series(1, {rows}) i"""


class Server:
    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="mingle-figures-")
        self.bin = sorted(glob.glob("/usr/lib/postgresql/*/bin"))[-1]
        if os.getuid() == 0:
            shutil.chown(self.folder, "postgres")
        self.do(f"{self.bin}/initdb -D {self.folder}/data -U mingle -A trust -E UTF8 --locale=C.UTF-8 -N")
        self.do(f"{self.bin}/pg_ctl -D {self.folder}/data -w -l {self.folder}/data/log "
                f"-o '-p 5598 -k {self.folder} -c listen_addresses= -c fsync=off -c max_wal_size=4GB' start")

    def do(self, command):
        words = ["su", "postgres", "-s", "/bin/sh", "-c", command] if os.getuid() == 0 else ["sh", "-c", command]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def sql(self, text):
        words = ["psql", "-X", "-q", "-h", self.folder, "-p", "5598", "-U", "mingle", "-d", "postgres",
                 "-v", "ON_ERROR_STOP=1", "-c", text]
        subprocess.run(words, check=True)

    def stop(self):
        self.do(f"{self.bin}/pg_ctl -D {self.folder}/data -m immediate stop")
        shutil.rmtree(self.folder, ignore_errors=True)


def run(program, folder, name, environment):
    out = os.path.join(folder, "out-" + name)
    began = time.time()
    process = subprocess.Popen([program, "publish", name + ".toml", "--out", out], cwd=folder, env=environment,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    seconds = time.time() - began
    if status != 0:
        raise SystemExit(f"{name}: the program ended with {os.waitstatus_to_exitcode(status)}")
    with open(os.path.join(out, "private", "manifest.json")) as manifest:
        read = sum(file["bytes"] for file in json.load(manifest)["inputs"])
    with open(os.path.join(out, "public", "data.csv"), "rb") as table:
        published = table.read()
    shutil.rmtree(out)
    print(f"| {name} | {seconds:.1f} | {used.ru_utime + used.ru_stime:.1f} | {used.ru_maxrss // 1024} | {read / 1e6:.3f} |",
          flush=True)
    return published


def main():
    program = os.path.abspath(sys.argv[1])
    server = Server()
    folder = tempfile.mkdtemp(prefix="mingle-figures-")
    environment = dict(os.environ, PGHOST=server.folder, PGPORT="5598", PGUSER="mingle", PGDATABASE="postgres")
    try:
        for rows in sys.argv[2:]:
            server.sql("DROP TABLE IF EXISTS patients")
            server.sql(TABLE.format(rows=rows))
            server.sql("ANALYZE patients")
            csv = os.path.join(folder, "patients.csv")
            server.sql(f"\\copy (SELECT age, zip, sex, diagnosis FROM patients) TO '{csv}' CSV HEADER")
            source = 'source = { kind = "postgresql" }\ntable = "patients"\nundeclared = "drop"'
            ways = {
                "csv": 'path = "patients.csv"',
                "rows": source + '\ncolumns = { age = "age" }',
                "counts": source,
            }
            print(f"{int(rows):,} rows\n| | seconds | processor seconds | MB of memory | MB read |\n|---|--:|--:|--:|--:|")
            published = set()
            for name, data in ways.items():
                with open(os.path.join(folder, name + ".toml"), "w") as policy:
                    policy.write(POLICY.format(data=data))
                published.add(run(program, folder, name, environment))
            if len(published) != 1:
                raise SystemExit("the three published different tables")
            os.remove(csv)
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


main()
