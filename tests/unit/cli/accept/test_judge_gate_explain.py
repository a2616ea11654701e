from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from rackwright import collect, judge
from rackwright.base.errors import OutsideError
from rackwright.cli import site_job
from rackwright.cli.accept import gate, repair
from rackwright.cli.main import main
from rackwright.collect.store.closing_entries import ISOLATION
from rackwright.flow import ssh_runner
from rackwright.ledger import Ledger
from rackwright.model.times import parse_time
from rackwright.twin.campaign.play import Stage, collect_evidence
from rackwright.twin.hardware.state import build as build_state
from tests import build
from tests.computed_once import draw_once
from tests.unit.cli import evidence_store
from tests.unit.gate.test_scheduler import Slurm

SITE = str(build.EXAMPLE)


@cache
def healthy():
    """The evidence of healthy machines, as the tools of a twin would have told it."""
    design = build.site_design()
    stage = Stage(design, ("train-001", "train-002"), build.TAKEN)
    collected = collect_evidence(stage, build_state(design, stage.machines, seed=1))
    return {
        name: collected[name]
        for name in ("train-001", "train-002", "slurm-01", *judge.plant_names(design))
        if name in collected
    }


@pytest.fixture
def evidence(monkeypatch, tmp_path):
    """Evidence as if it were stored below the workspace."""
    draw_once(monkeypatch)
    evidence = {name: replace(node, records=dict(node.records)) for name, node in healthy().items()}
    (tmp_path / "evidence").mkdir()
    monkeypatch.setattr(collect, "load_merged", lambda _store, **_: evidence)
    monkeypatch.setattr(
        site_job, "now", lambda: parse_time("2026-11-21T10:00:00+00:00")
    )  # an hour after the evidence was taken
    return evidence


@pytest.fixture
def slurm(monkeypatch):
    """Slurm at the other end of the SSH connection."""
    monkeypatch.setenv("RACKWRIGHT_BMC_USER", "user")
    monkeypatch.setenv("RACKWRIGHT_BMC_PASSWORD", "secret")
    cluster = Slurm(dict.fromkeys(("train-001", "train-002"), ("IDLE+DRAIN", "rackwright: new")))

    def run(argv):
        if argv[0] != "srun":
            return cluster(argv)
        nodes = next(option for option in argv if option.startswith("--nodelist=")).partition("=")[2].split(",")
        free = [node for node in nodes if "DRAIN" not in cluster.nodes[node][0]]
        return 0, "".join(f"{n}: {node}\n{n}: 0,1,2,3,4,5,6,7\n" for n, node in enumerate(free)), ""

    monkeypatch.setattr(ssh_runner, "runner", lambda _access, _address: run, raising=False)
    return cluster


def break_one(evidence, node: str = "train-002") -> None:
    accelerators = evidence[node].records[build.Accelerators]
    devices = [device.model_copy(update={"row_remap_pending": device.index == 3}) for device in accelerators.devices]
    evidence[node].records[build.Accelerators] = accelerators.model_copy(update={"devices": devices})


def call(capsys, *argv: str) -> tuple[int, str]:
    code = main(list(argv))
    return code, capsys.readouterr().out


def test_judge_passes_on_healthy_evidence(evidence, tmp_path: Path, capsys) -> None:
    code, text = call(capsys, "judge", SITE, "--work", str(tmp_path), "--nodes", "train-001,train-002")
    assert code == 0, text
    assert re.search(r"\d+ verdicts on 2 nodes and 3 PDUs and CDUs: \d+ pass(, \d+ not_run)?$", text, re.MULTILINE)


def test_judge_shows_what_does_not_pass(evidence, tmp_path: Path, capsys) -> None:
    break_one(evidence)
    code, text = call(capsys, "judge", SITE, "--work", str(tmp_path))
    assert code == 1
    assert "FAIL          gpu.row_remap" in text
    assert "train-002: row remapping GPU 3" in text
    assert "rackwright explain CHECK" in text


def test_judge_as_json(evidence, tmp_path: Path, capsys) -> None:
    break_one(evidence)
    code, text = call(capsys, "judge", SITE, "--work", str(tmp_path), "--format", "json")
    bad = [verdict for verdict in json.loads(text)["verdicts"] if verdict["outcome"] == "fail"]
    assert (code, [(verdict["check"], verdict["target"]) for verdict in bad]) == (1, [("gpu.row_remap", "train-002")])


def test_judge_without_evidence_says_what_to_run(tmp_path: Path, capsys) -> None:
    assert main(["judge", SITE, "--work", str(tmp_path)]) == 2
    assert "rackwright collect" in capsys.readouterr().err


def test_judge_of_another_sites_evidence_is_wrong_usage(evidence, tmp_path: Path, capsys) -> None:
    evidence["other-001"] = evidence.pop("train-002")
    assert main(["judge", SITE, "--work", str(tmp_path)]) == 2
    assert "other-001" in capsys.readouterr().err


