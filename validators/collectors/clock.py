"""chrony's view of the clock. Columns of `chronyc -c tracking`: chronyc(1), "tracking"."""

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.host import Clock

COLUMNS = 14


def parse(output: str) -> Clock:
    """The one comma-separated line of the report."""
    for number, line in enumerate(output.splitlines(), start=1):
        if not line.strip():
            continue
        fields = line.strip().split(",")
        try:
            if len(fields) != COLUMNS:
                raise ValueError
            return Clock(
                reference=fields[1] or fields[0],
                stratum=int(fields[2]),
                offset_seconds=float(fields[5]),
                leap_status=fields[13],
            )
        except ValueError:
            raise ParseError(number, line, f"{COLUMNS} comma-separated fields of chronyc tracking") from None
    raise ParseError(1, "", "the report of chronyc tracking")


COLLECTOR = Collector(
    produces=Clock, parse=parse, seconds=10, roles=("accelerator", "slurm"), command=("chronyc", "-c", "tracking")
)
