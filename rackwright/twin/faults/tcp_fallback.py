"""The collective library finds no RDMA and uses TCP."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.hardware.performance import harm

FAULT = Fault(
    name="tcp-fallback",
    summary="The collective library finds no RDMA and uses TCP",
    apply=harm.machine(tcp=True),
    checks=frozenset({"collective.path_across"}),
    names=frozenset({"socket"}),
    masks=frozenset({"collective.path_across"}),
)
