import gzip
import json
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest

from rackwright.base.errors import OutsideError
from rackwright.collect import Store, verify
from rackwright.collect.output import Output
from rackwright.collect.store.hash_chain import digest
from rackwright.collect.transports import replay
from tests.patience import PATIENCE

NOW = datetime(2026, 11, 21, 8, 0, tzinfo=UTC)
HEADER = {"site": "h100-pod", "owed": {"train-001": ["clock"]}, "adapters": {}}

KILLED = """
import os, signal, sys
from datetime import UTC, datetime
from pathlib import Path
from rackwright.collect import Store
from rackwright.collect.output import Output
recording = Store(Path(sys.argv[1])).begin({"site": "h100-pod", "owed": {}, "adapters": {}}, datetime.now(UTC))
recording.add(Output("train-001", "clock", "", b"kept", rc=0))
os.kill(os.getpid(), signal.SIGKILL)
"""


def output(node="train-001", stdout=b"raw output\n", **fields):
    return Output(node=node, collector="clock", subject="", stdout=stdout, rc=0, **fields)


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "evidence")


def record(store, *outputs, now=NOW):
    with store.begin(HEADER, now) as recording:
        for stored_output in outputs:
            recording.add(stored_output)
    return recording.run


def lines(store, run):
    return store.path(run).read_bytes().splitlines(keepends=True)


def test_what_is_added_comes_back_byte_by_byte(store):
    wild = output(
        stdout=bytes(range(256)),
        stderr=b"warning\n",
        seconds=1.5,
        tool="chronyc 4.3",
        clock="2026-11-21T08:00:01+00:00",
    )
    failed = Output("train-002", "clock", "", error="train-002 cannot be reached")

    run = record(store, wild, failed)

    assert [stored_output for stored_output, _ in replay.outputs(store, run)] == [wild, failed]
    assert [raw for _, raw in replay.outputs(store, run)] == [digest(bytes(range(256))), digest(b"")]
    assert verify(store) == []


def test_nobody_else_may_read_it(store):
    run = record(store, output())
    (stored,) = [path for path in store.folder.rglob("*.gz") if gzip.decompress(path.read_bytes())]
    assert store.path(run).stat().st_mode & 0o077 == 0
    assert stored.stat().st_mode & 0o077 == 0


def test_equal_outputs_are_kept_once(store):
    record(store, output("train-001"), output("train-002"))
    assert len(list(store.folder.rglob("*.gz"))) == 2  # the output, and the empty standard error


def test_raw_bytes_are_there_before_the_entry(store, monkeypatch):
    index_lines = []
    recording = store.begin(HEADER, NOW)
    append = recording._append
    monkeypatch.setattr(
        recording, "_append", lambda entry: (index_lines.append(store.objects.get(entry["stdout"])), append(entry))
    )
    recording.add(output(stdout=b"first"))
    assert index_lines == [b"first"]


def test_runs_sort_by_time_and_the_newest_is_the_default(store):
    earlier = record(store, now=NOW)
    later = record(store, now=NOW + timedelta(minutes=1))
    assert store.runs() == [earlier, later]
    assert store.latest() == later


def test_runs_of_one_second_are_in_the_order_in_which_they_began(store, monkeypatch):
    numbers = iter([9, 1, 5])
    monkeypatch.setattr("secrets.randbelow", lambda _: next(numbers))
    runs = [record(store, output(), now=NOW) for _ in range(3)]
    assert store.runs() == runs
    assert verify(store) == []
    store.path(runs[1]).unlink()
    assert "removed" in verify(store)[0].message


def test_a_run_that_would_count_as_older_than_the_last_one_does_not_begin(store):
    last = record(store, now=NOW + timedelta(days=1500))
    with pytest.raises(OutsideError, match=f"{last}.jsonl began after the clock of this machine.*set the clock"):
        record(store, now=NOW)
    assert store.runs() == [last]


def test_a_run_from_another_store_is_found(store, tmp_path):
    record(store, output())
    elsewhere = Store(tmp_path / "elsewhere")
    run = record(elsewhere, output(), now=NOW + timedelta(minutes=1))
    store.path(run).write_bytes(elsewhere.path(run).read_bytes())
    assert "one of them was added" in verify(store)[0].message


def test_a_store_without_runs_and_a_run_that_is_not_there_are_said(store):
    with pytest.raises(OutsideError, match="run `rackwright collect` first"):
        store.latest()
    record(store)
    with pytest.raises(OutsideError, match="holds no run 'nope'"):
        store.index("nope")


