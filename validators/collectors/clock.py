"""chrony's view of the clock. Columns of `chronyc -c tracking`: chronyc(1), "tracking".

Of the two offsets "System time" counts, which is what the clock is still off now; "Last offset" is what the last update had estimated, and stays as it was
when the daemon hears nothing more or slews a large error away for hours.
"""

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.host import Clock

COLUMNS = 14


def parse(output: str) -> Clock:
    """The one comma-separated line of the report."""
    number, line = next(((n, text) for n, text in enumerate(output.splitlines(), 1) if text.strip()), (1, ""))
    fields = line.strip().split(",")
    if len(fields) != COLUMNS:
        raise ParseError(number, line, f"the {COLUMNS} comma-separated fields of chronyc tracking")
    try:
        return Clock(
            reference=fields[1] or fields[0],
            stratum=int(fields[2]),
            offset_seconds=float(fields[4]),
            leap_status=fields[13],
            frequency_ppm=_maybe(fields[7]),
            root_delay_seconds=_maybe(fields[10]),
            root_dispersion_seconds=_maybe(fields[11]),
        )
    except ValueError:
        raise ParseError(number, line, "a stratum and an offset that are numbers") from None


def _maybe(text: str) -> float | None:
    return float(text) if text.strip() else None


COLLECTOR = Collector(
    produces=Clock,
    parse=parse,
    seconds=10,
    roles=("accelerator", "slurm", "ufm"),
    command=("chronyc", "-c", "tracking"),
)
