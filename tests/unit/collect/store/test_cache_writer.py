"""What was made of the answers of a run is kept beside them, used as long as the parsers are the same, and proven by them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from rackwright import collect
from rackwright.base.errors import ProblemsError
from rackwright.collect import Store, collector, verify
from rackwright.collect.output import Output
from rackwright.collect.store import cache_format, cache_writer, hash_chain
from rackwright.model.evidence.host import Clock
from tests.unit.cli import evidence_store

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
NODES = {"train-001": {}, "train-002": {"clock": {"offset_seconds": 0.5}}}


@pytest.fixture
def store(tmp_path) -> Store:
    evidence_store.write_run(tmp_path / "evidence", NODES)
    return Store(tmp_path / "evidence")


def raw_outputs(store: Store) -> list:
    [run] = store.runs()
    named = {entry["stdout"] for entry in store.index(run).entries if entry["kind"] == "output"}
    return [store.folder / "objects" / name[:2] / f"{name}.gz" for name in named]


def page_of(store: Store):
    [name] = cache_writer.of(store, store.runs()[0])
    return store.folder / "objects" / name[:2] / f"{name}.gz"


def parsed(store: Store, monkeypatch):
    """The evidence without any page."""
    with monkeypatch.context() as other:
        other.setattr(cache_writer, "fingerprint", lambda: "other parsers")
        return collect.load_merged(store)


def test_evidence_from_pages_is_that_from_raw_outputs(store, monkeypatch) -> None:
    kept, read = collect.load_merged(store), parsed(store, monkeypatch)
    assert [(one.node, dict(one.records), one.raw, one.dated, one.taken) for one in kept.values()] == [
        (one.node, dict(one.records), one.raw, one.dated, one.taken) for one in read.values()
    ]
    assert kept["train-002"].get(Clock).offset_seconds == 0.5


def test_no_raw_output_is_opened_while_the_parsers_are_the_same(store, monkeypatch) -> None:
    for path in raw_outputs(store):
        path.unlink()
    assert collect.load_merged(store)["train-002"].get(Clock).offset_seconds == 0.5
    with pytest.raises(ProblemsError, match="missing"):
        parsed(store, monkeypatch)


def test_other_collectors_parse_for_themselves(store) -> None:
    own = {**collector.library(), "clock": replace(collector.library()["clock"], parse=lambda text: text)}
    seen = collect.load_merged(store, collectors=own)
    assert isinstance(seen["train-001"].records[Clock], str)


def test_a_page_that_was_changed_is_found(store) -> None:
    page_of(store).write_bytes(page_of(store).read_bytes()[:-9])
    with pytest.raises(ProblemsError, match="cannot be read"):
        collect.load_merged(store)
    assert "cannot be read" in verify(store)[0].message


def test_a_page_that_does_not_say_what_raw_outputs_say_is_found(store) -> None:
    assert verify(store) == []
    [run] = store.runs()
    whole = list(store.index(run).entries)
    forged = store.objects.get(next(iter(cache_writer.of(store, run)))).replace(b"0.5", b"0.0")
    whole[-2] = {**whole[-2], "pages": {store.objects.put(forged): list(NODES)}}
    store.path(run).write_bytes(b"".join(hash_chain.line(one) for one in sealed(whole)))
    [problem] = verify(store)
    assert "not those of their raw outputs" in problem.message
    assert problem.place.endswith(f":{len(whole) - 1}")


def sealed(entries):
    previous = ""
    for entry in entries:
        plain = {key: value for key, value in entry.items() if key not in {"hash", "previous"}}
        done = hash_chain.seal(plain, previous)
        previous = done["hash"]
        yield done


def test_a_node_of_which_something_newer_is_known_is_parsed(store, tmp_path, monkeypatch) -> None:
    newer = {"train-002": {"clock": {"offset_seconds": 0.25}}}
    evidence_store.write_run(tmp_path / "evidence", newer, "2026-11-22T12:00:00+00:00", ("clock",))
    kept, read = collect.load_merged(store), parsed(store, monkeypatch)
    assert {name: dict(one.records) for name, one in kept.items()} == {n: dict(one.records) for n, one in read.items()}
    assert kept["train-002"].get(Clock).offset_seconds == 0.25


def test_errors_are_kept_as_they_were_told(tmp_path, monkeypatch) -> None:
    store = Store(tmp_path / "evidence")
    header = {"site": "h100-pod", "owed": {"train-001": ["clock", "host"], "train-002": ["clock"]}, "adapters": {}}
    with store.begin(header, NOON) as recording:
        recording.add(Output("train-001", "clock", "", b"no clock", rc=0))
        recording.add(Output("train-002", "clock", "", error="train-002 cannot be reached"))
        cache_writer.keep(store, recording, collector.library())
    kept, read = collect.load_merged(store), parsed(store, monkeypatch)
    assert {name: one.errors for name, one in kept.items()} == {name: one.errors for name, one in read.items()}
    assert {name: set(one.errors) for name, one in kept.items()} == {
        "train-001": {"clock", "host"},
        "train-002": {"clock"},
    }


def test_a_run_that_was_cut_off_has_no_pages(tmp_path) -> None:
    store = Store(tmp_path / "evidence")
    evidence_store.write_run(store.folder, {"train-001": {}})
    [run] = store.runs()
    index = store.path(run)
    index.write_bytes(b"".join(index.read_bytes().splitlines(keepends=True)[:-2]))
    assert cache_writer.of(store, run) == {}
    assert collect.load_merged(store)["train-001"].get(Clock) is not None
    assert verify(store) == []


def test_a_page_with_a_column_too_short_is_refused(store) -> None:
    [run] = store.runs()
    content = store.objects.get(next(iter(cache_writer.of(store, run))))
    lines = content.split(b"\n")
    place = next(i for i, line in enumerate(lines) if line.startswith(b"offset_seconds"))
    lines[place] += b"\t[1.0]"
    for damaged in (lines, lines[:place]):
        with pytest.raises(ValueError, match="another number of rows"):
            cache_format.Page(b"\n".join(damaged), collector.library(), "")
