"""Faults of the in-band and the out-of-band Ethernet networks."""

from __future__ import annotations

from collections.abc import Sequence

from rackwright.twin.faults.changes import (
    INBAND_NAMES,
    set_inband_port,
    set_machine,
    swap_ethernet,
    swap_ethernet_ports,
)
from rackwright.twin.faults.fault import Fault
from rackwright.twin.hardware.state import State


def swap_bmc_cables(state: State, nodes: Sequence[str]) -> State:
    """Swap the far ends of the BMC cables of two nodes."""
    first, second = nodes
    far_ends = {first: state.machines[second].bmc_far, second: state.machines[first].bmc_far}
    for node in nodes:
        state = set_machine(bmc_far=far_ends[node])(state, [node])
    return state


def swap_cables_of_two_nodes(state: State, nodes: Sequence[str]) -> State:
    """Swap the far ends of the first in-band cables of two nodes."""
    first, second = nodes
    return swap_ethernet(state, (first, 0), (second, 0))


FAULTS = (
    Fault(
        name="bmc-cable-foreign-switch",
        summary="The cable of a BMC ends in a switch that is not of the plan",
        apply=set_machine(bmc_far=("office-switch-2", "swp31")),
        checks={"ethernet.out_of_band"},
        names={"cable of the BMC"},
        refused=False,
    ),
    Fault(
        name="bmc-cables-swapped",
        summary="The BMC cables of two nodes are swapped",
        apply=swap_bmc_cables,
        checks={"ethernet.out_of_band"},
        names={"cable of the BMC"},
        nodes=2,
        refused=False,
    ),
    Fault(
        name="ethernet-bit-errors",
        summary="An in-band port loses frames to bit errors",
        apply=set_inband_port(crc_errors=90_211),
        checks={"ethernet.errors"},
        names=INBAND_NAMES,
    ),
    Fault(
        name="ethernet-down",
        summary="An in-band port has no link",
        apply=set_inband_port(up=False),
        checks={"ethernet.speed"},
        names=INBAND_NAMES,
    ),
    Fault(
        name="ethernet-flapping",
        summary="An in-band port loses its carrier dozens of times a day",
        apply=set_inband_port(carrier_downs=40),
        checks={"ethernet.flaps"},
        names=INBAND_NAMES,
    ),
    Fault(
        name="ethernet-slow",
        summary="An in-band port came up at 1 Gb/s",
        apply=set_inband_port(gbps=1),
        checks={"ethernet.speed"},
        names=INBAND_NAMES,
    ),
    Fault(
        name="inband-cables-swapped",
        summary="The in-band cables of two nodes are swapped",
        apply=swap_cables_of_two_nodes,
        checks={"ethernet.cabling"},
        names=INBAND_NAMES,
        nodes=2,
    ),
    Fault(
        name="inband-foreign-switch",
        summary="An in-band cable ends in a switch that is not of the plan",
        apply=set_inband_port(far=("lab-switch-07", "swp12")),
        checks={"ethernet.cabling"},
        names=INBAND_NAMES,
    ),
    Fault(
        name="inband-ports-swapped",
        summary="The two in-band cables of a node are swapped",
        apply=swap_ethernet_ports("inband"),
        checks={"ethernet.cabling"},
        names=INBAND_NAMES,
    ),
)
