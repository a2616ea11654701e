"""One NVLink repeats packets."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="nvlink-replays",
    summary="One NVLink repeats packets",
    apply=on_health(5, link_replays=(0, 0, 40_213)),
    checks=frozenset({"nvlink.replays"}),
    names=frozenset({"NVLink 2"}),
)
