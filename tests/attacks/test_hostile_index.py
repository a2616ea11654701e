"""Entries of evidence that somebody wrote and sealed: whatever stands in a field, it is a finding, and no bug of rackwright."""

from __future__ import annotations

from typing import Any

import pytest

from rackwright import collect
from rackwright.base.errors import RackwrightError
from rackwright.collect import Store
from rackwright.collect.store import hash_chain
from rackwright.flow import sealed_history
from tests.rotation import of_this_run
from tests.unit.cli import evidence_store
from tests.unit.collect.store.test_record_cache import sealed

ODD = (7, None, "x", [], ["x"], {"x": 7}, {"train-001": 7}, {"x": ["y"]})
NEEDED = ("owed", "adapters", "taken", "error", "tables")
"""Fields that evidence is read by: one that is odd is refused."""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    folder = tmp_path_factory.mktemp("store") / "evidence"
    evidence_store.write_run(folder, {"train-001": {}})
    return Store(folder)


@pytest.fixture(scope="module")
def entries(store: Store) -> list[hash_chain.Entry]:
    """One of each kind, and what holds them together."""
    every = store.index(store.runs()[0]).entries
    return [*{entry["kind"]: entry for entry in reversed(every)}.values()][::-1]


def refusals(store: Store, entries: list[hash_chain.Entry], field: str, odd: Any) -> list[bool]:
    """By entry that has the field: whether evidence is refused that says `odd` there."""
    [run] = store.runs()
    refused = []
    for place in (place for place, entry in enumerate(entries) if field in entry):
        forged = [*entries[:place], {**entries[place], field: odd}, *entries[place + 1 :]]
        store.path(run).write_bytes(b"".join(hash_chain.line(entry) for entry in sealed(forged)))
        collect.verify(store)
        try:
            sealed_history.read_history(store, [run])
            for unit in collect.load_merged(store).values():
                dict(unit.records)
            refused.append(False)
        except RackwrightError:
            refused.append(True)
    return refused


def test_no_entry_of_somebody_is_a_bug(store: Store, entries: list[hash_chain.Entry]) -> None:
    fields = {field for entry in entries for field in entry} - {"hash", "previous"}
    assert fields.issuperset(NEEDED)
    chosen = of_this_run(sorted(fields), 5)
    refused = {field: [all(refusals(store, entries, field, odd)) for odd in ODD] for field in chosen}
    for field in set(NEEDED) & set(chosen):
        assert any(refused[field]), f"{field} may hold anything"
