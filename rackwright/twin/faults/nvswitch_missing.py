"""An NVSwitch is not on the bus."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_board

FAULT = Fault(
    name="nvswitch-missing",
    summary="An NVSwitch is not on the bus",
    apply=on_board(nvswitches_missing=(2,)),
    checks=frozenset({"nvlink.switches"}),
    names=frozenset({"3 (0000:05:00.0"}),
)
