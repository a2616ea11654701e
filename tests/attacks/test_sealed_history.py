"""Repairs and results of isolation that no evidence holds, or that were changed in it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from rackwright.base.errors import ProblemsError
from rackwright.collect import Store
from rackwright.collect.store.closing_entries import ISOLATION, seal_repair
from rackwright.flow import sealed_history
from rackwright.ledger import Ledger
from rackwright.model.isolation import Isolated
from rackwright.model.repair import PartEvent
from tests.handovers import NODES, SITE, call

NOW = datetime(2026, 11, 21, 9, tzinfo=UTC)
REPAIR = PartEvent(serial="S3", kind="device", place="GPU 3", node="train-001", what="repaired", at="2026-11-21T08:30:00+00:00",
                   action="reset", by="B. Person")  # fmt: skip
RESULT = Isolated(run="r1", taken="2026-11-21T08:00:00+00:00", fabric="compute", found=[], faulty=["train-002"], cleared=[],
                  unsettled=[], uncovered=[], complete=True)  # fmt: skip


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A search that blamed train-002, and a repair."""
    store = Store(tmp_path / "evidence")
    with store.begin({"purpose": "group", "owed": {}}, NOW.replace(hour=8)) as recording:
        recording.note({"kind": ISOLATION, "result": RESULT.model_dump()})
    seal_repair(store, {"site": "h100-pod"}, REPAIR.model_dump(), NOW)
    return store


@pytest.fixture
def ledger(tmp_path: Path):
    opened = Ledger(f"sqlite:///{tmp_path / 'ledger.db'}", lambda: NOW)
    yield opened
    opened.close()


def messages(error: pytest.ExceptionInfo[ProblemsError]) -> list[str]:
    return [problem.message for problem in error.value.problems]


def test_what_is_sealed_is_read(store: Store, tmp_path: Path) -> None:
    history = sealed_history.read_history(store, store.runs(), tmp_path)
    assert (history.isolations, history.repairs) == ([RESULT], [REPAIR])


def test_a_loose_result_is_named(store: Store, tmp_path: Path) -> None:
    (tmp_path / "isolation").mkdir()
    (tmp_path / "isolation" / "r2.json").write_text("garbage")
    with pytest.raises(ProblemsError) as error:
        sealed_history.read_history(store, store.runs(), tmp_path)
    assert (messages(error), error.value.problems[0].place) == (
        ["a result of isolation that no evidence holds"],
        str(tmp_path / "isolation" / "r2.json"),
    )


@pytest.mark.parametrize(
    ("run", "old", "new"),
    [(0, "train-002", "train-001"), (0, '"kind":"isolation"', '"kind":"isolatioN"'), (1, "reset", "clear")],
)
def test_a_conclusion_that_was_edited_is_named(store: Store, run: int, old: str, new: str) -> None:
    path = store.path(store.runs()[run])
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(ProblemsError) as error:
        sealed_history.read_history(store, store.runs())
    assert messages(error) == ["the entry was changed after it was written"]


def test_a_conclusion_that_is_malformed_is_no_bug(store: Store) -> None:
    seal_repair(store, {}, {"serial": 3}, NOW)
    with store.begin({"purpose": "group", "owed": {}}, NOW) as recording:
        recording.note({"kind": ISOLATION, "result": []})
    with pytest.raises(ProblemsError) as error:
        sealed_history.read_history(store, store.runs())
    assert sorted(messages(error)) == ["a repair cannot be read", "the result of an isolation cannot be read"]


def test_a_repair_that_only_the_ledger_has_is_named(store: Store, ledger: Ledger) -> None:
    run = ledger.begin("h100-pod", "gate", {})
    ledger.record_parts(run, [REPAIR, REPAIR.model_copy(update={"action": "clear"})])
    with pytest.raises(ProblemsError) as error:
        sealed_history.part_events(ledger, run, sealed_history.read_history(store, store.runs()))
    [message] = messages(error)
    assert message == "the clear of GPU 3 (serial S3) on 2026-11-21T08:30:00+00:00 by B. Person stands in no evidence"


def test_a_repair_whose_command_was_killed_before_the_ledger_counts_once(store: Store, ledger: Ledger) -> None:
    run = ledger.begin("h100-pod", "gate", {})
    for _ in range(2):
        events = sealed_history.part_events(ledger, run, sealed_history.read_history(store, store.runs()))
        assert [(event.what, event.action) for event in events] == [("repaired", "reset")]


GATE = ("gate", "--nodes", ",".join(NODES))


@pytest.mark.parametrize(
    ("verb", "table", "change"),
    [
        (GATE, "part_events", "at = 'soon'"),
        (("attest",), "part_events", "at = 'soon'"),
        (("attest",), "sightings", "parts = '['"),
        (("attest",), "decisions", "recorded = 'soon'"),
    ],
)
def test_a_row_of_the_ledger_that_cannot_be_read_is_a_finding(handed_over, capsys, verb, table, change):
    with closing(sqlite3.connect(handed_over / "ledger.db")) as raw, raw:
        raw.execute("INSERT INTO part_events (run, serial, kind, place, node, what, at, \"check\", action, \"by\", says) "
                    "SELECT id, 'S', 'device', 'GPU 1', 'train-001', 'failed', started, '', '', '', '' FROM runs LIMIT 1")  # fmt: skip
        raw.execute(f"UPDATE {table} SET {change}")
    code, text = call(capsys, verb[0], SITE, "--work", str(handed_over), *verb[1:])
    assert (code, f"ledger.db: {table}[" in text, "rackwright-bug" in text) == (1, True, False), text
