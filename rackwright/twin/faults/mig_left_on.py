"""A GPU was left cut into instances."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="mig-left-on",
    summary="A GPU was left cut into instances",
    apply=on_health(4, mig=True),
    checks=frozenset({"gpu.mig_mode"}),
    names=frozenset({"GPU {gpu[4]}"}),
)
