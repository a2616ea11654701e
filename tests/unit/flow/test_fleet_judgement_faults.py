"""What is judged in parts is what is judged as a whole, whatever is wrong with the nodes."""

from __future__ import annotations

import random
from datetime import UTC, datetime

import pytest

from rackwright import collect, judge
from rackwright.collect.collector import library
from rackwright.collect.store import record_cache
from rackwright.flow import fleet_judgement, stored_evidence
from rackwright.model.node_verdicts import by_target
from rackwright.model.verdict import Outcome
from rackwright.twin import faults, tools
from rackwright.twin.hardware import state
from tests import build
from tests.reference_judge import reference_verdicts
from tests.rotation import of_this_run

NODES = 20


@pytest.mark.parametrize(("seed", "paged"), of_this_run([(1, False), (2, True), (2, False), (1, True)], 2))
def test_random_faults_give_the_verdicts_of_the_whole(seed, paged, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(fleet_judgement, "NODES_AT_A_TIME", 7)
    design, limits, checks = build.site_design(), build.limit_table(), judge.load_checks()
    names = [node.name for node in design.nodes("accelerator")][:NODES]
    drawn = [
        name for name, fault in faults.acceptance_faults("slurm").items() if fault.nodes == 1 and "fabric" not in name
    ]
    random.Random(seed).shuffle(drawn)
    hardware = state.build(design, names)
    for node, name in zip(names[::2], drawn, strict=False):
        hardware = faults.load_faults()[name].apply(hardware, [node])
    request, outputs = tools.outputs(design, hardware, names)
    header = {"site": request.site, "owed": {n: list(o) for n, o in request.owed.items()}, "adapters": request.adapters}
    store = collect.Store(tmp_path)
    with store.begin(header, datetime(2026, 11, 21, 9, tzinfo=UTC)) as run:
        run.add_all(outputs)
        if paged:
            record_cache.keep(store, run, library())
    with monkeypatch.context() as parsed:
        parsed.setattr(record_cache, "fingerprint", lambda _: "other parsers")
        evidence = stored_evidence.recall(tmp_path, design, limits).nodes
        of_nodes = judge.expect(design, {}, limits, set(evidence))
        units = list(judge.plant_verdicts(design, list(evidence), evidence, checks, limits))
        expected = [*reference_verdicts(of_nodes, evidence, judge.node_checks(checks)), *units]
    judgement = fleet_judgement.judge_store(tmp_path, design, limits, checks, passes=False, processes=1)
    assert list(judgement.verdicts) == [verdict for verdict in expected if verdict.outcome != Outcome.PASS]
    assert judgement.by_target == by_target(expected)
    assert judgement.counts.total() == len(expected)
    assert judge.judge_evidence(design, evidence, checks, limits) == expected
    assert judgement.counts[Outcome.FAIL] >= NODES // 5
