"""Parts that the node was bought with, and the names by which parts are found."""

from __future__ import annotations

from collections.abc import Callable
from fnmatch import fnmatchcase
from typing import Protocol, TypeVar

from rackwright.compare.named_readings import NamedReadings
from rackwright.model.check import Expectation
from rackwright.model.sku import Accelerator, Sku

T = TypeVar("T")

GIB = 2**30
"""Bytes in a GiB (IEC 80000-13)."""


class AcceleratorPart(Protocol):
    """An accelerator in any record."""

    @property
    def index(self) -> int:
        """Number of the accelerator in the vendor's library."""
        ...

    @property
    def pci_bus_id(self) -> str:
        """PCI address."""
        ...

    @property
    def serial(self) -> str:
        """Its serial number."""
        ...


D = TypeVar("D", bound=AcceleratorPart)


class Devices(Protocol[D]):
    """A record of accelerators."""

    @property
    def devices(self) -> list[D]:
        """The accelerators in order of their index."""
        ...


def has_accelerators(expectation: Expectation) -> bool:
    """Whether the node was bought with accelerators; for `Check.applies`."""
    return expectation.node.accelerator is not None


def is_onboarded(expectation: Expectation) -> bool:
    """Whether rackwright sets up the node's operating system; an appliance has its own."""
    return bool(expectation.node.server.ansible_groups)


def accelerator(expectation: Expectation) -> Accelerator:
    """The accelerator SKU of a node that has one; guard the check with `has_accelerators`."""
    assert expectation.node.accelerator is not None, f"{expectation.node.name} has no accelerators"
    return expectation.node.accelerator


def by_device(devices: Devices[D], read: Callable[[D], T]) -> NamedReadings[T]:
    """One reading of every accelerator, under the name by which an engineer finds it."""
    return NamedReadings([read(device) for device in devices.devices], lambda: map(name, devices.devices))


def name(part: AcceleratorPart) -> str:
    """The name by which an engineer finds an accelerator, the same in all findings."""
    return f"GPU {part.index} ({part.pci_bus_id}, serial {part.serial})"


def sku_source(sku: Sku, field: str) -> str:
    """The document that covers `field` of a SKU, in words."""
    for source in sku.sources:
        if any(fnmatchcase(field, pattern) for pattern in source.covers):
            return f"SKU {sku.sku}: {source.doc}, {source.date}"
    return f"SKU {sku.sku}"
