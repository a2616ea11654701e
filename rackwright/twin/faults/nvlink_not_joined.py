"""A GPU has not joined the NVLink fabric."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="nvlink-not-joined",
    summary="A GPU has not joined the NVLink fabric",
    apply=on_health(4, fabric_joined=False),
    checks=frozenset({"nvlink.fabric_state"}),
    names=frozenset({"GPU {gpu[4]}"}),
)
