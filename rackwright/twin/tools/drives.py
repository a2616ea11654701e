"""What `smartctl` reports of the NVMe drives of a node of the twin."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.drives import Drive, Drives
from rackwright.twin.hardware.state import State

ANSWERED = True
TERABYTE = 10**12


def observe(state: State, design: Design, node: str) -> Drives:
    """Drives that are there, under the names that the kernel gives them in order."""
    del design
    return Drives(
        drives=[
            Drive(
                name=f"nvme{one.index}",
                model=one.model,
                serial=one.serial,
                firmware=one.firmware,
                bytes=int(one.terabytes * TERABYTE),
                passed=one.critical_warning == 0,
                critical_warning=one.critical_warning,
                available_spare=one.available_spare,
                spare_threshold=one.spare_threshold,
                percentage_used=one.percentage_used,
                media_errors=one.media_errors,
                temperature_celsius=one.temperature_celsius,
            )
            for one in state.machines[node].system.drives
            if one.present
        ]
    )
