"""No bridge above an accelerator or a network adapter redirects traffic between them to the CPU."""

from rackwright import compare
from rackwright.compare import bus
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.pci import BRIDGE, Pci
from rackwright.model.verdict import Finding


def judge(expectation: Expectation, record: Pci) -> Finding:
    """Compare the enabled services of every bridge with those that redirect traffic."""
    functions = bus.functions(expectation, record)
    row = compare.limit(expectation, "pcie.refused_acs")
    if functions is None or row is None:
        return compare.no_limit(expectation, "pcie.refused_acs" if functions is not None else bus.IDS)
    return compare.every(
        expectation,
        {
            bus.function_name(function): None if function.max_payload_bytes is None else tuple(function.acs or ())
            for function in [function for function in functions if function.pci_class == BRIDGE]
        },
        lambda value: not any(service in compare.words(row) for service in value),
        what="Access Control Services that are on:",
        expected=f"none of {', '.join(compare.words(row))}",
        source=compare.limit_source(row),
    )


CHECK = Check(reads=Pci, judge=judge, applies=bus.accelerators_on_bus)
