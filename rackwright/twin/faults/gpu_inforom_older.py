"""A GPU has an older InfoROM than its neighbours."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="gpu-inforom-older",
    summary="A GPU has an older InfoROM than its neighbours",
    apply=on_health(0, inforom="G520.0200.00.03"),
    checks=frozenset({"gpu.inforom"}),
    names=frozenset({"GPU {gpu[0]}"}),
)
