"""Every memory module runs at its rated speed and as fast as the others."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.memory import Memory
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Memory) -> Finding:
    """Compare the running speed of every module with the fastest one of the node and with its own rating."""
    modules = [module for module in record.dimms if module.bytes]
    fastest = max((module.running_mts or 0 for module in modules), default=0)
    readings = {
        f"{module.slot} (serial {module.serial or 'unknown'})": None
        if module.running_mts is None or module.rated_mts is None
        else f"{module.running_mts} of {module.rated_mts} MT/s"
        for module in modules
    }
    good = {f"{fastest} of {module.rated_mts} MT/s" for module in modules if module.rated_mts == fastest}
    return compare.every(
        expectation,
        readings,
        lambda text: text in good,
        what="memory speed of",
        expected="the rated speed on every module",
        source="the modules' own rating",
    )


CHECK = Check(reads=Memory, judge=judge, applies=compare.has_accelerators)
