"""The study of rented slices: hosts, chips, memory and peak rate of each set, for ``studies["slices"]``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rackwright.catalog import Catalog
from rackwright.model.design import Design
from rackwright.model.slices import Slices


def add(design: Design, catalog: Catalog) -> Design:
    """`design` with ``studies["slices"]``, one entry per set; unchanged when the site rents none. They add nothing to racks, power and totals."""
    if not design.site.slices:
        return design
    sets = [_slices(entry, catalog) for entry in design.site.slices]
    return replace(design, studies={**design.studies, "slices": sets})


def _slices(entry: Slices, catalog: Catalog) -> dict[str, Any]:
    instance = catalog.instances[entry.instance]
    part = catalog.accelerators[instance.accelerator]
    hosts = instance.instances_of(entry.topology)
    chips = hosts * instance.accelerators * entry.count
    return {
        "name": entry.name,
        "instance": instance.sku,
        "accelerator": part.sku,
        "cloud": instance.cloud,
        "zone": entry.zone,
        "topology": entry.topology,
        "slices": entry.count,
        "hosts_per_slice": hosts,
        "chips_per_host": instance.accelerators,
        "chips": chips,
        "memory_gib": chips * part.memory_gib,
        "bf16_dense_pflops": round(chips * (part.bf16_dense_tflops or 0) / 1000, 3),
        "network_gbps_per_slice": hosts * instance.network_gbps,
        "labels": instance.node_labels(entry.topology),
        "resource": instance.resource,
        "not_judged": instance.not_judged,
    }
