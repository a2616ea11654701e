"""Which routing engines opensm uses on which topology, read from ``subnet_routing.yaml``."""

from __future__ import annotations

from functools import cache

from rackwright.catalog.datafile import read_record
from rackwright.model.base import Record
from rackwright.model.fabric import Topology
from rackwright.model.sku import Source


class FatTreeRanks(Record):
    """How many tiers of switches the engine for fat trees takes."""

    least: int
    most: int


class SubnetRouting(Record):
    """Everything of ``subnet_routing.yaml``."""

    engines: dict[Topology, list[str]]
    """In the order in which opensm tries them; topologies that no InfiniBand fabric has are left out."""
    rooted: list[str]
    """Those that rank switches from roots."""
    fat_tree_ranks: FatTreeRanks
    sources: list[Source]


@cache
def load() -> SubnetRouting:
    """``subnet_routing.yaml`` as its record."""
    return read_record("subnet_routing", SubnetRouting)
