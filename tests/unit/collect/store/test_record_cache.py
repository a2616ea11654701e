"""What was made of the answers of a run is kept beside them, used as long as the parsers are the same, and proven by them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO

import polars as pl
import pytest

from rackwright import collect
from rackwright.base.errors import ProblemsError
from rackwright.collect import Store, collector, verify
from rackwright.collect.output import Output
from rackwright.collect.store import hash_chain, record_cache, runs
from rackwright.collect.store.record_table import RecordTable, parquet
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
    hashes = {entry["stdout"] for entry in store.index(run).entries if entry["kind"] == "output"}
    return [store.folder / "objects" / name[:2] / f"{name}.gz" for name in hashes]


def table_of(store: Store, name: str = "clock"):
    content = record_cache.tables(store, store.runs()[0], collector.library())[name]
    return store.folder / "objects" / content[:2] / f"{content}.gz"


def parsed(store: Store, monkeypatch):
    """The evidence without any table."""
    with monkeypatch.context() as changed_parsers:
        changed_parsers.setattr(record_cache, "fingerprint", lambda _: "other parsers")
        return collect.load_merged(store)


def test_evidence_from_tables_is_that_from_raw_outputs(store, monkeypatch) -> None:
    from_tables, read = collect.load_merged(store), parsed(store, monkeypatch)
    assert [
        (entry.node, dict(entry.records), entry.raw, entry.dated, entry.taken) for entry in from_tables.values()
    ] == [(entry.node, dict(entry.records), entry.raw, entry.dated, entry.taken) for entry in read.values()]
    assert from_tables["train-002"].get(Clock).offset_seconds == 0.5


def test_no_raw_output_is_opened_while_the_parsers_are_the_same(store, monkeypatch) -> None:
    for path in raw_outputs(store):
        path.unlink()
    assert collect.load_merged(store)["train-002"].get(Clock).offset_seconds == 0.5
    with pytest.raises(ProblemsError, match="missing"):
        parsed(store, monkeypatch)


def test_other_collectors_parse_for_themselves(store) -> None:
    collectors = {**collector.library(), "clock": replace(collector.library()["clock"], parse=lambda text: text)}
    evidence = collect.load_merged(store, collectors=collectors)
    assert isinstance(evidence["train-001"].records[Clock], str)


def test_a_table_that_was_changed_is_found(store) -> None:
    table_of(store).write_bytes(table_of(store).read_bytes()[:-9])
    with pytest.raises(ProblemsError, match="cannot be read"):
        collect.load_merged(store)
    assert "cannot be read" in verify(store)[0].message


def test_a_table_that_differs_from_raw_outputs_is_found(store) -> None:
    assert verify(store) == []
    [run] = store.runs()
    entries = list(store.index(run).entries)
    tables = record_cache.tables(store, run, collector.library())
    table = pl.read_parquet(BytesIO(store.objects.get(tables["clock"])))
    forged = table.with_columns(pl.col("record.offset_seconds").str.replace("0.5", "0.0"))
    entries[-2] = {**entries[-2], "tables": {**tables, "clock": store.objects.put(parquet([forged]))}}
    store.path(run).write_bytes(b"".join(hash_chain.line(entry) for entry in sealed(entries)))
    [problem] = verify(store)
    assert "not those of their raw outputs" in problem.message
    assert problem.place.endswith(f":{len(entries) - 1}")


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
    from_tables, read = collect.load_merged(store), parsed(store, monkeypatch)
    assert {name: dict(entry.records) for name, entry in from_tables.items()} == {
        n: dict(entry.records) for n, entry in read.items()
    }
    assert from_tables["train-002"].get(Clock).offset_seconds == 0.25


def test_errors_are_kept_as_they_were_told(tmp_path, monkeypatch) -> None:
    store = Store(tmp_path / "evidence")
    header = {"site": "h100-pod", "owed": {"train-001": ["clock", "host"], "train-002": ["clock"]}, "adapters": {}}
    with store.begin(header, NOON) as recording:
        recording.add(Output("train-001", "clock", "", b"no clock", rc=0))
        recording.add(Output("train-002", "clock", "", error="train-002 cannot be reached"))
        record_cache.keep(store, recording, collector.library())
    from_tables, read = collect.load_merged(store), parsed(store, monkeypatch)
    assert {name: entry.errors for name, entry in from_tables.items()} == {
        name: entry.errors for name, entry in read.items()
    }
    assert {name: set(entry.errors) for name, entry in from_tables.items()} == {
        "train-001": {"clock", "host"},
        "train-002": {"clock"},
    }


def test_a_run_that_was_cut_off_has_no_tables(tmp_path) -> None:
    store = Store(tmp_path / "evidence")
    evidence_store.write_run(store.folder, {"train-001": {}})
    [run] = store.runs()
    index = store.path(run)
    index.write_bytes(b"".join(index.read_bytes().splitlines(keepends=True)[:-2]))
    assert record_cache.tables(store, run, collector.library()) == {}
    assert collect.load_merged(store)["train-001"].get(Clock) is not None
    assert verify(store) == []


@pytest.mark.parametrize("damage", [b"", b"PAR1", b"{}"])
def test_bytes_that_are_no_table_are_refused(damage) -> None:
    with pytest.raises(ValueError, match="cannot be read"):
        RecordTable("clock", collector.library()["clock"], damage, "")


def test_a_table_without_a_column_is_refused(store) -> None:
    content = store.objects.get(record_cache.tables(store, store.runs()[0], collector.library())["clock"])
    short = parquet([pl.read_parquet(BytesIO(content)).drop("record.offset_seconds")])
    with pytest.raises(ValueError, match="cannot be read"):
        RecordTable("clock", collector.library()["clock"], short, "")


def test_equal_records_give_equal_bytes(store) -> None:
    [name] = store.runs()
    run = runs.run(store, name)
    library = collector.library()
    assert record_cache.tables_anew(store, run, library) == record_cache.tables_anew(store, run, library)


def test_rows_far_apart_are_read_one_by_one(tmp_path) -> None:
    names = [f"train-{number:03d}" for number in range(1, 31)]
    store = Store(tmp_path / "evidence")
    evidence_store.write_run(
        store.folder, {name: {"clock": {"offset_seconds": float(n)}} for n, name in enumerate(names)}
    )
    content = store.objects.get(record_cache.tables(store, store.runs()[0], collector.library())["clock"])
    table = RecordTable("clock", collector.library()["clock"], content, "")
    for requested in ([names[29], names[0]], names[3:9], [names[4], names[6]], []):
        offsets = {entry.machine: entry.reading.value.record.offset_seconds for entry in table.readings(requested)}
        assert offsets == {name: float(names.index(name)) for name in requested}
