"""Nodes of other vendors, and trays of a rack-wide NVLink domain: healthy ones pass, and what no fault of the example site can
break is found by the checks that are theirs alone."""

from functools import cache
from pathlib import Path

import pytest

from rackwright import design, spec
from rackwright.model.verdict import Outcome
from rackwright.twin.campaign import Scene
from rackwright.twin.campaign.play import Stage, play
from rackwright.twin.faults import Fault, Injected
from rackwright.twin.faults.changes import set_board, set_gpu, set_gpu_health
from tests.rotation import of_this_run

ROOT = Path(__file__).parents[3]
VENDORS, TRAYS = "tests/roles/sites/vendors.yaml", "inventories/gb200-pod/site.yaml"
OWN = ("gpu.", "nvlink.", "pcie.", "xid.")


@cache
def stage(site, pool):
    loaded = spec.load(ROOT / site)
    plan = design.expand(loaded.site, loaded.catalog)
    names = [node.name for node in plan.nodes("accelerator") if pool in ("", node.pool)]
    return Stage(plan, tuple(names[:1]), "2026-11-21T09:00:00+00:00")


def red(site, pool, change=None):
    where = stage(site, pool)
    fault = Fault("one", "One", change, frozenset()) if change else None
    scene = Scene("one", (Injected(fault, where.nodes),) if fault else ())
    return [
        verdict
        for verdict in play(where, scene)
        if verdict.check.startswith(OWN) and verdict.outcome != Outcome.NOT_RUN
    ]


HEALTHY = [
    (TRAYS, ""),
    *((VENDORS, pool) for pool in ("amd", "ascend", "gaudi", "biren", "mthreads", "mlu", "dcu", "metax")),
]


@pytest.mark.parametrize(("site", "pool"), of_this_run(HEALTHY, 3))
def test_a_healthy_node_passes(site, pool):
    assert [verdict.says for verdict in red(site, pool)] == []


@pytest.mark.parametrize(
    ("site", "pool", "change", "check", "words"),
    [
        (VENDORS, "amd", set_gpu_health(3, retired_pages=75), "gpu.retired_pages", "GPU 3"),
        (VENDORS, "amd", set_gpu(2, nvlinks=(False,)), "gpu.scale_up_links", "GPU 2"),
        (VENDORS, "amd", set_gpu(5, power_limit_watts=600), "gpu.power_limit", "GPU 5"),
        (VENDORS, "ascend", set_gpu(4, ecc_uncorrected_volatile=1), "gpu.health", "GPU 4"),
        (VENDORS, "ascend", set_gpu(6, temperature_celsius=80), "gpu.temperature", "GPU 6"),
        (VENDORS, "gaudi", set_gpu(1, pcie_width=8), "pcie.accelerator_width", "0000:2c:00.0"),
        (VENDORS, "mlu", set_gpu(7, present=False), "gpu.count", "7"),
        (VENDORS, "metax", set_gpu(4, ecc_uncorrected_volatile=1), "gpu.health", "GPU 4"),
        (TRAYS, "", set_board(imex_lost=("train-002",)), "nvlink.imex", "UNAVAILABLE"),
        (
            TRAYS, "",
            set_gpu_health(1, xids=((149, "NETIR_LINK_EVT  Fatal   XC0 i0 Link 09 (0x025525c6 0x00000000 0x0)"),)),
            "xid.nvlink", "Xid 149 NVLINK_NETIR_ERROR NETIR_LINK_EVT on link 9",
        ),
        (
            TRAYS, "",
            set_gpu_health(2, xids=((145, "RLW_SRC_TRACK Fatal XC0 i1 Link 00 (0x00000007 0x00000001)"),)),
            "xid.nvlink", "Xid 145",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_is_found_and_named(site, pool, change, check, words):
    verdicts = {verdict.check: verdict for verdict in red(site, pool, change)}
    assert verdicts[check].outcome == Outcome.FAIL
    assert words in verdicts[check].says
