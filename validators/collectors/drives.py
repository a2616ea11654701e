"""NVMe drives of one host with their SMART logs: one `smartctl` report in JSON per controller, in one call.

A line with the controller's device file stands before each report, so that a report that is missing is seen. Field names:
smartmontools 7, smartctl(8) ``--json``.
"""

import json
from typing import Any

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.drives import Drive, Drives

COMMAND = (
    "find", "/dev", "-maxdepth", "1", "-type", "c", "-name", "nvme[0-9]*", "-print",
    "-exec", "smartctl", "--json=c", "--all", "{}", ";",
)  # fmt: skip
LOG = "nvme_smart_health_information_log"


def parse(output: str) -> Drives:
    """Pairs of lines: a device file, its report. No line at all is a node without NVMe drives."""
    lines = [(number, line.strip()) for number, line in enumerate(output.splitlines(), start=1) if line.strip()]
    drives = []
    while lines:
        number, device = lines.pop(0)
        if not device.startswith("/dev/nvme"):
            raise ParseError(number, device, "a device file of an NVMe controller")
        if not lines or not lines[0][1].startswith("{"):
            raise ParseError(number, device, "a report of smartctl behind the device file")
        drives.append(_drive(device.removeprefix("/dev/"), *lines.pop(0)))
    return Drives(drives=sorted(drives, key=lambda one: (len(one.name), one.name)))


def _drive(name: str, number: int, line: str) -> Drive:
    try:
        report = json.loads(line)
    except json.JSONDecodeError:
        raise ParseError(number, line, "the JSON of smartctl in one line") from None
    if "serial_number" not in report:
        raise ParseError(number, line, "serial_number of a drive that could be opened")
    log = report.get(LOG) if isinstance(report.get(LOG), dict) else {}
    capacity = report.get("nvme_total_capacity", (report.get("user_capacity") or {}).get("bytes"))
    return Drive(
        name=name,
        model=str(report.get("model_name", "")),
        serial=str(report["serial_number"]),
        firmware=str(report.get("firmware_version", "")),
        bytes=_number(capacity),
        passed=(report.get("smart_status") or {}).get("passed"),
        critical_warning=_number(log.get("critical_warning")),
        available_spare=_number(log.get("available_spare")),
        spare_threshold=_number(log.get("available_spare_threshold")),
        percentage_used=_number(log.get("percentage_used")),
        media_errors=_number(log.get("media_errors")),
        temperature_celsius=_number(log.get("temperature")),
    )


def _number(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


COLLECTOR = Collector(produces=Drives, parse=parse, seconds=60, roles=("accelerator",), command=COMMAND)
