"""A run is proven beside the reading of it: whatever the forked process ends with, nothing that was changed is given out."""

import os
import signal
from pathlib import Path

import pytest

from rackwright.base.errors import ProblemsError
from rackwright.collect.store import chain_check, hash_chain
from rackwright.collect.store.chain_check import Proofs
from rackwright.collect.store.recording import Store

FORKED, HERE = 0, 10**9
"""Bytes from which on a process is forked."""


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "evidence")


@pytest.fixture(params=[FORKED, HERE])
def where(request, monkeypatch):
    monkeypatch.setattr(chain_check, "LARGE", request.param)
    return request.param


def index(*later_entries):
    entries, previous = [], ""
    for number, problem in enumerate([{"kind": "begin", "run": "a", "nodes": []}, *later_entries]):
        entries.append(hash_chain.seal({**problem, "number": number}, previous))
        previous = entries[-1]["hash"]
    return b"".join(map(hash_chain.line, entries))


def proven(store, *contents):
    with Proofs(store) as running:
        for content in contents:
            running.begin("a", content)


def problems_of(store, *contents):
    with pytest.raises(ProblemsError) as raised:
        proven(store, *contents)
    return [(problem.place.rpartition(":")[2], problem.message) for problem in raised.value.problems]


GOOD = index({"kind": "output", "error": 'it said "hash":"'}, {"kind": "end"})


def test_what_was_written_is_proven(store, where):
    proven(store, GOOD, GOOD, GOOD)
    proven(store, GOOD + b'{"kind":"out')


def test_what_was_changed_is_refused_with_its_line(store, where):
    changed = GOOD.replace(b"it said", b"it sang")
    assert problems_of(store, GOOD, changed) == [("2", "the entry was changed after it was written")]
    [(line, message)] = problems_of(store, b"".join(GOOD.splitlines(keepends=True)[::2]))
    assert (line, message.partition(":")[0]) == ("2", "the entry does not follow the one before it")


def test_what_stands_behind_a_hash_is_not_taken_on_trust(store, where):
    seal = hash_chain.read(GOOD).entries[1]["hash"].encode() + b'",'
    for behind in (b'" ', b'"}', b"\\,"):
        assert not hash_chain.proven(GOOD.replace(seal, seal[:-2] + behind))
        assert problems_of(store, GOOD.replace(seal, seal[:-2] + behind))


def test_another_order_of_an_entry_is_no_change(store, where):
    begin = hash_chain.seal({"run": "a", "kind": "begin"}, "")
    reordered = b'{"run":"a","previous":"","kind":"begin","hash":"%s"}\n' % begin["hash"].encode()
    assert not hash_chain.proven(reordered)
    proven(store, reordered)


def test_a_process_that_died_has_not_said_yes(store, monkeypatch):
    monkeypatch.setattr(chain_check, "LARGE", FORKED)
    monkeypatch.setattr(hash_chain, "proven", lambda content: os.kill(os.getpid(), signal.SIGKILL))
    proven(store, GOOD)
    assert problems_of(store, GOOD.replace(b"it said", b"it sang"))


def test_without_another_process_it_is_proven_here(store, monkeypatch):
    def refused():
        raise BlockingIOError

    monkeypatch.setattr(chain_check, "LARGE", FORKED)
    monkeypatch.setattr(os, "fork", refused)
    proven(store, GOOD)
    assert problems_of(store, GOOD.replace(b"it said", b"it sang"))


def stumbling(store, content):
    with Proofs(store) as running:
        running.begin("a", content)
        raise KeyError("node")


def test_what_was_changed_is_said_before_what_came_of_it(store, monkeypatch):
    monkeypatch.setattr(chain_check, "LARGE", FORKED)
    with pytest.raises(ProblemsError):
        stumbling(store, GOOD.replace(b"it said", b"it sang"))
    with pytest.raises(KeyError):
        stumbling(store, GOOD)


def children():
    """Our child processes, those that ended and nobody waited for included; other tests may have left some."""
    return set(Path(f"/proc/self/task/{os.getpid()}/children").read_text().split())


def test_no_process_is_left_behind(store, monkeypatch):
    monkeypatch.setattr(chain_check, "LARGE", FORKED)
    before = children()
    with pytest.raises(ProblemsError):
        proven(store, *[GOOD.replace(b"it said", b"it sang")] * 3)
    assert children() <= before
