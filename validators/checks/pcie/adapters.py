"""Every network adapter that was bought is on the PCI bus."""

from rackwright import compare
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.pci import Pci
from rackwright.model.verdict import Finding, Outcome


def judge(expectation: Expectation, seen: Pci) -> Finding:
    """Count the functions of every kind of adapter and compare with the ports of the server SKU."""
    outcomes, observed, wanted = [], [], []
    for name, count in kinds(expectation).items():
        row = compare.limit(expectation, "pcie.adapter_ids", adapter=name)
        if row is None:
            return compare.no_limit(expectation, f"pcie.adapter_ids adapter {name}")
        there = seen.adapters(compare.words(row))
        outcomes.append(Outcome.PASS if len(there) >= count else Outcome.FAIL)
        listed = ", ".join(one.address for one in there)
        observed.append(f"{len(there)} {name}" + (f" ({listed})" if len(there) < count else ""))
        wanted.append(f"{count} {name}")
    return compare.finding(
        expectation,
        compare.worst(outcomes),
        what="ports of network adapters on the bus:",
        observed="; ".join(observed),
        expected="; ".join(wanted),
        source=compare.sku_source(expectation.node.server, "ports"),
    )


def kinds(expectation: Expectation) -> dict[str, int]:
    """How many ports of each kind of adapter the server SKU has, those on the accelerators themselves left out."""
    found: dict[str, int] = {}
    for port in expectation.node.server.ports:
        row = compare.limit(expectation, "pcie.adapter_ids", adapter=port.adapter)
        if port.role != "bmc" and (row is None or compare.words(row) != [ON_ACCELERATOR]):
            found[port.adapter] = found.get(port.adapter, 0) + port.count
    return found


def applies(expectation: Expectation) -> bool:
    """Nodes with adapters of their own on the bus."""
    return compare.has_accelerators(expectation) and bool(kinds(expectation))


ON_ACCELERATOR = "accelerator"
"""Stands for adapters that are part of the accelerator and have no function of their own on the bus."""


CHECK = Check(title="All network adapters are on the bus", reads=Pci, judge=judge, applies=applies)
