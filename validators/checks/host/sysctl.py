"""The kernel settings that the limits name have their values."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.host import Host
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, seen: Host) -> Finding:
    """Compare every ``key=value`` of the limit with the running kernel; a wrong one costs speed, not health."""
    row = compare.limit(expectation, "host.sysctl")
    if row is None:
        return compare.no_limit(expectation, "host.sysctl")
    wanted = dict(setting.split("=", maxsplit=1) for setting in compare.words(row))
    readings = {key: f"{key}={' '.join(seen.sysctl[key].split())}" if key in seen.sysctl else None for key in wanted}
    return compare.every(
        expectation,
        readings,
        lambda found: found in compare.words(row),
        what="kernel settings:",
        expected=", ".join(compare.words(row)),
        source=compare.limit_source(row),
        bad=Outcome.DEGRADED,
    )


CHECK = Check(reads=Host, judge=judge, applies=compare.has_accelerators)
