"""No accelerator, adapter or bridge above them has had a fatal PCIe error since its status was cleared."""

from rackwright import compare
from rackwright.compare import bus
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.pci import Pci
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Pci) -> Finding:
    """Compare the device status with the refused states."""
    functions = bus.functions(expectation, record)
    row = compare.limit(expectation, "pcie.refused_status")
    if functions is None or row is None:
        return compare.no_limit(expectation, "pcie.refused_status" if functions is not None else bus.IDS)
    return compare.every(
        expectation,
        {
            bus.function_name(function): None if function.errors is None else tuple(function.errors)
            for function in functions
        },
        lambda value: not any(word in compare.words(row) for word in value),
        what="PCIe device status:",
        expected=f"none of {', '.join(compare.words(row))}",
        source=compare.limit_source(row),
    )


CHECK = Check(reads=Pci, judge=judge, applies=bus.accelerators_on_bus)
