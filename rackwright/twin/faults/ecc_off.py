"""ECC of a GPU was switched off."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="ecc-off",
    summary="ECC of a GPU was switched off",
    apply=on_health(1, ecc_enabled=False),
    checks=frozenset({"gpu.ecc_enabled"}),
    names=frozenset({"GPU {gpu[1]}"}),
)
