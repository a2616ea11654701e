"""Accelerators, adapters and the bridges above them use packets of full size."""

from rackwright import compare
from rackwright.compare import bus
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.pci import Pci
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, seen: Pci) -> Finding:
    """The smallest payload on a way holds for all of it: compare every function on it with the limit."""
    found = bus.functions(expectation, seen)
    row = compare.limit(expectation, "pcie.max_payload_bytes")
    if found is None or row is None:
        return compare.no_limit(expectation, "pcie.max_payload_bytes" if found is not None else bus.IDS)
    return compare.every(
        expectation,
        {bus.named(one): one.max_payload_bytes for one in found},
        lambda value: value >= compare.number(row),
        what="PCIe payload in bytes",
        expected=f"at least {row.value}",
        source=compare.limit_source(row),
    )


CHECK = Check(reads=Pci, judge=judge, applies=bus.accelerators_on_bus)
