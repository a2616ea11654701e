"""The memory of a GPU changes data without an ECC event."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.hardware.performance import harm

FAULT = Fault(
    name="hbm-corrupts",
    summary="The memory of a GPU changes data without an ECC event",
    apply=harm.gpu(6, corrupt_words=3),
    checks=frozenset({"hbm.corruption"}),
    names=frozenset({"GPU {gpu[6]}"}),
)
