"""A cable between a leaf and a spine is not plugged in."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults import Fault
from rackwright.twin.faults._network import on_trunk

FAULT = Fault(
    name="leaf-cable-missing",
    summary="A cable between a leaf and a spine is not plugged in",
    # The second cable of the first leaf of each node, unplugged.
    apply=on_trunk(1, lambda cable: replace(cable, connected=False)),
    checks=frozenset({"fabric.leaf_spine"}),
    elsewhere=frozenset({"fabric.leaf_spine"}),
    refused=False,
    names=frozenset({"leaf-01"}),
)
