"""The vendor's diagnostic does not reach its power on a GPU."""

from __future__ import annotations

from rackwright.twin.faults import Fault
from rackwright.twin.hardware.performance import harm

FAULT = Fault(
    name="diagnostic-power",
    summary="The vendor's diagnostic does not reach its power on a GPU",
    apply=harm.gpu(
        3,
        diagnostic=(
            "targeted_power",
            "hardware_power",
            "max power of 512.3 W did not reach the 650 W that is wanted on GPU 3",
        ),
    ),
    checks=frozenset({"burn.diagnostic"}),
    names=frozenset({"GPU {gpu[3]}"}),
)
