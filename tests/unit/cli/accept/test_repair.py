from __future__ import annotations

import json
from pathlib import Path

import pytest

from rackwright.cli.accept import repair
from rackwright.cli.main import main
from rackwright.ledger import Ledger
from rackwright.model.repair import Part, PartEvent
from tests import build

SITE = str(build.EXAMPLE)
GPU = Part(serial="S3", kind="device", place="GPU 3", node="train-001")
PARTS = json.dumps([["device", "GPU 3", "S3"], ["bmc", "", "B1"]])
SEEN = "2026-11-20T08:00:00+00:00"


@pytest.fixture
def work(tmp_path: Path, monkeypatch) -> Path:
    monkeypatch.setattr(repair, "now", lambda: "2026-11-21T10:00:00+00:00")
    ledger = Ledger(f"sqlite:///{tmp_path / 'ledger.db'}")
    run = ledger.begin("h100-pod", "gate", {})
    ledger.sight_parts(run, {"train-001": PARTS}, SEEN)
    failed = PartEvent(
        **GPU.model_dump(), what="failed", at="2026-11-20T09:00:00+00:00", check="gpu.ecc", says="2 errors"
    )
    ledger.record_parts(run, [failed])
    twin = ledger.begin("h100-pod", "rehearse", {})
    ledger.record_parts(twin, [failed.model_copy(update={"check": "gpu.count"})])
    ledger.close()
    return tmp_path


def call(capsys, work: Path, *argv: str) -> tuple[int, str]:
    code = main(["repair", SITE, "--work", str(work), *argv])
    printed = capsys.readouterr()
    return code, printed.out + printed.err


def test_a_repair_is_written_down_and_says_what_must_pass_again(work: Path, capsys) -> None:
    argv = ["--node", "train-001", "--serial", "S3", "--action", "reset", "--by", "B. Person", "--format", "json"]
    code, text = call(capsys, work, *argv)
    document = json.loads(text)
    assert (code, document["must_pass_again"]) == (0, ["gpu.ecc"])  # nothing of the twin's
    assert (document["event"]["place"], document["event"]["at"]) == ("GPU 3", "2026-11-21T10:00:00+00:00")
    code, text = call(capsys, work, "--list")
    assert code == 0
    assert "reset by B. Person" in text
    assert text.endswith("3 events\n")  # seen, failed, repaired; the machine itself has no history


def test_the_history_of_the_node_tells_it(work: Path, capsys) -> None:
    call(capsys, work, "--node", "train-001", "--serial", "S3", "--action", "reseat", "--by", "B")
    repairs = [
        repair for repair in Ledger(f"sqlite:///{work / 'ledger.db'}").history("train-001") if repair.kind == "part"
    ]
    assert [(repair.subject, repair.outcome) for repair in repairs][-1] == ("GPU 3 S3", "reseat")


def test_without_a_serial_it_is_the_machine(work: Path, capsys) -> None:
    code, text = call(
        capsys, work, "--node", "train-001", "--action", "reboot", "--by", "B", "--at", "2026-11-21T09:30"
    )
    assert (code, text.splitlines()[0]) == (0, "train-001 (serial B1): reboot on 2026-11-21T09:30:00+00:00, by B")


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["--node", "train-001", "--serial", "S9"], "in train-001 there was: GPU 3 S3, machine B1"),
        (["--node", "train-002"], "does not know the serial of train-002"),
        (["--node", "train-999"], "no node train-999"),
        (["--node", "train-001", "--at", "2026-11-22T10:00"], "is in the future"),
        (["--node", "train-001", "--at", "soon"], "is not an ISO time"),
        (["--node", "train-001", "--by", ""], "needs --by"),
        (["--node", "train-001", "--action", "clear"], "needs --note"),
    ],
)
def test_what_is_not_written_down(work: Path, argv, words: str, capsys) -> None:
    code, text = call(capsys, work, "--action", "reset", "--by", "B", *argv)
    assert (code, words in text) == (2, True), text


def test_a_part_is_sighted_again_only_when_it_moved(work: Path) -> None:
    ledger = Ledger(f"sqlite:///{work / 'ledger.db'}")
    run = ledger.begin("h100-pod", "gate", {})
    here, there = {"train-001": PARTS, "train-003": ""}, {"train-002": json.dumps([["device", "GPU 3", "S3"]])}
    for hour, parts in (
        (8, here),
        (9, there),
        (10, here),
        (11, {"train-001": json.dumps([["bmc", "", "B1"]]), **there}),
    ):
        ledger.sight_parts(run, parts, f"2026-11-21T{hour:02}:00:00+00:00")
    sightings = [event for event in ledger.part_events(run, sightings=True) if event.what == "seen"]
    assert [(event.node, event.time.day, event.time.hour) for event in sightings if event.serial == "S3"] == [
        ("train-001", 20, 8),
        ("train-002", 21, 9),
        ("train-001", 21, 10),  # its parts are those of its last row, and the GPU had been elsewhere
        ("train-002", 21, 11),
    ]
    assert sum(event.serial == "B1" for event in sightings) == 1
    assert [part_event.what for part_event in ledger.part_events(run)] == ["failed"]
    elsewhere = ledger.begin("other-site", "gate", {})
    assert ledger.part_events(elsewhere, sightings=True) == []
