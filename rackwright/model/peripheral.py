"""Parts without a rack of their own: transceivers, adapters, and cloud instances."""

from __future__ import annotations

from math import prod
from typing import Literal

from rackwright.model import texts
from rackwright.model.sku import Sku
from rackwright.model.texts import Label, TorusWord


class Optic(Sku):
    """A pluggable transceiver."""

    kind: Literal["optic"]
    form: Label
    """Cage it fits (``OSFP``, ``QSFP112``)."""
    gbps: int
    links: int = 1
    watts: float
    max_meters: float


class Nic(Sku):
    """A network adapter or DPU."""

    kind: Literal["nic"]
    ports: int
    gbps: int
    breakouts: list[int] = [1]
    """Ways to split one port: 2 turns 800 Gb/s into 2 x 400 Gb/s, each with a PCI function of its own."""
    pcie_generation: int
    pcie_width: int
    typical_watts: float | None = None
    peak_watts: float


class Instance(Sku):
    """A cloud instance type; none of its hardware stands in the site's racks."""

    kind: Literal["instance"]
    cloud: Literal["aws", "gcp", "azure", "oci", "other"]
    accelerator: texts.Sku
    accelerators: int
    network_gbps: int
    topologies: list[TorusWord] = []
    """Shapes of the slices that such instances make, in chips along each axis (``4x4x4``); empty where instances stand alone."""

    def instances_of(self, topology: str) -> int:
        """How many instances a slice of `topology` has."""
        return prod(map(int, topology.split("x"))) // self.accelerators
