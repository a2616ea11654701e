"""What `smartctl` reports of the NVMe drives of a node of the twin."""

from __future__ import annotations

import json

from rackwright.model.design import Design
from rackwright.model.evidence.drives import Drive, Drives
from rackwright.twin.hardware.state import State

ANSWERED = True
SECTOR, SECTORS_AT_50_GB, SECTORS_PER_GB = 512, 97_696_368, 1_953_504
"""How many sectors a drive of so many gigabytes has (SFF-8447, LBA1-03): 3.84 TB are 3,840,755,982,336 bytes on a recorded MZQL23T8HCLS."""


def observe(state: State, design: Design, node: str) -> Drives:
    """Drives that are there, under the names that the kernel gives them in order."""
    del design
    return Drives(
        drives=[
            Drive(
                name=f"nvme{drive.index}",
                model=drive.model,
                serial=drive.serial,
                firmware=drive.firmware,
                bytes=nominal_bytes(drive.terabytes),
                passed=drive.critical_warning == 0,
                critical_warning=drive.critical_warning,
                available_spare=drive.available_spare,
                spare_threshold=drive.spare_threshold,
                percentage_used=drive.percentage_used,
                media_errors=drive.media_errors,
                temperature_celsius=drive.temperature_celsius,
            )
            for drive in state.machines[node].system.drives
            if drive.present
        ]
    )


def nominal_bytes(terabytes: float) -> int:
    """Capacity of a drive by its rating in decimal terabytes."""
    return SECTOR * (SECTORS_AT_50_GB + SECTORS_PER_GB * round(terabytes * 1000 - 50))


def render(record: Drives) -> bytes:
    """The pairs of lines that the collector parses to `record`; a reading that is None is left out of its report."""
    return "".join(f"\n/dev/{drive.name}\n{json.dumps(_report(drive))}" for drive in record.drives).encode()


def _report(drive: Drive) -> dict[str, object]:
    log = {
        "critical_warning": drive.critical_warning,
        "temperature": drive.temperature_celsius,
        "available_spare": drive.available_spare,
        "available_spare_threshold": drive.spare_threshold,
        "percentage_used": drive.percentage_used,
        "media_errors": drive.media_errors,
    }
    report = {
        "json_format_version": [1, 0],
        "smartctl": {"version": [7, 3], "exit_status": 0},
        "device": {"name": f"/dev/{drive.name}", "type": "nvme", "protocol": "NVMe"},
        "model_name": drive.model,
        "serial_number": drive.serial,
        "firmware_version": drive.firmware,
        "nvme_total_capacity": drive.bytes,
        "smart_status": None
        if drive.passed is None
        else {"passed": drive.passed, "nvme": {"value": drive.critical_warning or 0}},
        "nvme_smart_health_information_log": {name: value for name, value in log.items() if value is not None},
    }
    return {name: value for name, value in report.items() if value is not None}
