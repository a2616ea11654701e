"""The kubelet says that it runs out of space."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system

FAULT = Fault(
    name="kubelet-disk-pressure",
    summary="The kubelet says that it runs out of space",
    apply=system(kubelet_pressure=("DiskPressure",)),
    checks=frozenset({"kubernetes.ready"}),
    names=frozenset({"DiskPressure"}),
    needs="kubernetes",
)
