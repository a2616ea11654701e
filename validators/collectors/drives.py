"""NVMe drives of one host with their SMART logs: one `smartctl` report in JSON per controller, in one call.

A line with the controller's device file stands before each report, so that a report that is missing is seen; it begins with a
newline, because smartctl ends its document without one. Field names: smartmontools 7, smartctl(8) ``--json``.
"""

from typing import Any

from pydantic_core import from_json

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.drives import Drive, Drives

COMMAND = (
    "find", "/dev", "-maxdepth", "1", "-type", "c", "-name", "nvme[0-9]*", "-printf", "\\n%p\\n",
    "-exec", "smartctl", "--json=c", "--all", "{}", ";",
)  # fmt: skip
LOG = "nvme_smart_health_information_log"


def parse(output: str) -> Drives:
    """Pairs of lines: a device file, its report. No line at all is a node without NVMe drives."""
    lines = iter([(number, text) for number, line in enumerate(output.splitlines(), start=1) if (text := line.strip())])
    drives = []
    for number, device in lines:
        if not device.startswith("/dev/nvme"):
            raise ParseError(number, device, "a device file of an NVMe controller")
        place, report = next(lines, (number, ""))
        if not report.startswith("{"):
            raise ParseError(number, device, "a report of smartctl behind the device file")
        drives.append(_drive(device.removeprefix("/dev/"), place, report))
    return Drives(drives=sorted(drives, key=lambda drive: (len(drive.name), drive.name)))


def _drive(name: str, number: int, line: str) -> Drive:
    try:
        report = from_json(line, cache_strings="keys")
    except ValueError:
        raise ParseError(number, line, "the JSON of smartctl in one line") from None
    if "serial_number" not in report:
        raise ParseError(number, line, "serial_number of a drive that could be opened")
    log = health if isinstance(health := report.get(LOG), dict) else {}
    passed = (report.get("smart_status") or {}).get("passed")
    if not (passed is None or isinstance(passed, bool)):
        raise ParseError(number, line, "smart_status.passed as true or false")
    capacity = report.get("nvme_total_capacity", (report.get("user_capacity") or {}).get("bytes"))
    return Drive.unvalidated(  # each value was just looked at
        name=name,
        model=str(report.get("model_name", "")),
        serial=str(report["serial_number"]),
        firmware=str(report.get("firmware_version", "")),
        bytes=_number(capacity),
        passed=passed,
        critical_warning=_number(log.get("critical_warning")),
        available_spare=_number(log.get("available_spare")),
        spare_threshold=_number(log.get("available_spare_threshold")),
        percentage_used=_number(log.get("percentage_used")),
        media_errors=_number(log.get("media_errors")),
        temperature_celsius=_number(log.get("temperature")),
    )


def _number(value: Any) -> int | None:
    return value if type(value) is int else None  # a truth value is no number


COLLECTOR = Collector(produces=Drives, parse=parse, as_root=True, seconds=60, roles=("accelerator",), command=COMMAND)
