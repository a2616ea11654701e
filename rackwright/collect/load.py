"""Evidence out of the store alone: the same records from the same bytes, as often as wanted, without any machine.

In: a store and a run. Out: `NodeEvidence` by node. Changed evidence is refused, whole.
"""

from __future__ import annotations

from collections.abc import Mapping

from rackwright.collect import collector
from rackwright.collect.assemble import Header, assemble, readings
from rackwright.collect.store import END, Store
from rackwright.collect.transports import replay
from rackwright.collect.verify import verify_run
from rackwright.errors import ProblemsError
from rackwright.model.check import NodeEvidence


def load(
    store: Store, run: str | None = None, collectors: Mapping[str, collector.Collector] | None = None
) -> dict[str, NodeEvidence]:
    """The evidence of `run` (default: the newest one), parsed anew from raw output.

    ProblemsError when it is not what was written; OutsideError when there is no such run.
    """
    chosen = run or store.latest()
    problems = verify_run(store, chosen)
    if problems:
        raise ProblemsError(problems)
    parsers = collector.library() if collectors is None else collectors
    first = store.index(chosen).entries[0]
    owed = {node: tuple(one for one in owes if one in parsers) for node, owes in first["owed"].items()}
    header = Header(taken=first["taken"], owed=owed, adapters=first["adapters"])
    return assemble(header, readings(replay.outputs(store, chosen), parsers), parsers)


def asked_by(store: Store, job: str) -> str | None:
    """The newest complete run that was taken for `job`, the value that `gather` was given; None when there is none."""
    for run in reversed(store.runs()):
        entries = store.index(run).entries
        if entries and entries[0].get("asked_by") == job and entries[-1].get("kind") == END:
            return run
    return None
