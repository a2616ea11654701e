from datetime import UTC, datetime, timedelta

import pytest

from rackwright.ledger import Ledger, RoleEventStream
from rackwright.ledger.onboarding import BATCH, SECONDS

START = datetime(2026, 11, 21, 8, tzinfo=UTC)


class Book:
    def __init__(self):
        self.commits = []

    def record_roles(self, run, events):
        self.commits.append([event.node for event in events])


@pytest.fixture
def ledger(tmp_path):
    opened = Ledger(f"sqlite:///{tmp_path / 'ledger.db'}", clock=lambda: START)
    yield opened
    opened.close()


def add(stream, node="train-001", role="base", status="ok", changed=(), message=""):
    stream.add(node, role, "Configure", status, 0.5, changed, message)


def test_what_roles_did_is_kept_in_order(ledger):
    run = ledger.begin("h100-pod", "onboard", {})
    with RoleEventStream(ledger, run, now=lambda: START) as stream:
        add(stream, changed=("/etc/hosts", "unit chrony"))
        add(stream, node="train-002", role="dcgm", status="failed", message="no disk")
    first, second = ledger.roles(run)
    assert (first.node, first.role, first.act, first.seconds, first.changed) == (
        "train-001", "base", "Configure", 0.5, ("/etc/hosts", "unit chrony"),
    )  # fmt: skip
    assert (second.status, second.message, second.recorded) == ("failed", "no disk", START)
    assert ledger.roles("another") == []


def test_the_history_of_a_node_has_what_changed_and_what_failed(ledger):
    run = ledger.begin("h100-pod", "onboard", {})
    with RoleEventStream(ledger, run, now=lambda: START + timedelta(seconds=1)) as stream:
        add(stream)
        add(stream, changed=("/etc/hosts",))
        add(stream, role="dcgm", status="failed", message="no disk")
    assert [(entry.kind, entry.subject, entry.outcome, entry.says) for entry in ledger.history("train-001")] == [
        ("role", "base", "changed", "/etc/hosts"), ("role", "dcgm", "failed", "Configure: no disk"),
    ]  # fmt: skip


def test_many_events_are_few_commits():
    book = Book()
    with RoleEventStream(book, "r", clock=lambda: 0.0) as stream:
        for number in range(BATCH * 2 + 1):
            add(stream, node=f"n{number}")
    assert [len(commit) for commit in book.commits] == [BATCH, BATCH, 1]


def test_a_slow_run_is_written_while_it_runs():
    book, moments = Book(), iter([0.0, 1.0, SECONDS + 1, SECONDS + 1, 99.0])
    stream = RoleEventStream(book, "r", clock=lambda: next(moments))
    add(stream)
    assert book.commits == []
    add(stream)
    assert [len(commit) for commit in book.commits] == [2]


def test_an_interrupted_run_keeps_what_it_was_told():
    book = Book()

    def interrupted():
        with RoleEventStream(book, "r") as stream:
            add(stream)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert book.commits == [["train-001"]]
