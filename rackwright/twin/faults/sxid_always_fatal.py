"""An NVSwitch has logged an error that only a restart ends."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_board

FAULT = Fault(
    name="sxid-always-fatal",
    summary="An NVSwitch has logged an error that only a restart ends",
    apply=on_board(switch_errors=((0, 22003, True, "Link 12 NXBAR error"),)),
    checks=frozenset({"xid.nvswitch"}),
    names=frozenset({"NVSwitch 0"}),
)
