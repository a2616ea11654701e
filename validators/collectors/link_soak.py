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
COUNTER = re.compile(rf"{DEVICES}/(?P<device>[^/]+)/ports/1/counters/(?P<name>\w+):(?P<value>\d{{1,20}})")
SECONDS = re.compile(r"\d{1,12}(\.\d+)?")

Counters = dict[str, dict[str, int]]


def parse(output: str) -> PortCounters:
    """Both sections, the second not before the first."""
    times: dict[str, float] = {}
    seen: dict[str, Counters] = {"before": {}, "after": {}}
    name = ""
    for number, line in enumerate(output.splitlines(), start=1):
        match = COUNTER.fullmatch(line)
        if line in ("== before", "== after"):
            name = line[3:]
        elif name and SECONDS.fullmatch(line):
            times[name] = float(line)
        elif name and match:
            seen[name].setdefault(match["device"], {})[match["name"]] = int(match["value"])
        elif line.strip():
            raise ParseError(number, line, f"a section, seconds, or a counter below {DEVICES}")
    if set(times) != set(seen) or times["after"] <= times["before"]:
        raise ParseError(1, output, "two readings with the seconds at which they were taken")
    return PortCounters(seconds=times["after"] - times["before"], before=seen["before"], after=seen["after"])


COLLECTOR = Collector(
    produces=PortCounters,
    parse=parse,
    seconds=SOAK_SECONDS + 60,
    roles=("accelerator",),
    command=("ionice", "-c", "3", "sh", "-c", SCRIPT),
    load=True,
)
