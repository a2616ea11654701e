"""The caches of a GPU have corrected thousands of errors."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="ecc-corrected-sram",
    summary="The caches of a GPU have corrected thousands of errors",
    apply=on_health(6, ecc_corrected_sram=14_210),
    checks=frozenset({"gpu.ecc_corrected"}),
    names=frozenset({"GPU {gpu[6]}"}),
)
