"""The same policy and data give the same bytes as the program."""

from __future__ import annotations

import os
import random
import shutil
from pathlib import Path

import pandas
import pytest
from conftest import run

import mingle

#: ``MINGLE_CASES=2000`` looks longer
CASES = int(os.environ.get("MINGLE_CASES", "200"))


def public_files(release: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted((release / "public").iterdir())}


def test_examples_from_paths_and_from_frames(program: Path, examples: Path, tmp_path: Path) -> None:
    policy_file = examples / "hospitals/policy.toml"
    made = run(program, "publish", policy_file, "--out", tmp_path / "program")
    assert made.returncode == 0, made.stderr
    expected = public_files(tmp_path / "program")

    mingle.plan(policy_file).publish(tmp_path / "paths")
    assert public_files(tmp_path / "paths") == expected

    sections = mingle.Policy.from_file(policy_file).to_dict()
    tables = {table["name"]: table["path"] for table in sections["data"].pop("providers")}
    frames = {name: pandas.read_csv(examples / "hospitals" / path, dtype=str) for name, path in tables.items()}
    policy = mingle.Policy.from_dict(sections)
    release = mingle.plan(policy, frames).publish(tmp_path / "frames")
    assert public_files(tmp_path / "frames")["data.csv"] == expected["data.csv"]
    assert isinstance(release.data, pandas.DataFrame)


EXAMPLES = ["hospitals/policy", "my-tables/policy", "partners/joined", "two-hospitals/policy", "two-hospitals/second"]


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example(name: str, program: Path, examples: Path, tmp_path: Path) -> None:
    """The policy's own files, by the program and from Python: the same public files, or the same refusal."""
    policy_file = examples / f"{name}.toml"
    made = run(program, "publish", policy_file, "--out", tmp_path / "program")
    try:
        mingle.plan(policy_file).publish(tmp_path / "python")
    except mingle.MingleError as error:
        assert made.returncode != 0 and error.code in made.stderr, made.stderr
        return
    assert made.returncode == 0, made.stderr
    assert public_files(tmp_path / "python") == public_files(tmp_path / "program")


def test_the_example_of_made_up_patients(program: Path, examples: Path, tmp_path: Path) -> None:
    """Its table is made first; here a smaller one."""
    shutil.copytree(examples / "patients", tmp_path / "patients")
    table = tmp_path / "patients/patients.csv"
    run(program, "synth", "hospital", "--rows", 2000, "--providers", 4, "--out", table)
    policy_file = tmp_path / "patients/policy.toml"
    made = run(program, "publish", policy_file, "--out", tmp_path / "program")
    assert made.returncode == 0, made.stderr
    mingle.plan(policy_file).publish(tmp_path / "python")
    assert public_files(tmp_path / "python") == public_files(tmp_path / "program")


def test_examples_are_all_there(examples: Path) -> None:
    """An example that is new is compared as well; those of sites and of noise cannot be."""
    found = {str(file.relative_to(examples).with_suffix("")) for file in examples.rglob("*.toml")}
    sites = {"partners/hospital/policy", "partners/insurer/policy"}
    sites |= {name for name in found if name.startswith("several-hospitals/")}
    without_tables = {"hospitals/table"}
    with_noise = {"hospitals-dp/policy"}
    assert found == set(EXAMPLES) | sites | without_tables | with_noise | {"patients/policy"}


def random_table(rng: random.Random) -> pandas.DataFrame:
    rows = rng.randint(1, 60)
    table = pandas.DataFrame(
        {
            "age": [rng.randint(0, 90) for _ in range(rows)],
            "weight": [rng.randint(400, 1200) / 10 for _ in range(rows)],
            "zip": [f"{rng.randint(10000, 10999)}" for _ in range(rows)],
            "sex": [rng.choice(["f", "m", None]) for _ in range(rows)],
            "day": pandas.to_datetime([f"20{rng.randint(10, 29)}-0{rng.randint(1, 9)}-11" for _ in range(rows)]),
            "disease": [rng.choice(["flu", "asthma", "=cancer", "a,b", 'q"']) for _ in range(rows)],
            "cost": [rng.choice([1, 20, 300, None]) for _ in range(rows)],
            "site": [rng.choice("NSW") for _ in range(rows)],
        }
    )
    if rng.random() < 0.3:
        table["sex"] = table["sex"].astype("category")
    if rng.random() < 0.3:
        table["cost"] = table["cost"].astype("Int64")
    return table


def random_policy(rng: random.Random) -> dict[str, object]:
    columns: dict[str, object] = {
        "age": {"role": "quasi-identifier"},
        "weight": {"role": rng.choice(["quasi-identifier", "insensitive", "identifier"])},
        "zip": {"role": "quasi-identifier", "kind": "category", "hierarchy": {"mask": 5}},
        "sex": {"role": rng.choice(["quasi-identifier", "insensitive"])},
        "day": {"role": rng.choice(["quasi-identifier", "identifier"])},
        "disease": {"role": "sensitive"},
        "cost": {"role": rng.choice(["sensitive", "insensitive", "identifier"])},
    }
    if rng.random() < 0.5:
        columns["age"] = {"role": "quasi-identifier", "hierarchy": {"intervals": [5, 10, 20]}}
    privacy: dict[str, object] = {"k": rng.randint(1, 5)}
    if rng.random() < 0.5:
        privacy["l"] = {"distinct": 2}
    if rng.random() < 0.3:
        privacy["t"] = {"max": 0.5, "distance": "equal"}
    sections: dict[str, object] = {"columns": columns, "privacy": privacy}
    data: dict[str, object] = {"person": "row"}
    if rng.random() < 0.6:
        data["provider_column"] = "site"
        privacy["m"] = rng.randint(0, 1)
    else:
        columns["site"] = {"role": "identifier"}
    sections["data"] = data
    method = {"name": rng.choice(["agglomerative", "mondrian", "datafly"]), "seed": rng.randint(0, 9)}
    sections["method"] = method
    sections["release"] = {"format": rng.choice(["csv", "parquet"])}
    return sections


def toml(value: object) -> str:
    """A value of a policy as TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml(below)}" for key, below in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def test_random_policies_on_random_tables(program: Path, tmp_path: Path) -> None:
    """CSV by the program, a pandas frame in Python: the same data, or a refusal with the same code."""
    published = 0
    for seed in range(CASES):
        rng = random.Random(seed)
        table, sections = random_table(rng), random_policy(rng)
        here = tmp_path / str(seed)
        here.mkdir()
        # a frame's 20.0 is read as 20, so the file has to say that too
        table.to_csv(here / "table.csv", index=False, float_format=lambda number: f"{number:g}")
        on_file = {**sections, "data": {**sections["data"], "path": "table.csv"}}  # type: ignore[dict-item]
        text = "".join(f"{key} = {toml(value)}\n" for key, value in on_file.items())
        (here / "policy.toml").write_text(text)
        made = run(program, "publish", here / "policy.toml", "--out", here / "program")

        policy = mingle.Policy.from_dict(sections)
        try:
            mingle.plan(policy, table).publish(here / "python")
        except mingle.MingleError as error:
            assert made.returncode != 0, (seed, str(error))
            assert error.code in made.stderr, (seed, error.code, made.stderr)
            continue
        assert made.returncode == 0, (seed, made.stderr)
        published += 1
        name = f"data.{sections['release']['format']}"  # type: ignore[index]
        assert public_files(here / "python")[name] == public_files(here / "program")[name], seed
    # a comparison of refusals alone would show nothing
    assert published > CASES // 2
