"""Parts without a rack of their own: transceivers, adapters, and cloud instances."""

from __future__ import annotations

from typing import Literal

from rackwright.model import texts
from rackwright.model.sku import Sku
from rackwright.model.texts import Label


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
