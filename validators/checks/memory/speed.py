"""Every memory module runs at the speed that it is rated for, and as fast as the others."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.memory import Memory
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Memory) -> Finding:
    """Compare the running speed of every module with the fastest one of the node and with its own rating."""
    modules = [one for one in seen.dimms if one.bytes]
    fastest = max((one.running_mts or 0 for one in modules), default=0)
    readings = {
        f"{one.slot} (serial {one.serial or 'unknown'})": None
        if one.running_mts is None or one.rated_mts is None
        else f"{one.running_mts} of {one.rated_mts} MT/s"
        for one in modules
    }
    good = {f"{fastest} of {one.rated_mts} MT/s" for one in modules if one.rated_mts == fastest}
    return compare.every(
        expectation,
        readings,
        lambda found: found in good,
        what="memory speed of",
        expected="the rated speed on every module",
        source="the modules' own rating",
    )


CHECK = Check(reads=Memory, judge=judge, applies=compare.has_accelerators)
