"""Accelerators, adapters and the bridges above them use the full payload size."""

from rackwright import compare
from rackwright.compare import bus
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.pci import Pci
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Pci) -> Finding:
    """Compare every function with the limit: the smallest payload on a path holds for all of it."""
    functions = bus.functions(expectation, record)
    row = compare.limit(expectation, "pcie.max_payload_bytes")
    if functions is None or row is None:
        return compare.no_limit(expectation, "pcie.max_payload_bytes" if functions is not None else bus.IDS)
    return compare.every(
        expectation,
        {bus.function_name(function): function.max_payload_bytes for function in functions},
        lambda value: value >= compare.number(row),
        what="PCIe payload in bytes",
        expected=f"at least {row.value}",
        source=compare.limit_source(row),
    )


CHECK = Check(reads=Pci, judge=judge, applies=bus.accelerators_on_bus)
