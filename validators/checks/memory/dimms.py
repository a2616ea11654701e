"""Every memory module that the server was bought with is present, and all have one size."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.memory import Dimm, Memory
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: Memory) -> Finding:
    """Compare the sum of all modules with the server SKU, and name empty and odd slots if it is too small."""
    planned = expectation.node.server.memory_gib
    sizes = [dimm.bytes for dimm in record.dimms if dimm.bytes]
    total = sum(sizes) / compare.GIB
    unknown = [dimm.slot for dimm in record.dimms if dimm.bytes is None]
    if unknown or not sizes:
        outcome = Outcome.INCONCLUSIVE
    else:
        outcome = Outcome.PASS if total >= planned and len(set(sizes)) == 1 else Outcome.FAIL
    odd_slots = [text(dimm, max(sizes, default=0)) for dimm in record.dimms if odd(dimm, max(sizes, default=0))]
    return compare.finding(
        expectation,
        outcome,
        what="memory modules:",
        observed=f"{total:.0f} GiB in {len(sizes)} modules"
        + (f"; {', '.join(odd_slots)}" if outcome != Outcome.PASS else ""),
        expected=f"{planned} GiB in modules of one size",
        source=compare.sku_source(expectation.node.server, "memory_gib"),
    )


def odd(dimm: Dimm, usual: int) -> bool:
    """Whether a slot differs from the usual size."""
    return dimm.bytes != usual


def text(dimm: Dimm, usual: int) -> str:
    """A slot and its defect, in words."""
    if dimm.bytes is None:
        return f"{dimm.slot} not readable"
    if not dimm.bytes:
        return f"{dimm.slot} empty or taken out"
    return f"{dimm.slot} {dimm.bytes / compare.GIB:.0f} GiB instead of {usual / compare.GIB:.0f}"


CHECK = Check(reads=Memory, judge=judge, applies=compare.has_accelerators)
