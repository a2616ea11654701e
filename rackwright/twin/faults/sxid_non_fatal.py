"""An NVSwitch has logged an error that is not fatal."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_board

FAULT = Fault(
    name="sxid-non-fatal",
    summary="An NVSwitch has logged an error that is not fatal",
    apply=on_board(switch_errors=((3, 28006, False, "Link 46 MC TS crumbstore MCTO (First)"),)),
    checks=frozenset({"xid.nvswitch"}),
    refused=False,
    names=frozenset({"NVSwitch 3"}),
)
