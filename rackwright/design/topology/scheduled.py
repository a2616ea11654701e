"""Scheduled fabric (DDC): leaves cut packets into cells and spray them over fabric elements that only forward cells.

Leaves are packed with hosts and use all of their fabric ports; fabric elements are counted by the rule of equal port groups, in one tier or
two.
"""

from __future__ import annotations

from collections.abc import Sequence

from rackwright.design.population import MachineSlot, ScalableUnit
from rackwright.design.topology import leaf_spine
from rackwright.design.topology.network import Network


def build(network: Network, units: Sequence[ScalableUnit], control: Sequence[MachineSlot]) -> None:
    """Fills `network` with packet leaves and the fabric elements above them."""
    if network.switch.uplinks is None:
        raise network.refuse(
            f"{network.switch.sku} has no fabric ports to schedule over",
            "a leaf whose part lists uplinks",
            f"{network.switch.sku} without uplinks",
            "choose a leaf of a scheduled fabric, or topology leaf-spine",
            f"{network.path}.switch",
        )
    leaf_spine.build(network, units, control)
