"""Slices of TPUs that a site rents: capacity of a cloud without racks, cables and BMCs of the site."""

from __future__ import annotations

from rackwright.model import texts
from rackwright.model.base import Name, Positive, Record
from rackwright.model.texts import TorusWord


class Slices(Record):
    """Equal slices, each made, replaced and deleted as one by the cloud (a node pool of GKE)."""

    name: Name
    instance: texts.Sku
    """SKU of the cloud instance that each host of a slice is (``ct5p-hightpu-4t``)."""
    topology: TorusWord
    """Chips of one slice along each axis (``4x4x4``)."""
    count: Positive = 1
    zone: Name
    """Zone of the cloud (``us-east5-a``)."""
