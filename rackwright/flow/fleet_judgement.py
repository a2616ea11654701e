"""Judges a large fleet from the store with several processes, part by part, without ever holding all of its evidence.

Processes are forked, so that design, expectations and the index of the store are shared; each reads, parses and judges its own nodes.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from rackwright import collect, judge
from rackwright.base.garbage import no_collection
from rackwright.collect.store.evidence_reader import Kept
from rackwright.compare import network
from rackwright.flow.stored_evidence import find_evidence, refuse_strangers
from rackwright.judge.engine import Engine, PartJudgement, Row
from rackwright.judge.judgement import Judgement, join
from rackwright.judge.site import with_plant
from rackwright.model.check import AnyCheck, Expectation, NodeEvidence
from rackwright.model.design import Design

NODES_AT_A_TIME = 64
"""Nodes whose evidence a process holds at once: enough to keep it busy, little beside the memory of the design."""
PARTS_BETWEEN_COLLECTIONS = 8
"""Each takes a fiftieth of the time of a part."""


@dataclass(frozen=True)
class _Shared:
    """What all processes have from their parent."""

    evidence: Kept
    expectations: Sequence[Expectation]
    engine: Engine
    """Every process goes on with its own copy, whose findings it shares between its nodes."""
    keep: Keep | None = None
    look: Look | None = None


Keep = Callable[[Sequence[Row]], Any]
"""Makes something of the findings of single nodes of a part; it is called by the process that judged them."""
Look = Callable[[NodeEvidence], Any]
"""Takes something of the evidence of a node; it is called by the process that judges it."""


Places = tuple[int, ...]
"""Places of the nodes of a part among the expectations."""
_SHARED: list[Any] = []
"""Set before the processes are forked; nothing of it is sent."""
_JUDGED_PARTS = count(1)
"""Of this process."""


def judge_store(
    folder: Path,
    design: Design,
    limits: judge.LimitTable,
    checks: Mapping[str, AnyCheck],
    *,
    passes: bool,
    keep: Keep | None = None,
    look: Look | None = None,
    as_of: datetime | None = None,
    processes: int | None = None,
) -> Judgement:
    """The judgement of every node with evidence below `folder`; `passes`: whether to keep the findings of passes.

    With `keep`, the judgement has what it made of the findings of single nodes, part by part, instead of these findings: those of a large
    site are more than one process can hold. With `look`, it has what that took of the evidence of every node.
    `processes` defaults to the processors of this machine. Raises what `recall` raises. The verdicts are those of `judge.judge_evidence`
    for the same evidence.
    """
    with no_collection():
        store, runs, moment = find_evidence(folder, design, as_of=as_of)
        limits = judge.in_force(design, limits, moment.date())
        oldest = judge.oldest_counting(design.site, limits, moment) if runs else None
        evidence = collect.opened(store, oldest=oldest, collectors=collect.library(design.roots))
        refuse_strangers(folder, design, evidence.nodes)
        expectations = judge.expect(design, {}, limits, set(evidence.nodes))
        ordered = dict(sorted(judge.node_checks(checks).items()))
        shared = _Shared(evidence, expectations, Engine(ordered, passes=passes), keep, look)
        parts = _judge_parts(shared, processes or os.cpu_count() or 1)
        judgement = join(expectations, parts, ordered, passes=passes)
        units = judge.plant_names(design)
        of_units = evidence.read([name for name in evidence.nodes if name in units])
        around = [name for name in evidence.nodes if name not in units]
        return with_plant(judgement, design, around, of_units, checks, limits, passes=passes)


def _judge_parts(shared: _Shared, processes: int) -> list[PartJudgement]:
    """The findings of all parts.

    Nodes that report whole subnets are judged here, the others meanwhile by forked processes: whole subnets are tables, and the threads
    that work on tables do not survive a fork.
    """
    local: list[int] = []
    forked: list[int] = []
    for place, expectation in enumerate(shared.expectations):
        (local if network.manages_subnets(expectation) else forked).append(place)
    # One by one: a table of links is unpacked once for all that look at it while its node is judged.
    local_parts, forked_parts = _cut_places(local, 1), _cut_places(forked, NODES_AT_A_TIME)
    _SHARED[:] = [shared]
    gc.freeze()
    try:
        if processes == 1 or len(forked_parts) <= 1:
            return [_judge_part(part) for part in (*forked_parts, *local_parts)]
        with ProcessPoolExecutor(processes, mp_context=get_context("fork")) as pool:
            judged = pool.map(_judge_part, forked_parts)
            return [*[_judge_part(part) for part in local_parts], *judged]
    finally:
        _SHARED.clear()


def _cut_places(places: list[int], count: int) -> list[Places]:
    return [tuple(places[start : start + count]) for start in range(0, len(places), count)]


def _judge_part(places: Places) -> PartJudgement:
    judged = _judge_nodes(places)
    if next(_JUDGED_PARTS) % PARTS_BETWEEN_COLLECTIONS == 0:
        gc.collect()  # takes what the exceptions of crashed checks left behind; the evidence, far more, is gone without it
        gc.freeze()  # and need not look again at what these parts leave to the next ones
    return judged


def _judge_nodes(places: Places) -> PartJudgement:
    shared: _Shared
    [shared] = _SHARED
    expectations = [shared.expectations[place] for place in places]
    evidence = shared.evidence.read([expectation.node.name for expectation in expectations])
    judged = shared.engine.judge(expectations, evidence)
    if shared.look is not None:
        judged.looked = [shared.look(of_node) for of_node in evidence.values()]
    if shared.keep is not None:
        judged.kept, judged.rows = shared.keep(judged.rows), []
    return judged
