"""A large fleet judged from the store by several processes, part by part, without ever holding all of it.

Processes are forked,
so that design, expectations and the index of the store are shared; each reads, parses and judges its own nodes.
"""

from __future__ import annotations

import gc
import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from rackwright import collect, judge
from rackwright.collect.store.evidence_reader import Kept
from rackwright.compare import network
from rackwright.flow.stored_evidence import find, own
from rackwright.judge.batch import Judge, Part
from rackwright.judge.fleet import Joining, Tally
from rackwright.judge.run import expect
from rackwright.judge.site import plant_rows
from rackwright.model.check import AnyCheck, Expectation, Limits
from rackwright.model.design import Design
from rackwright.model.verdict import Outcome

NODES_AT_A_TIME = 64
"""Whose evidence a process holds at once: enough to keep it busy, little beside the memory of the design."""


@dataclass(frozen=True)
class _Shared:
    """What all processes have from their parent."""

    kept: Kept
    expected: Sequence[Expectation]
    judge: Judge
    """Every process goes on with its own, so that what it found of some nodes it need not find again of others."""


Cut = tuple[int, ...]
"""Places of the nodes of a part among the expectations."""
_SHARED: list[Any] = []
"""Set before the processes are forked; nothing of it is sent."""


def tally(
    folder: Path,
    design: Design,
    limits: Limits,
    checks: Mapping[str, AnyCheck],
    *,
    as_of: datetime | None = None,
    processes: int | None = None,
) -> Tally:
    """Judge every node with evidence below `folder`; `processes` defaults to the processors of this machine.

    Raises what `recall` raises. The verdicts are those of `judge.run` on the same evidence.
    """
    with _uncollected():
        return _tally(folder, design, limits, checks, as_of, processes or os.cpu_count() or 1)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Garbage is not looked for meanwhile.

    Millions of small records live until the end and hold no cycles: to walk through all of them again and again takes more
    than half of the time, and takes the pages that forked processes share apart.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.unfreeze()
        if was:
            gc.enable()


def _tally(
    folder: Path,
    design: Design,
    limits: Limits,
    checks: Mapping[str, AnyCheck],
    as_of: datetime | None,
    processes: int,
) -> Tally:
    store, runs, moment = find(folder, design, as_of=as_of)
    kept = collect.opened(store, oldest=judge.oldest(design.site, limits, moment) if runs else None)
    own(folder, design, kept.nodes)
    expected = expect(design, {}, limits, set(kept.nodes))
    ordered = dict(sorted(judge.of_nodes(checks).items()))
    parts = _parts(_Shared(kept, expected, Judge(ordered)), processes)
    joining = Joining(expected, parts, ordered)
    # Forked, it would take 0.2 s less and 200 MB more.
    compared = [joining.compared(name) for name in joining.fleet_checks]
    return _with_plant(joining.tally(compared), kept, design, limits, checks)


def _parts(shared: _Shared, processes: int) -> list[Part]:
    """What all nodes give, those of a page together. Those that tell of whole subnets are judged here, the others by forked processes meanwhile.

    Whole subnets are tables, and the threads that work on tables do not survive a fork.
    """
    cuts: list[Cut] = []
    here: list[Cut] = []
    known: dict[tuple[bool, str], list[int]] = defaultdict(list)
    for place, one in enumerate(shared.expected):
        known[network.manages_subnets(one), shared.kept.page(one.node.name)].append(place)
    for (whole, _), places in known.items():
        some = [tuple(places[start : start + NODES_AT_A_TIME]) for start in range(0, len(places), NODES_AT_A_TIME)]
        cuts += some
        here += some if whole else []
    _SHARED[:] = [shared]
    gc.freeze()
    try:
        if processes == 1 or len(cuts) - len(here) <= 1:
            return [_part(one) for one in cuts]
        with ProcessPoolExecutor(processes, mp_context=get_context("fork")) as pool:
            there = pool.map(_part, [one for one in cuts if one not in here])
            ours = iter([_part(one) for one in here])
            return [next(ours) if one in here else next(there) for one in cuts]
    finally:
        _SHARED.clear()


def _with_plant(found: Tally, kept: Kept, design: Design, limits: Limits, checks: Mapping[str, AnyCheck]) -> Tally:
    """`found` with what is said of the rack PDUs and CDUs around the nodes: some per rack, so they are judged here at once."""
    known = judge.plant_names(design)
    names = [name for name in kept.nodes if name in known]
    around = [name for name in kept.nodes if name not in known]
    counts, rows = Counter(found.counts), list(found.rows)
    judged = set()
    for row in plant_rows(design, around, kept.read(names), checks, limits):
        judged.add(row[0])
        counts[row[2].outcome] += 1
        if row[2].outcome is not Outcome.PASS:
            rows.append(row)
    return replace(found, counts=counts, rows=rows, checks=dict(checks), units=len(judged))


def _part(cut: Cut) -> Part:
    found = _judged(cut)
    gc.collect()  # takes what the exceptions of crashed checks left behind; the evidence, far more, is gone without it
    gc.freeze()  # and need not look again at what this part leaves to the next ones
    return found


def _judged(cut: Cut) -> Part:
    shared: _Shared
    [shared] = _SHARED
    expected = [shared.expected[place] for place in cut]
    return shared.judge.part(expected, shared.kept.read([one.node.name for one in expected]))
