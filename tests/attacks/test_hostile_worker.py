"""Nodes in worker mode that answer to harm whoever onboards them, or each other: each loses its own play."""

from __future__ import annotations

import base64
import io
import json
import sys
import threading
import zipfile
from pathlib import Path

import pytest

from rackwright.base import foreign
from rackwright.onboard import worker_link, worker_stream
from rackwright.onboard.play_results import PlayResults
from rackwright.onboard.worker_bundle import WorkerBundle
from rackwright.onboard.worker_link import WorkerLink

NODE, OTHER = "train-001", "train-002"
EOF = b'{"eof": true}'


def line(**words: object) -> bytes:
    return json.dumps(words).encode() + b"\n"


def ok(host: object = NODE, **more: object) -> bytes:
    data = {"host": host, "task": "act", "play": "site", "res": {}}
    return line(counter=1, uuid="u", event="runner_on_ok", event_data=data, **more)


def stats(host: str) -> bytes:
    return line(counter=2, uuid="v", event="playbook_on_stats", event_data={"ok": {host: 3}, "failures": {}})


def archive(*entries: tuple[zipfile.ZipInfo, str]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as target:
        for entry, content in entries:
            target.writestr(entry, content)
    return line(zipfile=len(packed.getvalue())) + base64.b64encode(packed.getvalue())


def link(name: str, target: str) -> tuple[zipfile.ZipInfo, str]:
    entry = zipfile.ZipInfo(name)
    entry.create_system, entry.external_attr = 3, 0o120777 << 16
    return entry, target


def processed(tmp_path: Path, *parts: bytes) -> tuple[str, PlayResults]:
    tally = PlayResults(lambda _kind, _data: None, "site")
    why = worker_stream.process(io.BytesIO(b"".join(parts)), NODE, tally.handle, tmp_path / "artifacts")
    assert sorted(path.name for path in (tmp_path / "artifacts").iterdir()) == ["events.jsonl", "stdout"]
    return why, tally


def test_an_honest_worker_is_counted_and_kept(tmp_path: Path) -> None:
    empty = archive((zipfile.ZipInfo("stdout"), "x" * 70_000))
    why, tally = processed(
        tmp_path,
        line(status="starting"),
        line(event="keepalive"),
        ok(stdout="ok: [train-001]"),
        stats(NODE),
        empty,
        EOF,
    )
    assert (why, tally.counted(NODE)) == ("", True)
    assert (tmp_path / "artifacts" / "stdout").read_text() == "ok: [train-001]\n"
    assert len((tmp_path / "artifacts" / "events.jsonl").read_text().splitlines()) == 2


def test_an_archive_of_a_node_writes_nothing_here(tmp_path: Path) -> None:
    """Its links led the next file of the same archive to any place of the machine that onboards."""
    outside = tmp_path / "home"
    outside.mkdir()
    bomb = (zipfile.ZipInfo("bomb"), "\0" * (8 << 20))
    sent = archive(link("way", str(outside)), (zipfile.ZipInfo("way/authorized_keys"), "ssh-ed25519 AAAA"), bomb)
    why, _ = processed(tmp_path, sent, ok(), EOF)
    assert why == ""
    assert list(outside.iterdir()) == []


def test_an_event_names_no_file(tmp_path: Path) -> None:
    event = json.loads(ok())
    why, _ = processed(tmp_path, line(**{**event, "uuid": "../../../../evil", "counter": "../x"}), EOF)
    assert why == ""
    assert not list(tmp_path.rglob("*evil*"))


@pytest.mark.parametrize(
    "forged",
    [ok(OTHER), stats(OTHER), line(event="playbook_on_stats", event_data={"ok": {NODE: 1, OTHER: 9}})],
    ids=["a task", "the counts", "counts beside its own"],
)
def test_a_node_does_not_answer_for_another(forged: bytes, tmp_path: Path) -> None:
    why, tally = processed(tmp_path, ok(), forged, EOF)
    assert "an event about 'train-002'" in why
    assert not tally.counted(OTHER)
    assert tally._failures == {}


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        (b"x" * (worker_stream.LINE.bytes + 9), "a line of more than 4 MiB"),
        (b'{"a":' * 100_000, "nests deeper than 64 levels"),
        (b'{"a": [' + b"1," * 500_000 + b"1]}\n", "more than 400,000 values"),
        (b"[]\n", "the node answered with"),
        (b"7\n", "the node answered with"),
        (b'"status"\n', "the node answered with"),
        (b"\xff\xfe\n", "the node answered with"),
        (line(zipfile="many"), "the node answered with"),
        (ok(host=["x"]), "an event about"),
        (line(event="playbook_on_stats", event_data={"ok": {NODE: "many"}}), "the node answered with"),
        (line(event="runner_on_ok", event_data={"host": NODE, "task": {}, "res": 9}), "the node answered with"),
        (line(status="error", job_explanation="no python"), "no python"),
        (b"", worker_stream.ENDED),
    ],
)
def test_what_no_worker_sends_ends_its_play_alone(sent: bytes, words: str, tmp_path: Path) -> None:
    why, _ = processed(tmp_path, sent)
    assert words in why
    assert "\n" not in why


def test_a_stream_that_never_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_stream, "STREAM", foreign.ForeignLimit("test", bytes=1 << 20, seconds=60))
    why, _ = processed(tmp_path, line(event="keepalive") * 60_000)
    assert "more than 1 MiB" in why
    monkeypatch.setattr(worker_stream, "STREAM", foreign.ForeignLimit("test", bytes=1 << 20, seconds=-1))
    assert "takes more than" in processed(tmp_path / "again", line(event="keepalive"))[0]


@pytest.mark.parametrize(
    "greeting",
    [
        b'{"hello": 1}\n',
        b"{" * 100_000,
        b"[" * 70_000,
        b'{"rackwright": "worker"}\n',
        b"{}\n" * 100_000,
        b'{"have": 1}',
    ],
)
def test_a_greeting_that_is_no_answer(greeting: bytes) -> None:
    assert worker_stream.answer(io.BytesIO(greeting)) is None


def test_a_node_that_goes_on_and_on_is_not_listened_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On both of its outputs; nothing of it fills our disk."""
    monkeypatch.setattr(worker_link, "END_SECONDS", 0.5)
    program = """
import json, sys, threading
def errors():
    while True: sys.stderr.write("x" * 60000 + "\\n")
threading.Thread(target=errors, daemon=True).start()
print(json.dumps({"rackwright": "worker", "have": True}), flush=True)
print(json.dumps({"event": "runner_on_ok", "event_data": {"host": "train-002"}}), flush=True)
while True: print("x" * 60000, flush=True)
"""
    monkeypatch.setattr(worker_link, "command", lambda _variables: [sys.executable, "-c", program])
    tally = PlayResults(lambda _kind, _data: None, "site")
    begun = threading.active_count()
    outcome = WorkerLink({"ansible_user": "root", "ansible_host": NODE}).play(
        WorkerBundle(b"", "0" * 64, (3, 7)),
        b"",
        lambda back: worker_stream.process(back, NODE, tally.handle, tmp_path / "artifacts"),
    )
    assert "an event about 'train-002'" in outcome.why
    assert threading.active_count() == begun
