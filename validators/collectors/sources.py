"""Time sources of chrony. Columns of `chronyc -c -n sources`: chronyc(1), "sources"; reach is printed in octal."""

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.host import ClockSource, ClockSources

COLUMNS = 10


def parse(output: str) -> ClockSources:
    """One source per line; no line is a daemon without sources."""
    lines = [(number, line.strip()) for number, line in enumerate(output.splitlines(), start=1) if line.strip()]
    return ClockSources(sources=[_source(number, line) for number, line in lines])


def _source(number: int, line: str) -> ClockSource:
    fields = line.split(",")
    if len(fields) != COLUMNS or not fields[3].isdecimal():
        raise ParseError(number, line, f"the {COLUMNS} comma-separated fields of chronyc sources")
    try:
        reach = int(fields[5], 8)
    except ValueError:
        raise ParseError(number, line, "an octal number as reach") from None
    return ClockSource(name=fields[2], selected=fields[1] == "*", state=fields[1], stratum=int(fields[3]), reach=reach)


COLLECTOR = Collector(
    produces=ClockSources,
    parse=parse,
    seconds=10,
    roles=("accelerator", "slurm", "ufm"),
    command=("chronyc", "-c", "-n", "sources"),
)
