"""Leaves and spines: rail-optimised (one leaf per adapter), fat-tree (always spines) and leaf-spine (a pair may do).

Leaves are sized for whole scalable units. Two leaves of a leaf-spine fabric are joined directly instead of through
spines: as many inter-switch links as hosts on one leaf, divided by the oversubscription.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from rackwright.design.population import Machine, Unit
from rackwright.design.topology import clos, hosts, radix
from rackwright.design.topology.network import Network


def build(network: Network, units: Sequence[Unit], control: Sequence[Machine]) -> None:
    """Fills `network` with leaves, hosts, spines and cores."""
    ports = network.switch.ports.count
    down, up = radix.split(ports, network.fabric.oversubscription)
    homes = [(unit, hosts.spread(network, unit, down)) for unit in units]
    wanted = sum(len(machine.ports(network.fabric.role)) for machine in control)
    if wanted and homes:
        leaves = hosts.home(homes, wanted, network.fabric.role, down)
        hosts.attach(network, control, leaves, down, f"{units[-1].path}.count")
    _upper(network, units, wanted, down, up)


def _upper(network: Network, units: Sequence[Unit], wanted: int, down: int, up: int) -> None:
    leaves = network.count("leaf")
    if network.fabric.topology == "leaf-spine" and leaves == 2:
        hosts_per_leaf = min(len(units[0].machines) + math.ceil(wanted / leaves), down)
        links = min(math.ceil(hosts_per_leaf / radix.ratio(network.fabric.oversubscription)), up)
        clos.join_pair(network, links, down)
        return
    plan = radix.tiers(leaves, up, network.switch.ports.count)
    if plan is None:
        raise network.refuse(
            f"fabric {network.fabric.name} needs more than three tiers of {network.switch.sku}",
            f"at most {network.switch.ports.count**2 // 2} leaves",
            f"{leaves} leaves",
            "use a switch with more ports, or split the site into several fabrics",
        )
    clos.raise_tiers(network, plan, down, up)