def test_kill_9_leaves_whatever_was_added_and_the_next_run_goes_on(store):
    process = subprocess.run([sys.executable, "-c", KILLED, str(store.folder)], timeout=PATIENCE, check=False)
    assert process.returncode == -signal.SIGKILL

    run = store.latest()
    assert [stored_output.stdout for stored_output, _ in replay.outputs(store, run)] == [b"kept"]
    record(store, output(), now=datetime.now(UTC) + timedelta(seconds=2))
    assert verify(store) == []


@pytest.mark.parametrize("remainder", [1, 40, -1])
def test_a_torn_last_line_is_ignored_and_reported(store, remainder):
    run = record(store, output("train-001"), output("train-002"))
    content = lines(store, run)
    store.path(run).write_bytes(b"".join(content[:2]) + content[2][:remainder])

    index = store.index(run)

    assert [stored_output.node for stored_output, _ in replay.outputs(store, run)] == ["train-001"]
    assert "cut off by a crash" in index.torn
    assert verify(store) == []


def change_a_value(store, run):
    text = store.path(run).read_text()
    store.path(run).write_text(text.replace('"rc":0', '"rc":1', 1))


def remove_an_entry(store, run):
    store.path(run).write_bytes(b"".join(lines(store, run)[:1] + lines(store, run)[2:]))


def swap_entries(store, run):
    first, second, *later = lines(store, run)[1:]
    store.path(run).write_bytes(b"".join([lines(store, run)[0], second, first, *later]))


def garble_a_line(store, run):
    store.path(run).write_bytes(b"".join([lines(store, run)[0], b"garbage\n", *lines(store, run)[2:]]))


def add_after_the_end(store, run):
    last = json.loads(lines(store, run)[-1])
    from rackwright.collect.store import hash_chain

    forged = hash_chain.line(hash_chain.seal({"kind": "output"}, last["hash"]))
    store.path(run).write_bytes(store.path(run).read_bytes() + forged)


def add_bytes_after_the_end(store, run):
    store.path(run).write_bytes(store.path(run).read_bytes() + b'{"kind":')


def take_bytes_of_no_index_for_it(store, run):
    store.path(run).write_bytes(bytes(range(256)))


def rewrite_raw_output(store, run):
    entry = json.loads(lines(store, run)[1])
    path = store.folder / "objects" / entry["stdout"][:2] / f"{entry['stdout']}.gz"
    path.write_bytes(gzip.compress(b"something nicer"))


def remove_raw_output(store, run):
    entry = json.loads(lines(store, run)[1])
    (store.folder / "objects" / entry["stdout"][:2] / f"{entry['stdout']}.gz").unlink()


def cut_raw_output(store, run):
    entry = json.loads(lines(store, run)[1])
    path = store.folder / "objects" / entry["stdout"][:2] / f"{entry['stdout']}.gz"
    path.write_bytes(path.read_bytes()[:-9])


def take_another_run_for_it(store, run):
    second = record(store, output("train-009"), now=NOW + timedelta(hours=1))
    store.path(second).replace(store.path(run))


def empty_the_file(store, run):
    store.path(run).write_bytes(b"")


@pytest.mark.parametrize(
    "tamper",
    [change_a_value, remove_an_entry, swap_entries, garble_a_line, add_after_the_end, add_bytes_after_the_end, take_bytes_of_no_index_for_it, rewrite_raw_output, remove_raw_output,
     cut_raw_output, take_another_run_for_it, empty_the_file],
)  # fmt: skip
def test_a_change_is_found(store, tamper):
    run = record(store, output("train-001", b"one"), output("train-002", b"two"))
    record(store, now=NOW + timedelta(minutes=1))
    assert verify(store) == []

    tamper(store, run)

    problems = verify(store)
    assert problems
    assert all(problem.code == "evidence.changed" for problem in problems)
    assert str(store.path(run)) in problems[0].place


def test_a_run_that_disappeared_or_was_cut_short_is_missed_by_the_next(store):
    first = record(store, output())
    record(store, output(), now=NOW + timedelta(minutes=1))
    content = store.path(first).read_bytes()

    store.path(first).write_bytes(b"".join(lines(store, first)[:1]))
    assert "cut short" in verify(store)[0].message
    store.path(first).unlink()
    assert "removed" in verify(store)[0].message
    store.path(first).write_bytes(content)
    assert verify(store) == []


def test_a_hash_that_leads_elsewhere_is_not_followed(store):
    with pytest.raises(ValueError, match="is not a hash"):
        store.objects.get("../../../../etc/passwd")
