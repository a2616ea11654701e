"""Units of systemd that have failed: `systemctl list-units --state=failed`, without legend."""

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.host import SystemdUnits

FAILED = "failed"
COLUMNS = 4
"""Unit, LOAD, ACTIVE, SUB; the description follows."""


def parse(output: str) -> SystemdUnits:
    """One unit per line; a dot or a star before the name is for the eye (systemctl(1))."""
    units = []
    for number, line in enumerate(output.splitlines(), start=1):
        words = line.strip().lstrip("●*× ").split(maxsplit=COLUMNS)
        if not words:
            continue
        if len(words) < COLUMNS or words[2] != FAILED:
            raise ParseError(number, line, "a unit with its LOAD, ACTIVE (failed) and SUB")
        units.append(words[0])
    return SystemdUnits(failed=units)


COLLECTOR = Collector(
    produces=SystemdUnits,
    parse=parse,
    seconds=20,
    roles=("accelerator", "slurm", "ufm"),
    command=("systemctl", "list-units", "--all", "--state=failed", "--plain", "--no-legend", "--no-pager"),
)
