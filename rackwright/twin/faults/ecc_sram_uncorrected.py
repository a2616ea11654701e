"""The caches of a GPU have seen errors that cannot be corrected."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="ecc-sram-uncorrected",
    summary="The caches of a GPU have seen errors that cannot be corrected",
    apply=on_health(3, ecc_uncorrected_sram=7),
    checks=frozenset({"gpu.sram_uncorrected"}),
    names=frozenset({"GPU {gpu[3]}"}),
)
