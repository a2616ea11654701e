"""PCIe links of the NVMe controllers of one host as sysfs tells them: of the drive, and of the port that it is plugged into.

A line with the controller stands before its readings, so that a controller without any (NVMe over fabrics) is seen. Files:
Linux, Documentation/ABI/testing/sysfs-bus-pci (current_link_speed, current_link_width, max_link_speed, max_link_width).
"""

import re

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.drives import DriveLink, DriveLinks

FILES = ("current_link_speed", "current_link_width", "max_link_speed", "max_link_width")
COMMAND = (
    "find", "/sys/class/nvme", "-mindepth", "1", "-maxdepth", "1", "-name", "nvme[0-9]*", "-print",
    "-exec", "grep", "-sH", ".", *(f"{{}}/device/{name}" for name in FILES),
    "{}/device/../max_link_speed", "{}/device/../max_link_width", ";",
)  # fmt: skip
CONTROLLER = re.compile(r"/sys/class/nvme/(nvme\d+)")
READING = re.compile(r"/sys/class/nvme/(nvme\d+)/device/(\.\./)?(\w+):(.*)")
FIELDS = {
    ("", "current_link_speed"): "generation", ("", "current_link_width"): "width",
    ("", "max_link_speed"): "most_generation", ("", "max_link_width"): "most_width",
    ("../", "max_link_speed"): "slot_generation", ("../", "max_link_width"): "slot_width",
}  # fmt: skip
GENERATIONS = {"2.5": 1, "5.0": 2, "8.0": 3, "16.0": 4, "32.0": 5, "64.0": 6}
"""GT/s per lane, as drivers/pci/probe.c prints them."""
UNKNOWN = ("Unknown", "Unknown speed", "255", "63", "0")
"""Text that the kernel prints for a link that is down or whose capability is empty."""


def parse(output: str) -> DriveLinks:
    """Controllers, each with its readings. No line at all is a node without NVMe drives."""
    drives: dict[str, dict[str, int | None]] = {}
    for number, line in enumerate(output.splitlines(), start=1):
        if controller := CONTROLLER.fullmatch(line.strip()):
            drives.setdefault(controller[1], {})
        elif line.strip():
            reading = READING.fullmatch(line.rstrip())
            field = FIELDS.get((reading[2] or "", reading[3])) if reading else None
            if reading is None or field is None or reading[1] not in drives:
                raise ParseError(number, line, "a controller of /sys/class/nvme, or a reading of its link")
            drives[reading[1]][field] = _value(reading[4].strip(), reading[3], number)
    links = [
        DriveLink(name=name, **{field: readings.get(field) for field in FIELDS.values()})
        for name, readings in drives.items()
    ]
    return DriveLinks(links=sorted(links, key=lambda link: (len(link.name), link.name)))


def _value(text: str, name: str, number: int) -> int | None:
    if text in UNKNOWN:
        return None
    if name.endswith("width"):
        if not text.isdecimal():
            raise ParseError(number, text, "a number of lanes")
        return int(text)
    speed = text.split(" ", 1)[0]
    if speed not in GENERATIONS:
        raise ParseError(number, text, "a speed in GT/s")
    return GENERATIONS[speed]


COLLECTOR = Collector(
    produces=DriveLinks, parse=parse, seconds=20, roles=("accelerator",), command=COMMAND, accepts=(0, 1)
)
