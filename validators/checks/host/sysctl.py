"""The kernel settings have the values of the limits."""

from rackwright import compare
from rackwright.compare.threshold import one_of, threshold
from rackwright.model.check import Expectation
from rackwright.model.evidence.host import Host
from rackwright.model.verdict import Outcome


def settings(_: Expectation, host: Host, required: list[str]) -> dict[str, str | None]:
    """The value of every required ``key=value`` in the running kernel; None for a key that was not read."""
    keys = [setting.split("=", maxsplit=1)[0] for setting in required]
    return {key: f"{key}={' '.join(host.sysctl[key].split())}" if key in host.sysctl else None for key in keys}


CHECK = threshold(
    reads=Host,
    metric="host.sysctl",
    readings=settings,
    good=one_of,
    what="kernel settings:",
    expected="{words}",
    bad=Outcome.DEGRADED,  # a wrong setting costs speed, not health
    applies=compare.has_accelerators,
)
