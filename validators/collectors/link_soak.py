"""Error counters of every RDMA port, read twice with a soak between: what grows while nobody touches a cable is a fault.

A link carries symbols when it is idle too, so the physical layer is judged without traffic; with it, the counters of the
transport count as well. Sections are ``== before`` and ``== after``, each with the seconds of the clock and ``path:value`` lines.
"""

import re

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.network import PortCounters

DEVICES = "/sys/class/infiniband"
SOAK_SECONDS = 300
READ = f"cut -d ' ' -f 1 /proc/uptime; grep -Hs . {DEVICES}/*/ports/1/counters/*"
SCRIPT = f"echo '== before'; {READ}; sleep {SOAK_SECONDS}; echo '== after'; {READ}; true"
PREFIX = f"{DEVICES}/"
MIDDLE = "/ports/1/counters/"
SECONDS = re.compile(r"\d{1,12}(\.\d+)?")

Counters = dict[str, dict[str, int]]


def parse(output: str) -> PortCounters:
    """Both sections, the second not before the first."""
    times: dict[str, float] = {}
    counters: dict[str, Counters] = {"before": {}, "after": {}}
    name = ""
    for number, line in enumerate(output.splitlines(), start=1):
        device, separator, pairs = line.removeprefix(PREFIX).partition(MIDDLE)
        counter, _, value = pairs.partition(":")
        if name and separator and value.isdecimal() and line.startswith(PREFIX):
            counters[name].setdefault(device, {})[counter] = int(value)
        elif line in ("== before", "== after"):
            name = line[3:]
        elif name and SECONDS.fullmatch(line):
            times[name] = float(line)
        elif line.strip():
            raise ParseError(number, line, f"a section, seconds, or a counter below {DEVICES}")
    if set(times) != set(counters) or times["after"] <= times["before"]:
        raise ParseError(1, output, "two readings with the seconds at which they were taken")
    return PortCounters(seconds=times["after"] - times["before"], before=counters["before"], after=counters["after"])


COLLECTOR = Collector(
    produces=PortCounters,
    parse=parse,
    seconds=SOAK_SECONDS + 60,
    roles=("accelerator",),
    command=("ionice", "-c", "3", "sh", "-c", SCRIPT),
    load=True,
    place=10,
)
