"""An NVSwitch has logged a fatal error of a link."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_board

FAULT = Fault(
    name="sxid-fatal",
    summary="An NVSwitch has logged a fatal error of a link",
    apply=on_board(switch_errors=((2, 20034, True, "Link 30 LTSSM Fault Up"),)),
    checks=frozenset({"xid.nvswitch"}),
    names=frozenset({"NVSwitch 2"}),
)
