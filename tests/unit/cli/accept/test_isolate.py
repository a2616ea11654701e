"""The verb isolate, as it is called."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rackwright.cli.main import main
from rackwright.flow import ssh_runner

SITE = str(Path(__file__).resolve().parents[4] / "inventories" / "h100-pod")


def called(capsys, *words):
    code = main(["isolate", SITE, *words])
    return code, capsys.readouterr()


def test_plan_prints_screens_proof_and_price(capsys):
    code, printed = called(capsys, "--plays", "1", "--minutes", "10")
    assert code == 0
    assert "Fabric compute: 31 nodes, 248 rails, 12 switches, 256 cables" in printed.out
    assert "cable        256 of      256" in printed.out
    assert "accelerator-h" in printed.out
    assert "10 minutes end before the end of the screens (16)" in printed.out


def test_plan_gives_json_and_the_tests_of_every_round(capsys, tmp_path):
    file = tmp_path / "tests.jsonl"
    code, printed = called(capsys, "--plan", "--plays", "1", "--format", "json", "--out", str(file))
    assert code == 0
    data = json.loads(printed.out)
    assert data["coverage"]["complete"]
    assert data["coverage"]["untested"] == []
    assert [step["faults"] for step in data["cost"]] == [0, 1, 3, 5]
    assert data["cost"][0]["minutes"]["mean"] == 4 * len(data["rounds"])
    assert [json.loads(line)["round"] for line in file.read_text().splitlines()] == [1] * 3 + [2] * 3 + [3] * 3 + [
        4
    ] * 3


def test_what_a_pair_of_nodes_cannot_cover_is_advice(capsys):
    code, printed = called(capsys, "--nodes", "train-001,train-002", "--plays", "1")
    assert code == 0
    assert "advice   2 nodes (train-001, train-002): each has one partner" in printed.out
    assert "advice   256 cables" in printed.out
    assert "UNTESTED" not in printed.out


def test_simulate_names_what_is_faulty(capsys):
    code, printed = called(capsys, "--simulate", "--faults", "rail:train-005/mlx5_4,node:train-009=0.2")
    assert code == 1
    assert "FAULTY    rail train-005/mlx5_4" in printed.out
    assert "FAULTY    node train-009" in printed.out
    assert "cleared   29 nodes" in printed.out


def test_simulate_without_faults_is_clean(capsys):
    code, printed = called(capsys, "--simulate", "--format", "json")
    assert code == 0
    data = json.loads(printed.out)
    assert (data["clean"], data["found"], data["open"], data["untested"]) == (True, [], [], [])


def test_a_deadline_gives_a_partial_verdict(capsys):
    code, printed = called(capsys, "--simulate", "--faults", "node:train-009", "--minutes", "8", "--format", "json")
    assert code == 1
    data = json.loads(printed.out)
    assert not data["complete"]
    assert data["open"]


def test_readings_of_a_simulation_are_decided_alike(capsys, tmp_path):
    file = tmp_path / "readings.jsonl"
    _, first = called(capsys, "--simulate", "--faults", "rail:train-005/mlx5_4", "--out", str(file), "--format", "json")
    code, again = called(capsys, "--readings", str(file), "--format", "json")
    assert code == 1
    original, resumed = json.loads(first.out), json.loads(again.out)
    assert resumed["found"] == original["found"]
    assert resumed["next"] == []
    assert [row["name"] for row in resumed["found"]] == ["train-005/mlx5_4"]


def test_from_half_of_the_readings_follows_the_next_round(capsys, tmp_path):
    complete, half, following = (tmp_path / name for name in ("whole.jsonl", "half.jsonl", "next.jsonl"))
    called(capsys, "--simulate", "--faults", "node:train-009", "--out", str(complete))
    half.write_text("".join(complete.read_text().splitlines(keepends=True)[:6]))
    code, printed = called(capsys, "--readings", str(half), "--out", str(following))
    assert code == 1
    assert "not finished" in printed.out
    assert "next      round 3, 3 tests" in printed.out
    rows = [json.loads(line) for line in following.read_text().splitlines()]
    assert [(row["round"], row["shift"], row["share"]) for row in rows] == [(3, 1, None)] * 3


def test_a_test_that_did_not_run_is_shown_as_that(capsys, tmp_path):
    file = tmp_path / "readings.jsonl"
    file.write_text('{"round": 1, "nodes": ["train-001", "train-002"], "share": null, "why": "srun: no such node"}\n')
    code, printed = called(capsys, "--readings", str(file))
    assert code == 1
    assert "not run   train-001, train-002: srun: no such node" in printed.out
    assert "untested  train-001" in printed.out


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", "Invalid JSON"),
        ('{"round": 1, "nodes": ["train-001"], "share": 1}', "nodes"),
        ('{"round": 1, "nodes": ["train-001", "train-099"], "share": 1}', "the wiring has no such node"),
        ('{"round": 1, "nodes": ["train-001", "train-001"], "share": 1}', "stands in it twice"),
        ('{"round": 1, "nodes": ["train-001", "train-002"], "rails": [8], "share": 1}', "there is no such rail"),
        ('{"round": 1, "nodes": ["train-001", "train-002"], "share": "good"}', "share"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(capsys, tmp_path, line, words):
    file = tmp_path / "readings.jsonl"
    file.write_text(f"\n{line}\n")
    code, printed = called(capsys, "--readings", str(file))
    assert code == 1
    assert f"{file}:2" in printed.err
    assert words in printed.err


@pytest.mark.parametrize(
    "words",
    [
        ("--simulate", "--faults", "node:train-099"),
        ("--simulate", "--faults", "gpu:train-001"),
        ("--simulate", "--faults", "pair:train-001"),
        ("--simulate", "--faults", "node:train-001=2"),
        ("--simulate", "--silent", "train-099"),
        ("--faults", "node:train-001"),
        ("--fabric", "storage"),
        ("--minutes", "0"),
        ("--plays", "0"),
        ("--nodes", "train-001"),
    ],
)
def test_what_cannot_be_meant_is_a_usage_error(capsys, words):
    code, printed = called(capsys, *words)
    assert code == 2
    assert "Traceback" not in printed.err


def test_static_routes_are_read(capsys, tmp_path):
    file = tmp_path / "routes.json"
    file.write_text("{}")
    code, printed = called(capsys, "--routes", str(file), "--plays", "1")
    assert code == 1, "a table without ways covers no cable"
    assert "static routing" in printed.out
    file.write_text("[1]")
    assert called(capsys, "--routes", str(file))[0] == 2
    assert called(capsys, "--routes", str(tmp_path / "none.json"))[0] == 1


@pytest.mark.parametrize("drained", [31, 30])
def test_nothing_is_run_where_slurm_starts_nothing(capsys, tmp_path, monkeypatch, drained):
    nodes = [f"train-{number:03}" for number in range(1, 32)]
    states = "".join(
        f"NodeName={name} State=IDLE{'+DRAIN' * (at < drained)} Reason=x\n\n" for at, name in enumerate(nodes)
    )
    monkeypatch.setattr(ssh_runner, "runner", lambda _access, _address: lambda _argv: (0, states, ""))
    monkeypatch.setenv("RACKWRIGHT_BMC_USER", "user")
    monkeypatch.setenv("RACKWRIGHT_BMC_PASSWORD", "secret")
    code, printed = called(capsys, "--run", "--work", str(tmp_path))
    assert (code, printed.out) == (1, "")
    assert "nothing was tested: train-001: Slurm starts nothing on train-001 (idle+drain): use --via mpi" in printed.err
    assert f"; {drained - 1} more like it" in printed.err
    assert not (tmp_path / "evidence").exists()
