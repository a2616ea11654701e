"""The newest reading of every node and collector over several runs."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from rackwright.base.errors import OutsideError, ProblemsError
from rackwright.collect import Store, collector, load, load_merged, opened
from rackwright.collect.collector import ParseError
from rackwright.collect.output import Output
from rackwright.collect.store import hash_chain
from rackwright.model.base import Record
from rackwright.model.evidence.host import Clock
from rackwright.model.evidence.scheduler import SchedulerNode

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


class Result(Record):
    subject: str = ""
    nodes: list[str] = []
    gbps: float


class Results(Record):
    results: list[Result]


def results(output):
    try:
        return Results(results=[Result(gbps=float(output))])
    except ValueError:
        raise ParseError(1, output, "a rate") from None


LIBRARY = {
    **{name: collector.library()[name] for name in ("clock", "scheduler", "services")},
    "pair": collector.Collector(Results, results, 60, ("accelerator",), ("pair",), scope="group", load=True),
    "burn": replace(collector.library()["host"], load=True),
}


def clock(offset, node="train-001", **fields):
    line = f"7F000001,10.64.0.2,9,1.0,{offset},0.1,0.1,0.1,0.1,0.1,0.1,0.1,1.0,Normal\n".encode()
    return Output(node, "clock", "", line, rc=0, **fields)


def slurm(state, node="train-001"):
    text = f"NodeName={node} Arch=x86_64\n   Gres=gpu:8\n   State={state}\n".encode()
    return Output("slurm-01", "scheduler", "", text, rc=0)


def pair(gbps, *nodes, subject=""):
    return Output(nodes[0], "pair", subject or "+".join(nodes), str(gbps).encode(), rc=0, nodes=nodes)


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "evidence")


def record(store, hours, owed, *outputs, purpose="state", cut=False):
    header = {"site": "h100-pod", "owed": owed, "adapters": {}, "purpose": purpose}
    recording = store.begin(header, NOON + timedelta(hours=hours))
    for output in outputs:
        recording.add(output)
    kind = KeyboardInterrupt if cut else None
    recording.__exit__(kind, None, None)
    return recording.run


def merged(store, hours=None):
    oldest = None if hours is None else NOON + timedelta(hours=hours)
    return load_merged(store, oldest=oldest, collectors=LIBRARY)


def test_each_collector_has_its_newest_reading_and_the_node_the_time_of_the_oldest(store):
    record(store, 0, {"train-001": ["clock", "scheduler"]}, clock(0.1), slurm("IDLE"))
    record(store, 2, {"train-001": ["clock"], "train-002": ["clock"]}, clock(0.2), clock(0.3, "train-002"), cut=True)
    evidence = merged(store)
    assert evidence["train-001"].get(Clock).offset_seconds == 0.2
    assert evidence["train-001"].taken == "2026-11-21T14:00:00+00:00"
    assert evidence["train-002"].get(Clock).offset_seconds == 0.3
    record(store, 3, {"train-001": ["clock", "scheduler"]}, slurm("DOWN"), cut=True)
    evidence = merged(store)
    assert evidence["train-001"].get(SchedulerNode).states == ["down"]
    assert evidence["train-001"].get(Clock).offset_seconds == 0.2  # the last run was cut off before it asked
    assert evidence["train-001"].taken == "2026-11-21T14:00:00+00:00"
    assert merged(store) == evidence


def test_an_error_is_an_answer_and_hides_the_good_reading_before_it(store):
    record(store, 0, {"train-001": ["clock"]}, clock(0.1))
    record(store, 1, {"train-001": ["clock"]}, Output("train-001", "clock", "", error="train-001 is dead"))
    evidence = merged(store)["train-001"]
    assert (evidence.get(Clock), evidence.errors) == (None, {"clock": "train-001 is dead"})


def test_what_is_older_than_wanted_is_an_error_and_not_a_gap(store):
    record(store, 0, {"train-001": ["clock"], "train-002": ["clock"]}, clock(0.1), clock(0.2, "train-002"))
    record(store, 2, {"train-001": ["clock"]}, clock(0.3))
    evidence = merged(store, 1)
    assert evidence["train-001"].get(Clock).offset_seconds == 0.3
    assert evidence["train-002"].get(Clock) is None
    assert (
        "is of 2026-11-21T12:00:00+00:00, older than 2026-11-21T13:00:00+00:00" in evidence["train-002"].errors["clock"]
    )


def test_a_burn_in_adds_to_the_state_and_is_not_the_newest_state(store):
    state = record(store, 0, {"train-001": ["clock"]}, clock(0.1))
    record(store, 1, {"train-001": ["burn"]}, Output("train-001", "burn", "", error="too hot"), purpose="load")
    evidence = merged(store)["train-001"]
    assert (evidence.get(Clock).offset_seconds, evidence.errors) == (0.1, {"burn": "too hot"})
    assert store.latest() == state
    assert load(store, collectors=LIBRARY)["train-001"].errors == {}
    assert store.latest("load") != state


def test_a_node_has_the_results_of_its_newest_tests_with_who_took_part(store):
    nodes = {node: ["pair"] for node in ("a", "b", "c", "d")}
    record(store, 0, nodes, pair(10, "a", "b"), pair(20, "c", "d"), purpose="group")
    record(
        store,
        1,
        {"a": ["pair"], "c": ["pair"]},
        pair(30, "a", "c"),
        pair("?", "a", "c", subject="again"),
        purpose="group",
    )
    evidence = merged(store)
    assert evidence["a"].get(Results).results == [Result(subject="a+c", nodes=["a", "c"], gbps=30)]
    assert "again: output cannot be read" in evidence["a"].errors["pair"]
    assert [result.gbps for result in evidence["b"].get(Results).results] == [10]
    assert [result.gbps for result in evidence["d"].get(Results).results] == [20]
    record(store, 2, {"e": ["pair"]}, purpose="group", cut=True)
    assert "took part in no test" in merged(store)["e"].errors["pair"]


def test_what_a_node_no_longer_owes_is_not_missed(store):
    record(store, 0, {"train-001": ["clock", "services"]}, clock(0.1))
    record(store, 1, {"train-001": ["clock", "gone"]}, clock(0.1))
    assert merged(store)["train-001"].errors == {}


def test_changed_bytes_of_any_run_that_counts_are_refused(store):
    record(store, 0, {"train-001": ["clock"], "train-002": ["clock"]}, clock(0.1), clock(0.2, "train-002"))
    record(store, 1, {"train-001": ["clock"]}, clock(0.1))
    for path in (store.folder / "objects").rglob("*.gz"):
        path.write_bytes(b"")
    with pytest.raises(ProblemsError, match="the raw output"):
        merged(store)


def test_an_empty_store_has_a_next_step(store):
    with pytest.raises(OutsideError, match="rackwright collect"):
        merged(store)


def test_evidence_in_parts_is_the_evidence_as_a_whole(store):
    nodes = [f"train-{number:03d}" for number in range(1, 7)]
    answers = [clock(0.1 if number % 2 else number, node) for number, node in enumerate(nodes)]
    record(store, 0, {node: ["clock", "scheduler"] for node in nodes}, *answers, slurm("IDLE", nodes[0]))
    reader = opened(store, collectors=LIBRARY)
    assert reader.nodes == tuple(nodes)
    parts = {**reader.read(nodes[:2]), **reader.read(nodes[2:])}
    assert parts == merged(store)
    assert parts[nodes[0]].get(SchedulerNode).states == ["idle"]


def test_equal_outputs_are_parsed_once_and_differ_in_their_time(store):
    parsed = []

    def count(output):
        parsed.append(output)
        return LIBRARY["clock"].parse(output)

    library = {**LIBRARY, "clock": replace(LIBRARY["clock"], parse=count)}
    record(store, 0, {"train-001": ["clock"]}, clock(0.1))
    record(store, 1, {"train-002": ["clock"], "train-003": ["clock"]}, clock(0.1, "train-002"), clock(0.2, "train-003"))
    evidence = load_merged(store, collectors=library)
    assert len(parsed) == 2
    assert [evidence[node].taken[11:13] for node in ("train-001", "train-002", "train-003")] == ["12", "13", "13"]
    assert evidence["train-001"].get(Clock) == evidence["train-002"].get(Clock) != evidence["train-003"].get(Clock)


def test_runs_that_no_evidence_depends_on_are_not_read(store, monkeypatch):
    first = record(store, 0, {"train-001": ["clock"]}, clock(0.1))
    test = record(store, 1, {"train-001": ["burn"]}, Output("train-001", "burn", "", error="too hot"), purpose="load")
    record(store, 2, {"train-001": ["clock"], "train-002": ["clock"]}, clock(0.2), clock(0.3, "train-002"))
    read = []
    index = Store.index
    monkeypatch.setattr(Store, "index", lambda self, run: read.append(run) or index(self, run))
    assert merged(store)["train-001"].errors == {"burn": "too hot"}
    assert first not in read
    read.clear()
    evidence = merged(store, 1.5)["train-001"]
    assert "is of 2026-11-21T13:00:00+00:00, older than" in evidence.errors["burn"]
    assert evidence.get(Clock).offset_seconds == 0.2
    assert test not in read


def test_a_subnet_or_scheduler_that_is_too_old_is_said_so(store):
    record(store, 0, {"train-001": ["clock", "scheduler"]}, clock(0.1), slurm("IDLE"))
    evidence = merged(store, 1)["train-001"]
    assert set(evidence.errors) == {"clock", "scheduler"}
    assert all("older than" in error for error in evidence.errors.values())


def test_a_run_that_is_removed_while_runs_are_read_is_named(store, monkeypatch):
    record(store, 0, {"train-001": ["clock"]}, clock(0.1))
    monkeypatch.setattr(Store, "runs", lambda self: ["20261121T110000Z-abcdef"])
    with pytest.raises(OutsideError, match="holds no run '20261121T110000Z-abcdef'"):
        merged(store)


@pytest.mark.parametrize("strange", [{"rc": {"not": "a number"}}, {"nodes": 7}, {"stdout": ["no", "hash"]}])
def test_a_sealed_entry_that_is_none_of_ours_is_refused(store, strange):
    run = record(store, 0, {"train-001": ["clock"]}, clock(0.1))
    first, entry, _ = store.index(run).entries
    plain = {key: value for key, value in entry.items() if key not in ("hash", "previous")}
    sealed = hash_chain.seal({**plain, **strange}, str(first["hash"]))
    store.path(run).write_bytes(hash_chain.line(first) + hash_chain.line(sealed))
    with pytest.raises(ProblemsError):
        merged(store)


def test_a_first_entry_that_was_changed_is_refused_and_not_believed(store):
    old = record(store, 0, {"train-001": ["clock"]}, clock(0.1))
    record(store, 2, {"train-002": ["clock"]}, clock(0.2, "train-002"))
    path = store.path(old)
    path.write_text(path.read_text().replace('"train-001":["clock"]', '"train-002":["clock"]', 1))
    for hours in (None, 1):
        with pytest.raises(ProblemsError, match="changed after it was written"):
            merged(store, hours)
