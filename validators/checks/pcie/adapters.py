"""Every network adapter that was bought is on the PCI bus."""

from rackwright import compare
from rackwright.compare import bus
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.pci import Pci
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, record: Pci) -> Finding:
    """Count the functions of every kind of adapter and compare with the ports of the server SKU."""
    outcomes, observed, required = [], [], []
    for name, count in bus.adapter_ports(expectation).items():
        row = compare.limit(expectation, "pcie.adapter_ids", adapter=name)
        if row is None:
            return compare.no_limit(expectation, f"pcie.adapter_ids adapter {name}")
        functions = record.adapters(compare.words(row))
        outcomes.append(Outcome.PASS if len(functions) >= count else Outcome.FAIL)
        listed = ", ".join(function.address for function in functions)
        observed.append(f"{len(functions)} {name}" + (f" ({listed})" if len(functions) < count else ""))
        required.append(f"{count} {name}")
    return compare.finding(
        expectation,
        compare.worst(outcomes),
        what="ports of network adapters on the bus:",
        observed="; ".join(observed),
        expected="; ".join(required),
        source=compare.sku_source(expectation.node.server, "ports"),
    )


CHECK = Check(reads=Pci, judge=judge, applies=bus.adapters_on_bus)
