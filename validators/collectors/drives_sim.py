"""Prints drives as the command of `drives` does: device file, then the report of smartctl in one line."""

import json

from rackwright.model.evidence.drives import Drive, Drives


def render(seen: Drives) -> bytes:
    """The pairs of lines whose parse is `seen`; a reading that is None is left out of its report."""
    return "".join(f"/dev/{one.name}\n{json.dumps(_report(one))}\n" for one in seen.drives).encode()


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
        "smart_status": None if drive.passed is None else {"passed": drive.passed},
        "nvme_smart_health_information_log": {name: value for name, value in log.items() if value is not None},
    }
    return {name: value for name, value in report.items() if value is not None}
