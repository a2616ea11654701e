"""What sysfs tells of the PCIe links of the NVMe drives of a node of the twin."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.drives import DriveLink, DriveLinks
from rackwright.twin.hardware.state import State

ANSWERED = True


def observe(state: State, design: Design, node: str) -> DriveLinks:
    """The links of the drives that are there; the ports are as able as the drives."""
    del design
    return DriveLinks(
        links=[
            DriveLink(
                name=f"nvme{one.index}",
                generation=one.generation,
                width=one.width,
                most_generation=one.most_generation,
                most_width=one.most_width,
                slot_generation=one.most_generation,
                slot_width=one.most_width,
            )
            for one in state.machines[node].system.drives
            if one.present
        ]
    )
