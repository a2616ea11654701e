"""NVLink domains that span a rack: the accelerators of its nodes and the NVSwitch trays between them.

Every accelerator has equally many links to every NVSwitch chip of its rack, and chips are not joined to each other. 72 accelerators of 18 links fill 18
chips of 72 ports, which are nine trays: 1,296 links (NVIDIA GB200 NVL72: nine trays of two chips). The trays stand in the rack of their
nodes, and their manager runs on them, not on the nodes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from rackwright.design import ports
from rackwright.design.population import MachineSlot, ScalableUnit
from rackwright.design.ports import Ints, PortList
from rackwright.design.topology.network import FabricSwitch, Network, Wires


@dataclass(frozen=True)
class Domain:
    """Chips of a rack, and the links of an accelerator to each."""

    chips: int
    links: int


def build(network: Network, units: Sequence[ScalableUnit], control: Sequence[MachineSlot]) -> None:  # noqa: ARG001 - as every topology
    """Fills `network` with the trays of every rack and the links of its accelerators, slots without a node included."""
    listed = ports.of_switch(network.switch)
    for unit in units:
        per_rack = unit.pool.servers_per_rack
        domain = _domain(network, unit, per_rack * unit.server.accelerators)
        count = domain.chips // network.switch.chips
        racks = -(-len(unit.machines) // per_rack)
        trays = [_trays(network, unit, listed, rack, count) for rack in range(racks)]
        network.wires.append(_wires(network, unit, domain, trays))


def _trays(network: Network, unit: ScalableUnit, listed: PortList, rack: int, count: int) -> list[FabricSwitch]:
    """The trays of one rack of `unit`. They arrive with the rack: those of a rack without nodes are absent."""
    per_rack = unit.pool.servers_per_rack
    present = any(machine.present for machine in unit.machines[rack * per_rack : (rack + 1) * per_rack])
    add_tray = partial(
        network.add, "nvswitch", network.switch, listed, pool=unit.pool.name, unit=unit.number, rack=rack
    )
    return [add_tray(present=present) for _ in range(count)]


def _domain(network: Network, unit: ScalableUnit, accelerators: int) -> Domain:
    """The fewest chips that every accelerator reaches with equally many links."""
    switch = network.switch
    links = len(network.roster.ports[unit.machines[0].id].of_role("nvlink")) // unit.server.accelerators
    per_chip = switch.ports.count // switch.chips
    for chips in range(switch.chips, links + 1, switch.chips):
        if links % chips == 0 and accelerators * (links // chips) <= per_chip:
            return Domain(chips, links // chips)
    raise network.refuse(
        f"a rack of {unit.pool.name} has more accelerators than one NVLink domain of {switch.sku} joins",
        f"at most {per_chip} accelerators with {links} links, one to every chip",
        f"{accelerators} accelerators: {unit.pool.servers_per_rack} nodes of {unit.server.accelerators}",
        "lower servers_per_rack",
        f"{unit.path}.servers_per_rack",
    )


def _wires(network: Network, unit: ScalableUnit, domain: Domain, trays: Sequence[Sequence[FabricSwitch]]) -> Wires:
    """The links of all accelerators of a unit: accelerator, chip and link of the chip, in this order."""
    ids = np.array([[tray.id for tray in rack] for rack in trays], dtype=np.int32)
    per_node, per_rack, switch = unit.server.accelerators, unit.pool.servers_per_rack, network.switch
    slot, accelerator, chip, link = np.indices(
        (len(unit.machines), per_node, domain.chips, domain.links), dtype=np.int32
    ).reshape(4, -1)
    near = np.array(network.roster.ports[unit.machines[0].id].of_role("nvlink"), dtype=np.int32)
    port = near[(accelerator * domain.chips + chip) * domain.links + link]
    tray: Ints = ids[slot // per_rack, chip // switch.chips]
    member = (slot % per_rack) * per_node + accelerator
    far = (chip % switch.chips) * (switch.ports.count // switch.chips) + member * domain.links + link
    present = np.array([machine.present for machine in unit.machines], dtype=np.bool_)
    gbps = network.switch.ports.gbps
    return Wires("nvlink", gbps, unit.machines[0].id + slot, port, tray, far.astype(np.int32), present[slot])
