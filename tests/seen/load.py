"""Healthy records of load tests of train-001, as the performance model of the twin gives them for the example site.

Groups are of train-001 with train-002 and with train-003.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

from rackwright.model.base import Record
from rackwright.model.evidence.collective import Collectives, NodeCollectives
from rackwright.model.evidence.load import Burn, Copies, Corruption, Diagnosis, MemoryBandwidth, Stress
from rackwright.model.evidence.rail import RailBandwidth, RailLatency, RailRing
from rackwright.model.evidence.smoke import Serving, Training
from rackwright.model.evidence.storage import LocalFilesystems, SharedStorage, Visibility
from rackwright.model.evidence.tenancy import Neighbours

NODES = ("train-001", "train-002", "train-003")
COLLECTORS: dict[type[Record], str] = {
    Burn: "gemm_burn",
    MemoryBandwidth: "hbm_bandwidth",
    Corruption: "sdc",
    Diagnosis: "dcgmi_diag",
    Stress: "gpu_burn",
    Copies: "nvbandwidth",
    NodeCollectives: "nccl_tests",
    Collectives: "nccl_group",
    RailBandwidth: "rail_bandwidth",
    RailLatency: "rail_latency",
    RailRing: "rail_ring",
    LocalFilesystems: "fio_local",
    SharedStorage: "fio_shared",
    Visibility: "visibility",
    Neighbours: "neighbours",
    Training: "finetune_smoke",
    Serving: "serving_smoke",
}


@cache
def healthy(collector: str) -> Record:
    import importlib

    from rackwright.twin.hardware import state
    from tests import build  # it reads this module at its end

    design = build.site_design()
    observer = importlib.import_module(f"rackwright.twin.tools.{collector}")
    return observer.observe(state.build(design, NODES), design, NODES[0])


def changed(collector: str, **change: Any) -> Record:
    return healthy(collector).model_copy(update=change)


SEEN: dict[type[Record], Callable[..., Record]] = {
    kind: partial(changed, collector) for kind, collector in COLLECTORS.items()
}
