"""What sysfs reports about the PCIe links of the NVMe drives of a node of the twin."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.drives import DriveLink, DriveLinks
from rackwright.twin.hardware.state import State

ANSWERED = True
SPEEDS = {
    1: "2.5 GT/s PCIe",
    2: "5.0 GT/s PCIe",
    3: "8.0 GT/s PCIe",
    4: "16.0 GT/s PCIe",
    5: "32.0 GT/s PCIe",
    6: "64.0 GT/s PCIe",
}


def observe(state: State, design: Design, node: str) -> DriveLinks:
    """The links of the drives that are there; the ports are as able as the drives."""
    del design
    return DriveLinks(
        links=[
            DriveLink(
                name=f"nvme{drive.index}",
                generation=drive.generation,
                width=drive.width,
                most_generation=drive.most_generation,
                most_width=drive.most_width,
                slot_generation=drive.most_generation,
                slot_width=drive.most_width,
            )
            for drive in state.machines[node].system.drives
            if drive.present
        ]
    )


def render(record: DriveLinks) -> bytes:
    """The lines that the collector parses to `record`; what is None is left out."""
    return "".join(line for link in record.links for line in _lines(link)).encode()


def _lines(link: DriveLink) -> list[str]:
    device = f"/sys/class/nvme/{link.name}/device"
    readings = {
        "current_link_speed": SPEEDS.get(link.generation or 0),
        "current_link_width": link.width,
        "max_link_speed": SPEEDS.get(link.most_generation or 0),
        "max_link_width": link.most_width,
        "../max_link_speed": SPEEDS.get(link.slot_generation or 0),
        "../max_link_width": link.slot_width,
    }
    lines = [f"{device}/{name}:{value}\n" for name, value in readings.items() if value is not None]
    return [f"/sys/class/nvme/{link.name}\n", *lines]
