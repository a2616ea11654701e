"""Parts without a rack of their own: transceivers, adapters, and cloud instances."""

from __future__ import annotations

from typing import Literal

from rackwright.model.sku import Sku


class Optic(Sku):
    """A pluggable transceiver."""

    kind: Literal["optic"]
    form: str
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
    pcie_generation: int
    pcie_width: int
    typical_watts: float | None = None
    peak_watts: float


class Instance(Sku):
    """A cloud instance type; none of its hardware stands in the site's racks."""

    kind: Literal["instance"]
    cloud: Literal["aws", "gcp", "azure", "oci", "other"]
    accelerator: str
    accelerators: int
    network_gbps: int
