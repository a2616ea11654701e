"""Health and PCIe links of the NVMe drives of one node."""

from __future__ import annotations

from rackwright.model.base import Record


class Drive(Record):
    """One drive; None where its controller does not report a value."""

    name: str
    """``nvme0``."""
    model: str
    serial: str
    firmware: str
    bytes: int | None
    passed: bool | None
    """The drive's own verdict on its health."""
    critical_warning: int | None
    """Bits of the SMART log, 0 for none (NVM Express base specification, log page 02h)."""
    available_spare: int | None
    """Per cent."""
    spare_threshold: int | None
    percentage_used: int | None
    """Share of its rated life, in per cent; may pass 100."""
    media_errors: int | None
    temperature_celsius: int | None


class Drives(Record):
    """All NVMe drives of the node."""

    drives: list[Drive]


class DriveLink(Record):
    """The PCIe link of one NVMe controller; None where the kernel does not report a value."""

    name: str
    """``nvme0``."""
    generation: int | None
    """Of the link as it runs now, as `width`."""
    width: int | None
    most_generation: int | None
    """Highest generation of the drive."""
    most_width: int | None
    slot_generation: int | None
    """Highest generation of the slot."""
    slot_width: int | None


class DriveLinks(Record):
    """The links of all NVMe controllers of the node."""

    links: list[DriveLink]
