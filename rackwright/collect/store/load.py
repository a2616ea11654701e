"""Evidence out of the store alone: the same records from the same bytes, as often as wanted, without any machine.

Changed evidence is refused, whole.
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
    """The evidence of `run` (default: the newest one of the state of machines), parsed anew from raw output.

    ProblemsError when it is not what was written; OutsideError when there is no such run.
    """
    chosen = stored.run(store, run or store.latest())
    return Kept(store, [chosen], collectors).read()


def load_merged(
    store: Store, *, oldest: datetime | None = None, collectors: Collectors | None = None
) -> dict[str, NodeEvidence]:
    """For every node and collector the newest answer over all runs, also those that were cut off.

    An answer of a run that began before `oldest` becomes an error that says so. `taken` of a node is the time of the oldest
    answer that counts. Nothing depends on the clock: the same store gives the same evidence.
    ProblemsError when a run is not what was written; OutsideError when there is no run.
    """
    return opened(store, oldest=oldest, collectors=collectors).read()


def opened(store: Store, *, oldest: datetime | None = None, collectors: Collectors | None = None) -> Kept:
    """`load_merged` in parts: the same evidence, read for some nodes at a time, so that a large site need not fit into memory.

    Raises what `load_merged` raises, and so does reading.
    """
    with Proofs(store) as proofs:
        runs = stored.counting(store, oldest, proofs)
        if not runs:
            raise OutsideError(f"{store.folder} holds no evidence: run `rackwright collect` first")
        return Kept(store, runs, collectors, oldest, stored.before_tests(store, runs, proofs))


def asked_by(store: Store, job: str) -> str | None:
    """The newest complete run that was taken for `job`, the value that `gather` was given; None when there is none."""
    for run in reversed(store.runs()):
        entries = store.index(run).entries
        if entries and entries[0].get("asked_by") == job and entries[-1].get("kind") == END:
            return run
    return None
