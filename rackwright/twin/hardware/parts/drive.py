"""One NVMe drive of a machine of the twin."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class DriveState:
    """A drive as its controller describes itself, with its wear."""

    index: int
    serial: str
    terabytes: float
    model: str = "SAMSUNG MZQL23T8HCLS-00A07"
    firmware: str = "GDC5602Q"
    critical_warning: int = 0
    percentage_used: int = 1
    available_spare: int = 100
    spare_threshold: int = 10
    media_errors: int = 0
    temperature_celsius: int = 33
    present: bool = True
    generation: int = 4
    width: int = 4
    most_generation: int = 4
    """PM9A3, the model above: PCIe 4.0 x4 (Samsung, PM9A3 brief)."""
    most_width: int = 4
