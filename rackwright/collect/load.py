"""Evidence out of the store alone: the same records from the same bytes, as often as wanted, without any machine.

In: a store, and one run or the time from which runs count. Out: `NodeEvidence` by node. Changed evidence is refused, whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from rackwright.collect import choose, collector, stored
from rackwright.collect.assemble import Header, assemble
from rackwright.collect.reading import Reading, Seen, reading
from rackwright.collect.store import END, Store
from rackwright.collect.transports import replay
from rackwright.collect.verify import problem
from rackwright.errors import OutsideError, Problem, ProblemsError
from rackwright.model.check import NodeEvidence

Collectors = Mapping[str, collector.Collector]


def load(store: Store, run: str | None = None, collectors: Collectors | None = None) -> dict[str, NodeEvidence]:
    """The evidence of `run` (default: the newest one of the state of machines), parsed anew from raw output.

    ProblemsError when it is not what was written; OutsideError when there is no such run.
    """
    chosen = stored.run(store, run or store.latest())
    return _evidence(store, [chosen], collectors, None)


def load_merged(
    store: Store, *, oldest: datetime | None = None, collectors: Collectors | None = None
) -> dict[str, NodeEvidence]:
    """For every node and collector the newest answer over all runs, also those that were cut off.

    An answer of a run that began before `oldest` becomes an error that says so. `taken` of a node is the time of the oldest
    answer that counts. Nothing depends on the clock: the same store gives the same evidence.
    ProblemsError when a run is not what was written; OutsideError when there is no run.
    """
    runs = [stored.run(store, name) for name in reversed(store.runs())]
    if not runs:
        raise OutsideError(f"{store.folder} holds no evidence: run `rackwright collect` first")
    return _evidence(store, runs, collectors, oldest)


def asked_by(store: Store, job: str) -> str | None:
    """The newest complete run that was taken for `job`, the value that `gather` was given; None when there is none."""
    for run in reversed(store.runs()):
        entries = store.index(run).entries
        if entries and entries[0].get("asked_by") == job and entries[-1].get("kind") == END:
            return run
    return None


def _evidence(
    store: Store, runs: list[stored.Run], collectors: Collectors | None, oldest: datetime | None
) -> dict[str, NodeEvidence]:
    parsers = collector.library() if collectors is None else collectors
    choice = choose.newest(runs, parsers)
    header = Header(taken=choice.taken, owed=choice.owed, adapters=choice.adapters)
    return assemble(header, _seen(store, choice.answers, parsers, oldest), parsers)


def _seen(
    store: Store, answers: Iterable[choose.Chosen], collectors: Collectors, oldest: datetime | None
) -> list[Seen]:
    """Every answer opened and parsed. Bytes that were changed are all told at once."""
    found: list[Seen] = []
    problems: list[Problem] = []
    for one in answers:
        if oldest is not None and datetime.fromisoformat(one.run.taken) < oldest:
            said = f"the newest reading is of {one.run.taken}, older than {oldest.isoformat()}: take it again"
            read = Reading(None, "", said)
        else:
            try:
                output = replay.output(store, one.entry)
            except ValueError as error:
                problems.append(problem(store, one.run.name, one.line, str(error)))
                continue
            read = reading(output, one.entry["stdout"], collectors[output.collector], one.run.taken)
        entry = one.entry
        found.append(Seen(entry["node"], entry["collector"], entry["subject"], read, one.nodes))
    if problems:
        raise ProblemsError(problems)
    return found
