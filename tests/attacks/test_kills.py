"""A process that is killed before each of its operations on files and on the ledger in turn: nothing is lost, and nothing needs a hand."""

from __future__ import annotations

import os
import signal
import sys
from itertools import count
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy import event as hooks

from rackwright.collect import Store, verify
from rackwright.collect.store.closing_entries import seal_repair
from rackwright.flow import sealed_history
from rackwright.ledger import Ledger
from tests.attacks.test_ledger import write
from tests.attacks.test_sealed_history import NOW, REPAIR


def killed_at(step: int, act) -> bool:
    """Do `act` in a process that is killed before its operation number `step`; False if it came to its end."""
    child = os.fork()
    if not child:
        steps = count(1)

        def look(*_: object) -> None:
            if next(steps) == step:
                os.kill(os.getpid(), signal.SIGKILL)

        hooks.listen(Engine, "before_cursor_execute", look)
        hooks.listen(Engine, "commit", look)
        sys.addaudithook(lambda name, _: look() if name.startswith(("open", "os.", "sqlite3.connect")) else None)
        try:
            act()
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


def test_a_ledger_whose_writers_are_killed_stays_whole(tmp_path: Path) -> None:
    """Every eleventh operation from the first migration to the end of a run; the next writer goes on in the same ledger."""
    url = f"sqlite:///{tmp_path / 'ledger.db'}"
    for step in count(1, 11):
        killed = killed_at(step, lambda: write(url))
        ledger = Ledger(url)
        assert ledger.audit().problems == ()
        ledger.close()
        if not killed:
            break
    assert step > 100


def test_a_repair_that_is_killed_anywhere_is_kept_or_never_was(tmp_path: Path) -> None:
    """The next command goes on: the evidence is whole, and the ledger follows it."""
    url = f"sqlite:///{tmp_path / 'ledger.db'}"

    def record() -> None:
        ledger = Ledger(url, lambda: NOW)
        run = ledger.begin("h100-pod", "repair", {})
        seal_repair(Store(tmp_path / "evidence", ledger=ledger.head()), {}, REPAIR.model_dump(), NOW)
        ledger.record_parts(run, [REPAIR])
        ledger.close()

    record()
    for step in count(1, 3):
        killed = killed_at(step, record)
        store, ledger = Store(tmp_path / "evidence"), Ledger(url, lambda: NOW)
        assert verify(store) == []
        sealed = sealed_history.read_history(store, store.runs())
        assert sealed.repairs
        assert all(repair == REPAIR for repair in sealed.repairs)
        assert sealed_history.part_events(ledger, ledger.begin("h100-pod", "gate", {}), sealed)
        assert ledger.audit().problems == ()
        ledger.close()
        if not killed:
            break
    assert step > 20
