"""NVLinks of a GPU do not end at an NVSwitch."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="nvlink-stray",
    summary="NVLinks of a GPU do not end at an NVSwitch",
    apply=on_health(1, direct_links=(4, 5)),
    checks=frozenset({"nvlink.peers"}),
    names=frozenset({"GPU {gpu[1]}"}),
)
