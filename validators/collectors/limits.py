"""Resource limits of the probe's own login session, which are those of a user's job: `prlimit` (util-linux)."""

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.host import UserLimits

COLUMNS = 2
WANTED = {"NOFILE": "open_files", "STACK": "stack_bytes", "NPROC": "processes"}


def parse(output: str) -> UserLimits:
    """Lines of resource and soft limit."""
    limits: dict[str, int | None] = {}
    for number, line in enumerate(output.splitlines(), start=1):
        words = line.split()
        if not words:
            continue
        if len(words) != COLUMNS or not (words[1] == "unlimited" or words[1].isdecimal()):
            raise ParseError(number, line, "a resource and its soft limit")
        if words[0] in WANTED:
            limits[WANTED[words[0]]] = None if words[1] == "unlimited" else int(words[1])
    if limits.keys() != set(WANTED.values()):
        raise ParseError(1, output, f"the limits {', '.join(WANTED)}")
    return UserLimits(**limits)


COLLECTOR = Collector(
    produces=UserLimits,
    parse=parse,
    seconds=10,
    roles=("accelerator",),
    command=("prlimit", "--noheadings", "--raw", "--output", "RESOURCE,SOFT"),
)
