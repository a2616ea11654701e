"""Faults of an InfiniBand fabric beyond its nodes: cables between switches, subnet managers, partitions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rackwright.twin.faults.changes import (
    RAIL_NAMES,
    change_cables,
    change_machine,
    set_leaf,
    set_port,
    set_trunk,
    set_trunk_counters,
    trunk_cables,
)
from rackwright.twin.faults.fault import Fault
from rackwright.twin.hardware.state import State

HIGHEST_PRIORITY = 15


def swap_cables_at_spines(state: State, nodes: Sequence[str]) -> State:
    """Swap the far ends of the first and the last cable between the first leaf of each node and its spines."""
    for node in nodes:
        cables = trunk_cables(state, node)
        for first, last in zip(cables[:1], cables[-1:], strict=True):
            state = change_cables(state, {first.cable: replace(first, b=last.b), last.cable: replace(last, b=first.b)})
    return state


def stop_last_subnet_manager(state: State, nodes: Sequence[str]) -> State:
    """Stop the subnet manager on the last UFM machine."""
    del nodes
    machines = [name for name, machine in state.machines.items() if machine.role == "ufm"]
    stop = change_machine(lambda machine: replace(machine, rdma=replace(machine.rdma, subnet_manager=False)))
    return stop(state, machines[-1:])


def start_subnet_manager_on_leaf(state: State, nodes: Sequence[str]) -> State:
    """Start a subnet manager of the highest priority on the first leaf of each node."""
    for node in nodes:
        for leaf in {cable.a.device for cable in trunk_cables(state, node)}:
            switch = replace(state.switches[leaf], manager_priority=HIGHEST_PRIORITY)
            state = replace(state, switches={**state.switches, leaf: switch})
    return state


FAULTS = (
    Fault(
        name="leaf-cable-lossy",
        summary="A cable between a leaf and a spine loses packets although its link is up at full rate",
        # the fourth cable of the first leaf of each node
        apply=set_trunk(3, delivered_share=0.6),
        elsewhere={"collective.across_nodes", "rail.bandwidth", "peers.rail_bandwidth"},
        needs="infiniband",
        refused=False,
        between=True,
    ),
    Fault(
        name="leaf-cable-missing",
        summary="A cable between a leaf and a spine is not plugged in",
        # The second cable of the first leaf of each node, unplugged.
        apply=set_trunk(1, connected=False),
        checks={"fabric.leaf_spine"},
        names={"leaf-01"},
        elsewhere={"fabric.leaf_spine"},
        refused=False,
    ),
    Fault(
        name="leaf-cable-slow",
        summary="A cable between a leaf and a spine trained down to half of its rate",
        # The third cable of the first leaf of each node, at half of its rate.
        apply=set_trunk(2, gbps=200),
        checks={"fabric.trunk_rate"},
        names={"leaf-01"},
        elsewhere={"fabric.trunk_rate"},
        refused=False,
    ),
    Fault(
        name="leaf-cables-swapped",
        summary="Two cables of a leaf are swapped at their spines",
        apply=swap_cables_at_spines,
        checks={"fabric.leaf_spine"},
        names={"are swapped"},
        elsewhere={"fabric.leaf_spine"},
        refused=False,
    ),
    Fault(
        name="leaf-fan-still",
        summary="A fan of a leaf stands still",
        # The alarm of a real SB7790 is on in treydock/infiniband_exporter: collectors/fixtures/ibswinfo/test1.out.
        apply=set_leaf(still_fans=(3,)),
        checks={"fabric.switch_fans"},
        names={"leaf-01"},
        elsewhere={"fabric.switch_fans"},
        refused=False,
    ),
    Fault(
        name="leaf-hot",
        summary="A leaf is warmer than where it warns",
        # A real QM9700 warns from 95 degrees Celsius on (stanford-rc/ibswinfo issue 28).
        apply=set_leaf(celsius=97.0),
        checks={"fabric.switch_temperature"},
        names={"leaf-01"},
        elsewhere={"fabric.switch_temperature"},
        refused=False,
    ),
    Fault(
        name="leaf-module-hot",
        summary="A module in a port of a leaf is too warm",
        # Modules of 400 Gb/s raise their own alarm at 75 or 80 degrees Celsius.
        apply=set_leaf(module_celsius={5: 83.0}),
        checks={"fabric.switch_modules"},
        names={"leaf-01"},
        elsewhere={"fabric.switch_modules"},
        refused=False,
    ),
    Fault(
        name="leaf-port-discards",
        summary="A port of a leaf has thrown away packets",
        # A port in service, treydock/infiniband_exporter: collectors/fixtures/perfquery/0x506b4b03005c2740.out.
        apply=set_trunk_counters(4, LinkDownedCounter=1, PortXmitDiscards=20046, PortXmitWait=41864608),
        checks={"fabric.discards"},
        names={"leaf-01"},
        elsewhere={"fabric.discards"},
        refused=False,
    ),
    Fault(
        name="leaf-port-errors",
        summary="A port of a leaf counts receive errors, and its link went down again and again",
        # Counters of a real switch in openucx/ucx issue 9590.
        apply=set_trunk_counters(5, LinkDownedCounter=25, PortRcvErrors=26, PortXmitDiscards=2846),
        checks={"fabric.port_errors"},
        also={"fabric.discards"},
        names={"leaf-01"},
        elsewhere={"fabric.port_errors", "fabric.discards"},
        refused=False,
    ),
    Fault(
        name="leaf-supply-dark",
        summary="A power supply of a leaf has no current",
        # A real QM9790 with one cord plugged in: stanford-rc/ibswinfo issue 16.
        apply=set_leaf(dark_supplies=(1,)),
        checks={"fabric.switch_supplies"},
        names={"leaf-01"},
        elsewhere={"fabric.switch_supplies"},
        refused=False,
    ),
    Fault(
        name="partition-missing",
        summary="A port is in no partition",
        apply=set_port(keys=()),
        checks={"fabric.partitions"},
        names=RAIL_NAMES,
    ),
    Fault(
        name="subnet-manager-alone",
        summary="The second subnet manager does not run",
        apply=stop_last_subnet_manager,
        checks={"fabric.subnet_manager"},
        names={"no standby"},
        elsewhere={"fabric.subnet_manager"},
        refused=False,
    ),
    Fault(
        name="subnet-manager-foreign",
        summary="A switch runs a subnet manager of its own and wins",
        apply=start_subnet_manager_on_leaf,
        checks={"fabric.subnet_manager"},
        names={"leaf-01"},
        elsewhere={"fabric.subnet_manager"},
        refused=False,
    ),
)
