"""GPUs reach each other through host memory only."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.hardware.performance import harm

FAULT = Fault(
    name="peer-access-off",
    summary="GPUs reach each other through host memory only",
    apply=harm.machine(peers=False),
    checks=frozenset({"collective.path"}),
    names=frozenset({"shm", ": other"}),
    masks=frozenset({"collective.in_node", "collective.path", "copy.device_to_device"}),
)
