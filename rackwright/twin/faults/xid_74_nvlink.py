"""A GPU has logged a fatal error of an NVLink."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="xid-74-nvlink",
    summary="A GPU has logged a fatal error of an NVLink",
    apply=on_health(
        6,
        xids=(
            (
                74,
                "pid='<unknown>', name=<unknown>, NVLink: fatal error detected on link 14(0x0, 0x0, 0x10000, 0x0, 0x0, 0x0, 0x0)",
            ),
        ),
    ),
    checks=frozenset({"xid.nvlink"}),
    needs="fabric-manager",
    names=frozenset({"{bus[6]} Xid 74"}),
)