def test_gate_resumes_accepted_nodes_and_drains_refused_ones(evidence, slurm, tmp_path: Path, capsys) -> None:
    break_one(evidence)
    code, text = call(capsys, "gate", SITE, "--work", str(tmp_path))
    assert code == 1
    assert slurm.nodes["train-001"] == ("IDLE", "")
    state, reason = slurm.nodes["train-002"]
    assert state == "IDLE+DRAIN"
    assert reason.startswith("rackwright: gpu.row_remap: GPU 3")
    assert "1 of 1 accepted nodes ran a job" in text
    assert "1 of 2 nodes accepted" in text
    assert (tmp_path / "report" / "index.html").exists()
    ledger = Ledger(f"sqlite:///{tmp_path / 'ledger.db'}")
    decided = [event for event in ledger.history("train-002") if event.kind == "decision"]
    assert [event.outcome for event in decided] == ["refused"]


def test_gate_opens_for_all(evidence, slurm, tmp_path: Path, capsys) -> None:
    code, text = call(capsys, "gate", SITE, "--work", str(tmp_path))
    assert (code, "2 of 2 nodes accepted" in text) == (0, True), text


def test_gate_fails_when_slurm_is_not_as_decided(evidence, slurm, tmp_path: Path, capsys) -> None:
    slurm.nodes["train-001"] = ("IDLE+DRAIN", "fan replaced, do not touch")
    code, text = call(capsys, "gate", SITE, "--work", str(tmp_path))
    assert code == 1
    assert "left to whoever drained it" in text
    assert slurm.nodes["train-001"][0] == "IDLE+DRAIN"


@pytest.mark.parametrize("options", [("--dry-run", "--format", "json"), ("--dry-run",)])
def test_gate_of_a_large_site_is_decided_in_parts_and_says_the_same(
    options, slurm, tmp_path: Path, capsys, monkeypatch
) -> None:
    monkeypatch.setattr(site_job, "now", lambda: parse_time("2026-11-21T10:00:00+00:00"))
    broken = {"nvml": {"devices": {3: {"row_remap_pending": True}}}}
    evidence_store.write_run(tmp_path / "evidence", {"train-001": {}, "train-002": broken})
    small = call(capsys, "gate", SITE, "--work", str(tmp_path), *options)
    monkeypatch.setattr(gate, "LARGE", 1)
    assert call(capsys, "gate", SITE, "--work", str(tmp_path), *options) == small
    assert "train-002" in small[1]


def test_gate_of_a_large_site_writes_its_report(slurm, tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.setattr(site_job, "now", lambda: parse_time("2026-11-21T10:00:00+00:00"))
    monkeypatch.setattr(gate, "LARGE", 1)
    evidence_store.write_run(tmp_path / "evidence", {"train-001": {}, "train-002": {}})
    code, text = call(capsys, "gate", SITE, "--work", str(tmp_path))
    assert (code, "0 of 2 nodes accepted" in text) == (1, True), text
    judgement = json.loads((tmp_path / "report" / "judgement.json").read_text())
    passes = [v for v in judgement["verdicts"] if v["target"] == "train-001" and v["outcome"] == "pass"]
    ledger = Ledger(f"sqlite:///{tmp_path / 'ledger.db'}")
    recorded = [event.subject for event in ledger.history("train-001") if event.outcome == "pass"]
    assert recorded == [verdict["check"] for verdict in passes]
    assert all(verdict["says"] for verdict in passes)


def test_gate_dry_run_changes_nothing(evidence, slurm, tmp_path: Path, capsys) -> None:
    code, text = call(capsys, "gate", SITE, "--work", str(tmp_path), "--dry-run")
    assert code == 0, text
    assert slurm.changes == []
    ledger = Ledger(f"sqlite:///{tmp_path / 'ledger.db'}")
    assert not [event for event in ledger.history("train-001") if event.kind == "decision"]
    assert not (tmp_path / "report").exists()


def test_gate_refuses_a_node_without_evidence(evidence, slurm, tmp_path: Path, capsys) -> None:
    code, text = call(capsys, "gate", SITE, "--work", str(tmp_path), "--nodes", "train-003", "--format", "json")
    [decision] = json.loads(text)["decisions"]
    assert (code, decision["node"], decision["accepted"]) == (1, "train-003", False)


def test_gate_says_when_slurm_does_not_answer(evidence, slurm, tmp_path: Path, monkeypatch, capsys) -> None:
    def dead(_argv):
        raise OutsideError("10.64.0.16 does not answer on port 22: check the host")

    monkeypatch.setattr(ssh_runner, "runner", lambda _access, _address: dead, raising=False)
    assert main(["gate", SITE, "--work", str(tmp_path)]) == 1
    assert "does not answer" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("wrong", "near"), [("gpu.cout", "gpu.count"), ("row_remaps", "gpu.row_remap"), ("pcie.with", "pcie.width")]
)
def test_explain_suggests_the_nearest_check(wrong: str, near: str, capsys) -> None:
    assert main(["explain", wrong]) == 2
    assert f"did you mean {near}?" in capsys.readouterr().err


