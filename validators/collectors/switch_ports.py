"""The counters of every port of every switch of the InfiniBand subnets, on a machine for subnet managers, through every own port.

Each own InfiniBand device is a section ``== device`` with what `ibqueryerrors` prints. The tool knows thresholds itself: an empty file of them makes it
print whatever is above 0, and its summary says how many ports it read. Without ``--skip-sl`` it asks the subnet manager for the service level of each path.
"""

import re

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.switch_port import CountingPort, SwitchPorts

SCRIPT = (
    "for path in /sys/class/infiniband/*; do grep -qs InfiniBand $path/ports/1/link_layer || continue; device=${path##*/}; "
    'echo "== $device"; ibqueryerrors -C "$device" --switch --skip-sl --threshold-file /dev/null 2>&1; done; exit 0'
)
SECTION = re.compile(r"^== (\S+)\n", re.MULTILINE)
NODE = re.compile(r'^Errors for (?:0x[0-9a-f]{1,16} )?"(?P<name>.*)"$')
PORT = re.compile(
    r"^ +GUID 0x(?P<guid>[0-9a-f]{1,16}) port (?P<number>ALL|\d{1,4}):(?P<counters>(?: \[\w+ == \d{1,20}(?: \([^)]*\))?\])+)$"
)
COUNTER = re.compile(r"\[(\w+) == (\d+)")
READ = re.compile(r"^##\s+(\d{1,9}) ports checked,", re.MULTILINE)
TROUBLE = re.compile(r"^(?:ibwarn|iberror|.*\bfailed\b).*$", re.MULTILINE)
"""What the tool says of a switch or port that it could not read; it goes on with the others."""


def parse(output: str) -> SwitchPorts:
    """The ports that count anything; at least one InfiniBand device."""
    _, *parts = SECTION.split(output)
    if not parts:
        raise ParseError(1, output, "at least one InfiniBand device")
    ports: dict[tuple[str, int], CountingPort] = {}
    checked: dict[str, int] = {}
    unread: dict[str, str] = {}
    for device, text in zip(parts[::2], parts[1::2], strict=True):
        ports |= {(port.guid, port.number): port for port in _ports(text)}
        read, trouble = READ.search(text), TROUBLE.findall(text)
        if read is not None:
            checked[device] = int(read[1])
        if read is None or trouble:
            unread[device] = (trouble or text.strip().splitlines() or ["ibqueryerrors printed nothing"])[0]
    return SwitchPorts(ports=list(ports.values()), checked=checked, unread=unread)


def _ports(text: str) -> list[CountingPort]:
    ports, name = [], ""
    for line in text.splitlines():
        if node := NODE.match(line):
            name = node["name"]
        elif (port := PORT.match(line)) and port["number"] != "ALL":
            counters = {counter: int(count) for counter, count in COUNTER.findall(port["counters"])}
            guid, number = f"0x{int(port['guid'], 16):016x}", int(port["number"])
            ports.append(CountingPort(guid=guid, switch=name, number=number, counters=counters))
    return ports


COLLECTOR = Collector(
    produces=SwitchPorts,
    parse=parse,
    as_root=True,
    seconds=300,
    roles=("ufm",),
    command=("ionice", "-c", "3", "sh", "-c", SCRIPT),
)
