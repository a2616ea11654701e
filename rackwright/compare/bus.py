"""Shared by the checks of the PCI bus: the functions that are judged, and the adapters of the server SKU on the bus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rackwright.compare.limits import limit, no_limit, words
from rackwright.compare.parts import accelerator, has_accelerators
from rackwright.compare.per_kind import per_kind
from rackwright.compare.threshold import threshold
from rackwright.model.check import Check, Expectation
from rackwright.model.evidence.pci import Pci, PciDevice
from rackwright.model.verdict import Finding

ON_ACCELERATOR = "accelerator"
"""Value in ``pcie.adapter_ids`` for adapters that are part of the accelerator: they have no function of their own on
the bus.
"""
IDS = "pcie.vendor_id or pcie.adapter_ids"
"""The limits that `functions` needs."""


def functions(expectation: Expectation, pci: Pci) -> list[PciDevice] | None:
    """Accelerators, network adapters and the bridges above them; None if the limits do not list their ids (`IDS`)."""
    ids = _ids(expectation)
    if ids is None:
        return None
    vendor, adapter_ids = ids
    ends = [*pci.accelerators(vendor), *pci.adapters(adapter_ids)]
    return [*ends, *pci.above(ends)]


@per_kind
def _ids(expectation: Expectation) -> tuple[str, list[str]] | None:
    """Vendor id of the accelerators, and PCI ids of the adapters; None if the limits lack one of them."""
    vendor = limit(expectation, "pcie.vendor_id")
    names = {port.adapter for port in expectation.node.server.ports if port.role != "bmc"}
    rows = [limit(expectation, "pcie.adapter_ids", adapter=name) for name in names]
    if vendor is None or None in rows:
        return None
    return str(vendor.value), [word for row in rows if row is not None for word in words(row)]


def function_threshold(
    *,
    metric: str,
    value: Callable[[PciDevice], Any],
    good: Callable[[Any, Any], bool],
    what: str,
    expected: str,
    judged: Callable[[PciDevice], bool] = lambda _: True,
) -> Check[Pci]:
    """As `threshold`, for the `value` of each of `functions` for which `judged` is true."""
    check = threshold(
        reads=Pci,
        metric=metric,
        readings=lambda expectation, pci, _: {
            function_name(function): value(function)
            for function in functions(expectation, pci) or ()
            if judged(function)
        },
        good=good,
        what=what,
        expected=expected,
        applies=accelerators_on_bus,
    )

    def judge(expectation: Expectation, pci: Pci) -> Finding:
        return no_limit(expectation, IDS) if _ids(expectation) is None else check.judge(expectation, pci)

    return replace(check, judge=judge)


def function_name(function: PciDevice) -> str:
    """The name of a function in findings: its address and its PCI id."""
    return f"{function.address} ({function.pci_id})"


def adapter_ports(expectation: Expectation) -> Counter[str]:
    """Kind of adapter -> its number of ports on the bus by the server SKU, without ports on the accelerators."""
    ports: Counter[str] = Counter()
    for port in expectation.node.server.ports:
        row = limit(expectation, "pcie.adapter_ids", adapter=port.adapter)
        if port.role != "bmc" and (row is None or words(row) != [ON_ACCELERATOR]):
            ports[port.adapter] += port.count
    return ports


def accelerators_on_bus(expectation: Expectation) -> bool:
    """Whether the accelerators of the node are attached over PCIe."""
    return has_accelerators(expectation) and accelerator(expectation).pcie_width > 0


def adapters_on_bus(expectation: Expectation) -> bool:
    """Whether a node with accelerators has network adapters on the bus."""
    return has_accelerators(expectation) and bool(adapter_ports(expectation))
