"""Error counters of every RDMA port, read twice with a soak between: what grows while nobody touches a cable is a fault.

A link carries symbols when it is idle too, so the physical layer is judged without traffic; with it, the counters of the
transport count as well: those of the adapter (hw_counters, what ``rdma statistic`` prints), whose names are the driver's
(mlx5 counters.c, bnxt_re hw_counters.c, ionic's firmware). Sections are ``== before`` and ``== after``, each with the seconds of the clock and ``path:value`` lines.
"""

import re

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.network import PortCounters

DEVICES = "/sys/class/infiniband"
SOAK_SECONDS = 300
READ = f"cut -d ' ' -f 1 /proc/uptime; grep -Hs . {DEVICES}/*/ports/1/counters/* {DEVICES}/*/ports/1/hw_counters/*"
SCRIPT = f"echo '== before'; {READ}; sleep {SOAK_SECONDS}; echo '== after'; {READ}; true"
COUNTER = re.compile(rf"{DEVICES}/([^/]+)/ports/1/(?:hw_)?counters/([^/:]+):(\d{{1,20}})")
LIFESPAN = "lifespan"
"""Milliseconds for which the kernel keeps what it read of hw_counters; no counter (Documentation/ABI/stable/sysfs-class-infiniband)."""
SECONDS = re.compile(r"\d{1,12}(\.\d+)?")

Counters = dict[str, dict[str, int]]


def parse(output: str) -> PortCounters:
    """Both sections, the second not before the first."""
    times: dict[str, float] = {}
    counters: dict[str, Counters] = {"before": {}, "after": {}}
    name = ""
    for number, line in enumerate(output.splitlines(), start=1):
        if name and (match := COUNTER.fullmatch(line)):
            if match[2] != LIFESPAN:
                counters[name].setdefault(match[1], {})[match[2]] = int(match[3])
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
