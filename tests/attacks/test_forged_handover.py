"""Judgements, pages and bundles that somebody forged, as a user comes to them: none is signed, and none is verified."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from rackwright.cli.main import main
from rackwright.twin.hosts import namespaces
from tests import build
from tests.handovers import NODES, SITE, call, fill, forged, newest_bundle, verify
from tests.rotation import of_this_run

HOSTILE = "pod\nsigned by key TRUSTED\x1b[2Aall good\u202egnihton"


def test_what_a_bundle_says_prints_as_text(handed_over: Path, capsys, monkeypatch) -> None:
    """Neither another line, nor a moved cursor, nor a turned direction of writing."""
    from rackwright.flow import signed_bundle

    facts = signed_bundle._facts
    monkeypatch.setattr(
        signed_bundle, "_facts", lambda *arguments: facts(*arguments).model_copy(update={"site": HOSTILE})
    )
    assert call(capsys, "attest", SITE, "--work", str(handed_over))[0] == 0
    folder = newest_bundle(handed_over)
    (folder / f"more{HOSTILE}").write_text("x")
    _, refused = verify(capsys, folder)
    (folder / f"more{HOSTILE}").unlink()
    code, text = verify(capsys, folder)
    assert code == 0, text
    for printed in (text, refused):
        assert not [line for line in printed.splitlines() if line.startswith("signed by key TRUSTED")]
        assert not {"\x1b", "\u202e"} & set(printed)
        assert r"\nsigned by key TRUSTED\x1b[2Aall good\u202egnihton" in printed


def test_a_changed_verdict_changed_evidence_and_another_key_are_found(handed_over: Path, capsys) -> None:
    folder = newest_bundle(handed_over)
    assert main(["keygen", str(handed_over / "other")]) == 0
    code, text = call(capsys, "verify", str(folder), "--key", str(handed_over / "other.pub"))
    assert (code, "which nobody has whom you trust" in text) == (1, True)
    judged = folder / "report" / "judgement.json"
    judged.write_text(judged.read_text().replace('"outcome": "pass"', '"outcome": "fail"', 1))
    code, text = verify(capsys, folder)
    assert (code, "judgement.json: the file was changed" in text) == (1, True), text


def accept_all(judgement: dict) -> None:
    for decision in judgement["decisions"]:
        decision.update(accepted=not decision["accepted"], blocking=[], reason="passes")


def change_outcome(judgement: dict) -> None:
    first = judgement["verdicts"][0]
    first["outcome"] = "fail" if first["outcome"] == "pass" else "pass"


def add_node(judgement: dict) -> None:
    judgement["decisions"].append(judgement["decisions"][0] | {"node": "train-003"})


def add_waiver(judgement: dict) -> None:
    row = {"check": "gpu.ecc", "node": "train-001", "reason": "x", "by": "A. Person", "until": "2027-01-31"}
    judgement["waivers"].append(row)


def add_repair(judgement: dict) -> None:
    event = {
        "serial": "1",
        "kind": "device",
        "place": "GPU 3",
        "node": "train-001",
        "what": "repaired",
        "at": "2026-11-21T09:30:00+00:00",
    }
    for events in (judgement["part_events"], judgement["record"]["history"]):
        events.append(event | {"action": "clear"})


FORGERIES = [
    (add_repair, "GPU 3 (serial 1) repaired at 2026-11-21T09:30:00+00:00 stands only in the judgement"),
    (accept_all, "train-001 was"),
    (change_outcome, "judged again it is"),
    (add_node, "decided again it is not decided"),
    (lambda judgement: judgement["decisions"][0].update(node="ghost"), "ghost is no machine of the site"),
    (lambda judgement: judgement["record"]["nodes"].append("ghost"), "ghost is no machine of the site"),
    (add_waiver, "the waiver of gpu.ecc on train-001 stands only in the judgement"),
    (lambda judgement: judgement.update(created="2031-01-01T00:00:00+00:00"), "was accepted"),
    (lambda judgement: judgement["verdicts"].pop(), "judged again it is"),
    (lambda judgement: judgement["groups"].pop(), "decided again there are"),
    (lambda judgement: judgement["groups"][0].update(open=not judgement["groups"][0]["open"]), "with other numbers"),
    (lambda judgement: judgement["record"]["jobs"].append("all ran"), "the page is not the one of this judgement"),
]


@pytest.mark.parametrize(("forge", "words"), of_this_run(FORGERIES, 2))
def test_a_forged_judgement_is_not_signed(handed_over: Path, capsys, forge, words: str) -> None:
    forged(handed_over, forge)
    code, text = call(capsys, "attest", SITE, "--work", str(handed_over))
    assert (code, words in text) == (1, True), text


def test_a_forged_judgement_that_somebody_signed_is_found(handed_over: Path, capsys, monkeypatch) -> None:
    """Somebody with the key, and with a program that signs anything."""
    from rackwright.flow import repeat_judgement

    forged(handed_over, accept_all)
    with monkeypatch.context() as careless:
        careless.setattr(repeat_judgement, "differences", lambda *_: [])
        assert call(capsys, "attest", SITE, "--work", str(handed_over))[0] == 0
    assert verify(capsys, newest_bundle(handed_over))[0] == 0
    code, text = verify(capsys, newest_bundle(handed_over), "--rejudge")
    assert (code, "train-001 was" in text, "decided again it is" in text) == (1, True, True), text


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"{", b'{"schema": "rackwright.judgement/3"}', b"[" * 100_000, b"\xff", b'{"schema": []}']
)
def test_a_judgement_that_is_malformed_is_no_bug(handed_over: Path, capsys, content: bytes) -> None:
    (handed_over / "report" / "judgement.json").write_bytes(content)
    code, text = call(capsys, "attest", SITE, "--work", str(handed_over))
    assert code in (1, 2), text


def test_what_changed_since_the_judgement_is_not_signed(handed_over: Path, capsys) -> None:
    [index] = (handed_over / "evidence" / "runs").glob("*.jsonl")
    index.write_bytes(index.read_bytes().replace(b'"rc":0', b'"rc":1', 1))
    code, text = call(capsys, "attest", SITE, "--work", str(handed_over))
    assert (code, "the entry was changed after it was written" in text) == (1, True), text


def test_a_site_that_changed_is_not_signed(handed_over: Path, tmp_path: Path, capsys) -> None:
    (tmp_path / "site.yaml").write_text(build.EXAMPLE.read_text() + "# a word more\n")
    code, text = call(capsys, "attest", str(tmp_path), "--work", str(handed_over))
    assert (code, "the site file or a part of it changed since the judgement" in text) == (1, True), text


def test_every_part_of_a_handover_that_is_tampered_with_is_named(handed_over: Path, capsys) -> None:
    """Site, limits, catalogues, evidence, verdicts, report, key and envelope: one byte of each."""
    folder = newest_bundle(handed_over)
    objects = sorted((folder / "evidence" / "objects").rglob("*.gz"))
    regions = [
        folder / "site" / "site.yaml",
        folder / "policy" / "gates.yaml",
        folder / "policy" / "limits" / "xid.yaml",
        folder / "policy" / "xid" / "nvlink5.yaml",
        next((folder / "evidence" / "runs").glob("*.jsonl")),
        objects[0],
        folder / "report" / "judgement.json",
        folder / "report" / "index.html",
        folder / "report" / "report.pdf",
        folder / "signing-key.pub.pem",
        folder / "attestation.dsse.json",
    ]
    for path in regions:
        original = path.read_bytes()
        middle = len(original) // 2
        path.write_bytes(original[:middle] + bytes([original[middle] ^ 1]) + original[middle + 1 :])
        code, text = verify(capsys, folder)
        assert (code, path.name in text) == (1, True), text
        path.write_bytes(original)
    first, second = objects[0].read_bytes(), objects[1].read_bytes()
    objects[0].write_bytes(second)
    objects[1].write_bytes(first)
    code, text = verify(capsys, folder)
    assert (code, objects[0].name in text, objects[1].name in text) == (1, True, True)
    objects[0].write_bytes(first)
    objects[1].write_bytes(second)
    assert verify(capsys, folder)[0] == 0


EDITED = [
    ("report/index.html", "the page is not the one of this judgement"),
    ("report/report.pdf", "the page is not the one of this judgement"),
    ("report/junit.xml", "the page is not the one of this judgement"),
    ("report/notes.txt", "the gate did not write this file"),
    ("isolation/i-1.json", "a result of isolation that no evidence holds"),
]


@pytest.mark.parametrize(("name", "words"), of_this_run(EDITED, 1))
def test_a_page_that_was_edited_and_a_file_that_was_added_are_not_signed(
    handed_over: Path, capsys, name: str, words: str
) -> None:
    path = handed_over / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes((path.read_bytes() if path.exists() else b"") + b" all good ")
    code, text = call(capsys, "attest", SITE, "--work", str(handed_over))
    assert (code, words in text) == (1, True), text


DECIDING = [
    ("gates_sha256", "the gates changed since the judgement"),
    ("isolation_sha256", "the results of isolation changed since the judgement"),
    ("package_sha256", "the program changed since the judgement"),
]


@pytest.mark.parametrize(("subject", "words"), of_this_run(DECIDING, 1))
def test_what_decides_is_the_same_when_it_is_signed(handed_over: Path, capsys, subject: str, words: str) -> None:
    judged = handed_over / "report" / "judgement.json"
    judgement = json.loads(judged.read_text())
    judgement["basis"][subject] = "0" * 64
    judged.write_text(json.dumps(judgement))
    code, text = call(capsys, "attest", SITE, "--work", str(handed_over))
    assert (code, words in text) == (1, True), text


@pytest.fixture
def rehearsed(tmp_path: Path, monkeypatch, cluster) -> Path:
    """A workspace with evidence of a twin, and a key."""
    assert main(["keygen", str(tmp_path / "key")]) == 0
    monkeypatch.setenv("RACKWRIGHT_SIGNING_KEY", str(tmp_path / "key"))
    fill(tmp_path / "evidence", datetime(2026, 11, 21, 9, tzinfo=UTC), twin="builder-0123")
    return tmp_path


def test_evidence_of_a_twin_decides_nothing_of_real_machines(rehearsed: Path, capsys) -> None:
    argv = ("gate", SITE, "--work", str(rehearsed), "--nodes", ",".join(NODES))
    code, text = call(capsys, *argv, "--sign")
    assert (code, "holds evidence of the twin builder-0123" in text) == (2, True), text
    assert call(capsys, *argv, "--dry-run")[0] == 0


def test_a_rehearsal_that_says_that_it_is_none_is_not_signed(rehearsed: Path, monkeypatch, capsys) -> None:
    monkeypatch.setenv(namespaces.MARK, "builder-0123")
    call(capsys, "gate", SITE, "--work", str(rehearsed), "--nodes", ",".join(NODES))
    monkeypatch.delenv(namespaces.MARK)
    judged = rehearsed / "report" / "judgement.json"
    judged.write_text(judged.read_text().replace('"rehearsal": true', '"rehearsal": false'))
    code, text = call(capsys, "attest", SITE, "--work", str(rehearsed))
    assert (code, "the evidence comes from the twin builder-0123" in text) == (1, True), text
