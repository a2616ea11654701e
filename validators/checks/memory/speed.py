"""Every memory module runs as fast as its rating and the modules on its channel allow, and all at one speed."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.memory import Memory
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: Memory) -> Finding:
    """Compare the speed of every module with the fastest of the node, with its rating, and with the speed of the server
    for that many modules.
    """
    server = expectation.node.server
    modules = [module for module in record.dimms if module.bytes]
    highest = server.memory_speeds.highest(len(modules), server.cpu_sockets) if server.memory_speeds else None
    fastest = max((module.running_mts or 0 for module in modules), default=0)
    readings = {
        f"{module.slot} (serial {module.serial or 'unknown'})": None
        if module.running_mts is None or module.rated_mts is None
        else f"{module.running_mts} of {module.rated_mts} MT/s"
        for module in modules
    }
    ratings = {module.rated_mts for module in modules if module.rated_mts is not None}
    bounds = {rating: rating if highest is None else min(rating, highest) for rating in ratings}
    good = {f"{fastest} of {rating} MT/s" for rating, bound in bounds.items() if fastest >= bound}
    alike = len({module.running_mts for module in modules}) == 1
    return compare.every(
        expectation,
        readings,
        lambda text: text in good,
        what="memory speed of",
        expected=f"at least {highest} MT/s with {len(modules)} modules, or the rated speed where it is lower, on every module"
        if highest is not None
        else "the rated speed on every module",
        source=f"SKU {server.sku}, memory_speeds" if highest is not None else "the modules' own rating",
        bad=Outcome.DEGRADED if alike and highest is None else Outcome.FAIL,
    )


CHECK = Check(reads=Memory, judge=judge, applies=compare.has_accelerators)
