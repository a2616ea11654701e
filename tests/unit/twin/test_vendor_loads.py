"""Load tests of AMD and Ascend nodes: healthy ones pass the checks of every vendor, and what is slow on them is found and named."""

from functools import cache
from pathlib import Path

import pytest

from rackwright import design, spec
from rackwright.model.verdict import Outcome
from rackwright.twin.campaign import Scene
from rackwright.twin.campaign.play import Stage, play
from rackwright.twin.faults import Fault, Injected
from rackwright.twin.faults.changes import set_gpu_performance

SITE = Path(__file__).parents[2] / "roles" / "sites" / "vendors.yaml"
LOADS = ("burn.", "hbm.", "copy.", "collective.", "training.", "serving.", "rail.")


@cache
def stage(pool):
    loaded = spec.load(SITE)
    plan = design.expand(loaded.site, loaded.catalog)
    nodes = tuple(node.name for node in plan.nodes("accelerator") if node.pool == pool)
    return Stage(plan, nodes[:2], "2026-11-22T09:00:00+00:00")


def red(pool, change=None):
    where = stage(pool)
    fault = Fault("one", "One", change, frozenset()) if change else None
    scene = Scene("one", (Injected(fault, where.nodes[:1]),) if fault else ())
    verdicts = [
        verdict
        for verdict in play(where, scene)
        if verdict.check.startswith(LOADS) and verdict.outcome != Outcome.NOT_RUN
    ]
    return {verdict.check: verdict for verdict in verdicts if verdict.target == where.nodes[0]}


@pytest.mark.parametrize("pool", ["amd", "ascend"])
def test_a_healthy_node_passes(pool):
    assert {check: verdict.says for check, verdict in red(pool).items()} == {}


@pytest.mark.parametrize("pool", ["amd", "ascend"])
@pytest.mark.parametrize(
    ("change", "check", "words"),
    [
        (set_gpu_performance(3, clock=0.85), "burn.gemm", "GPU 3"),
        (set_gpu_performance(2, fall=0.2), "burn.steady", "GPU 2"),
        (set_gpu_performance(1, power=0.7), "burn.power_reached", "GPU 1"),
        (set_gpu_performance(5, memory=0.8), "hbm.bandwidth", "GPU 5"),
        (set_gpu_performance(6, host_read=0.5), "copy.device_to_host", "GPU 6"),
        (set_gpu_performance(6, host_write=0.5), "copy.host_to_device", "GPU 6"),
        (set_gpu_performance(4, links=0.5), "copy.device_to_device", "GPU 4"),
        (set_gpu_performance(4, links=0.5), "collective.in_node", "all_reduce"),
        (set_gpu_performance(3, not_numbers=True), "training.learns", "GPU 3"),
        (set_gpu_performance(7, wrong_always=True), "training.agreement", "GPU 7"),
        (set_gpu_performance(7, wrong_always=True), "serving.agreement", "GPU 7"),
        (set_gpu_performance(4, failed_requests=5), "serving.answers", "GPU 4"),
    ],
)
def test_what_is_slow_or_wrong_is_found_and_named(pool, change, check, words):
    verdicts = red(pool, change)
    assert verdicts[check].outcome == Outcome.FAIL
    assert words in verdicts[check].says
