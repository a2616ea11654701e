"""Loads evidence from the store alone: the same bytes always give the same records, without any machine.

A run that was changed is refused as a whole.
"""

from __future__ import annotations

from datetime import datetime

from rackwright.base.errors import OutsideError
from rackwright.collect.collector import Collectors
from rackwright.collect.store import runs as stored
from rackwright.collect.store.chain_check import Proofs
from rackwright.collect.store.evidence_reader import Kept
from rackwright.collect.store.recording import END, Store
from rackwright.model.check import NodeEvidence


def load(store: Store, run: str | None = None, collectors: Collectors | None = None) -> dict[str, NodeEvidence]:
    """The evidence of `run` (default: the newest run of the state of machines), parsed from raw output.

    ProblemsError if it was changed; OutsideError if there is no such run.
    """
    chosen = stored.run(store, run or store.latest())
    return Kept(store, [chosen], collectors).read()


def load_merged(
    store: Store, *, oldest: datetime | None = None, collectors: Collectors | None = None
) -> dict[str, NodeEvidence]:
    """The newest answer over all runs for every node and collector, including runs that were cut off.

    An answer of a run that began before `oldest` becomes an error with that reason. `taken` of a node is the time of
    the oldest answer that counts. Nothing depends on the clock: the same store gives the same evidence.

    ProblemsError if a run was changed; OutsideError if there is no run.
    """
    return opened(store, oldest=oldest, collectors=collectors).read()


def opened(store: Store, *, oldest: datetime | None = None, collectors: Collectors | None = None) -> Kept:
    """A reader for the evidence of `load_merged` for some nodes at a time, so that a large site need not fit into
    memory.

    Raises what `load_merged` raises, and so does reading.
    """
    with Proofs(store) as proofs:
        runs = stored.counting(store, oldest, proofs)
        if not runs:
            raise OutsideError(f"{store.folder} holds no evidence: run `rackwright collect` first")
        return Kept(store, runs, collectors, oldest, stored.before_tests(store, runs, proofs))


def asked_by(store: Store, job: str) -> str | None:
    """The newest complete run with this `asked_by` (see `gather_evidence`); None if there is none."""
    for run in reversed(store.runs()):
        entries = store.index(run).entries
        if entries and entries[0].get("asked_by") == job and entries[-1].get("kind") == END:
            return run
    return None
