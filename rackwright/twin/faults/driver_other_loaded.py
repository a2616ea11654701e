"""The node was not rebooted after its driver was changed."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._parts import system_of

OTHER = {"nvidia": "580.126.20", "amd": "30.10.1", "huawei": "24.1.rc2"}
"""By vendor: a release that nobody declared."""

FAULT = Fault(
    name="driver-other-loaded",
    summary="Another release of the driver is loaded",
    apply=system_of(lambda machine: {"driver": OTHER.get(machine.gpus[0].vendor, OTHER["nvidia"])}),
    checks=frozenset({"software.driver"}),
    names=frozenset(OTHER.values()),
)
