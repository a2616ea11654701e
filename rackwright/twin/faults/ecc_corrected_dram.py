"""The memory of a GPU has corrected millions of errors."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.faults._accelerator import on_health

FAULT = Fault(
    name="ecc-corrected-dram",
    summary="The memory of a GPU has corrected millions of errors",
    apply=on_health(2, ecc_corrected_dram=31_400_112),
    checks=frozenset({"gpu.ecc_corrected"}),
    names=frozenset({"GPU {gpu[2]}"}),
)
