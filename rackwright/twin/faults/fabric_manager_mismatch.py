"""The fabric manager of a node is older than its driver: it does not start, and the NVSwitch fabric stays down."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault, on_machines
from rackwright.twin.hardware.state import OLDER

FAULT = Fault(
    name="fabric-manager-mismatch",
    summary="The fabric manager is older than the driver",
    apply=on_machines(lambda machine: replace(machine, package_versions={"nvidia-fabricmanager": OLDER})),
    checks=frozenset({"software.fabric_manager", "host.services", "nvlink.fabric_state"}),
    needs="fabric-manager",
)
