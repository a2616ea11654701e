"""Parts without a rack of their own: transceivers, adapters, and cloud instances."""

from __future__ import annotations

from math import prod
from typing import Literal

from rackwright.model import texts
from rackwright.model.sku import Sku
from rackwright.model.texts import Label, LabelOrNothing, Line, Name, TorusWord

ACCELERATOR_LABEL = "cloud.google.com/gke-tpu-accelerator"
TOPOLOGY_LABEL = "cloud.google.com/gke-tpu-topology"
"""Labels of nodes with TPUs (Google Kubernetes Engine, About TPUs in GKE)."""


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
    form: LabelOrNothing = ""
    """Cage of its ports (``OSFP-RHS``, ``QSFP112``)."""
    transport: list[Literal["infiniband", "ethernet"]] = []
    """What its ports speak; empty where nothing is published."""
    cage_watts: float | None = None
    """Most that the plug of one of its cages may draw; none where nothing is published."""
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

    zones: list[Name] = []
    """Zones in which slices of it are offered."""
    accelerator_label: LabelOrNothing = ""
    """Value of the label by which Kubernetes of its cloud tells its accelerator, where it makes slices (``tpu-v5p-slice``)."""
    resource: LabelOrNothing = ""
    """Extended resource by which Kubernetes of its cloud gives its accelerators away."""
    not_judged: Line | None = None
    """Why nodes of its slices are not brought up, judged or accepted here."""

    def node_labels(self, topology: str) -> dict[str, str]:
        """Labels of the nodes of a slice of `topology`, by which jobs select it."""
        return {ACCELERATOR_LABEL: self.accelerator_label, TOPOLOGY_LABEL: topology}

    def slices_for(self, chips: int) -> tuple[str, int]:
        """(topology, number) of the fewest slices with at least `chips` chips: the smallest topology that holds them all, else the largest."""
        sizes = {shape: self.instances_of(shape) * self.accelerators for shape in self.topologies}
        holding = [shape for shape in self.topologies if sizes[shape] >= chips]
        shape = min(holding, key=sizes.__getitem__) if holding else max(self.topologies, key=sizes.__getitem__)
        return shape, -(-chips // sizes[shape])

    def instances_of(self, topology: str) -> int:
        """How many instances a slice of `topology` has."""
        return prod(map(int, topology.split("x"))) // self.accelerators
