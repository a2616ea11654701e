"""State of the units that the roles promise: what `systemctl is-active` and `is-enabled` say, in one call."""

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.host import Services

UNITS = (
    "chrony.service",
    "chronyd.service",
    "nvidia-persistenced.service",
    "nvidia-fabricmanager.service",
    "nvidia-dcgm.service",
    "containerd.service",
    "munge.service",
    "slurmd.service",
    "slurmctld.service",
)


def parse(output: str) -> Services:
    """Blocks of ``Key=value`` lines with an empty line between; a unit that systemd does not know is ``not-found``.

    An alias answers under the name of its unit: chronyd.service as chrony.service on Debian.
    """
    active: dict[str, str] = {}
    enabled: dict[str, str] = {}
    unit: dict[str, str] = {}
    start = 1
    for number, line in enumerate([*output.splitlines(), ""], start=1):
        key, separator, value = line.strip().partition("=")
        if separator:
            start = start if unit else number
            unit[key] = value
        elif line.strip():
            raise ParseError(number, line, "Key=value of systemctl show")
        elif unit:
            if not {"Id", "ActiveState", "LoadState"} <= unit.keys():
                raise ParseError(start, ", ".join(unit), "Id, LoadState and ActiveState of a unit")
            name = unit["Id"].removesuffix(".service")
            active[name] = unit["ActiveState"]
            enabled[name] = "not-found" if unit["LoadState"] == "not-found" else unit.get("UnitFileState", "")
            unit = {}
    if not active:
        raise ParseError(1, output, "the state of at least one unit")
    return Services(active=active, enabled=enabled)


COLLECTOR = Collector(
    produces=Services,
    parse=parse,
    seconds=20,
    roles=("accelerator", "slurm", "ufm"),
    command=("systemctl", "show", "--property=Id,LoadState,ActiveState,UnitFileState", *UNITS),
)