def test_explain_prints_the_text(capsys) -> None:
    code, text = call(capsys, "explain", "fabric.cabling")
    assert code == 0
    assert text.startswith("# fabric.cabling: ")
    assert "## What to do next" in text


def test_explain_lists_all_checks(capsys) -> None:
    _, text = call(capsys, "explain", "--format", "json")
    assert set(json.loads(text)["checks"]) == set(build.judge.load_checks())


def test_gate_refuses_evidence_that_is_too_old(evidence, slurm, tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.setattr(site_job, "now", lambda: parse_time("2026-12-21T10:00:00+00:00"))
    code, text = call(capsys, "gate", SITE, "--work", str(tmp_path), "--dry-run")
    assert code == 1
    assert "evidence.age: evidence of 2026-11-21, 30.1 days old, 7 allowed: collect again" in text


def test_gate_says_what_is_open_for_racks_fabrics_and_the_site(evidence, slurm, tmp_path: Path, capsys) -> None:
    break_one(evidence)
    _, text = call(capsys, "gate", SITE, "--work", str(tmp_path), "--format", "json")
    groups = {(group["gate"], group["group"]): group for group in json.loads(text)["groups"]}
    assert groups["rack", "train-r01"]["open"] is False
    assert groups["rack", "train-r01"]["reason"] == "50 % of 2 covered nodes passed, 75 % required"
    assert groups["handover", "h100-pod"]["passed"] == 1
    assert "planned cables" in groups["fabric", "compute"]["reason"] or groups["fabric", "compute"]["covered"] == 2


def test_a_repaired_part_must_pass_again_on_newer_evidence(
    evidence, slurm, tmp_path: Path, monkeypatch, capsys
) -> None:
    healthy_node = evidence["train-002"]
    serial = healthy_node.records[build.Accelerators].devices[3].serial
    evidence["train-002"] = replace(healthy_node, records=dict(healthy_node.records))
    break_one(evidence)
    gate_again = ("gate", SITE, "--work", str(tmp_path), "--nodes", "train-002")
    assert call(capsys, *gate_again)[0] == 1
    mended = [
        "--node",
        "train-002",
        "--serial",
        serial,
        "--action",
        "reset",
        "--by",
        "B",
        "--at",
        "2026-11-21T09:30",
    ]
    monkeypatch.setattr(repair, "now", lambda: "2026-11-21T10:00:00+00:00")
    _, text = call(capsys, "repair", SITE, "--work", str(tmp_path), *mended)
    assert "must pass again, on evidence newer than this: gpu.row_remap" in text
    evidence["train-002"] = healthy_node
    _, text = call(capsys, *gate_again)
    assert f"repair.rejoin: GPU 3 (serial {serial}): gpu.row_remap passes on evidence that is not newer" in text
    evidence["train-002"] = replace(healthy_node, taken="2026-11-21T09:45:00+00:00", dated={})
    code, text = call(capsys, *gate_again)
    assert (code, "1 of 1 nodes accepted" in text) == (0, True), text
    listed = ("repair", SITE, "--work", str(tmp_path), "--list", "--serial", serial, "--format", "json")
    events = json.loads(call(capsys, *listed)[1])["events"]
    assert [event["what"] for event in events] == ["failed", "repaired", "passed", "passed", "seen"]
    assert {event["check"] for event in events if event["what"] == "passed"} == {"gpu.row_remap", "repair.rejoin"}


def test_gate_refuses_a_node_that_isolation_blamed(evidence, slurm, tmp_path: Path, capsys) -> None:
    rail = {"kind": "rail", "names": ["train-002/mlx5_4"], "node": "train-002", "probability": 0.999}
    result = {"run": "r1", "taken": "2026-11-21T08:00:00+00:00", "fabric": "compute", "found": [rail], "complete": True}
    result |= {"faulty": ["train-002"], "cleared": ["train-001"], "unsettled": [], "uncovered": []}
    with collect.Store(tmp_path / "evidence").begin({"purpose": "group"}, parse_time(result["taken"])) as recording:
        recording.note({"kind": ISOLATION, "result": result})
    code, text = call(capsys, "gate", SITE, "--work", str(tmp_path), "--format", "json")
    document = json.loads(text)
    refused = {decision["node"]: decision["reason"] for decision in document["decisions"] if not decision["accepted"]}
    assert code == 1
    assert list(refused) == ["train-002"]
    assert "blames rail train-002/mlx5_4" in refused["train-002"]
    assert "train-002/mlx5_4" in Path(document["report"]).read_text(encoding="utf-8")
