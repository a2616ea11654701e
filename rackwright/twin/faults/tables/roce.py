"""Faults of RoCE ports."""

from __future__ import annotations

from rackwright.twin.faults.changes import RAIL_NAMES, set_port, set_system_from, swap_ethernet_ports
from rackwright.twin.faults.fault import Fault

FAULTS = (
    Fault(
        name="roce-address-missing",
        summary="A RoCE port has no IP address, so that no peer can reach it",
        apply=set_port(gid=False),
        checks={"nic.roce"},
        names=RAIL_NAMES,
        needs="roce",
    ),
    Fault(
        name="roce-cables-swapped",
        summary="Two RoCE cables of a node are swapped at their leaves",
        apply=swap_ethernet_ports("compute"),
        checks={"ethernet.cabling", "link.npu_cabling"},
        names={"{compute[0]}"},
        needs="roce",
    ),
    # Its settings were lost at a restart.
    Fault(
        name="roce-ecn-off",
        summary="A RoCE port does not notify of congestion",
        apply=set_system_from(
            lambda machine: {"ecn_off": tuple(nic.name for nic in machine.nics if nic.role == "compute")[:1]}
        ),
        checks={"nic.ecn"},
        names={"('', '')"},
        needs="roce",
    ),
    Fault(
        name="roce-flow-control-off",
        summary="A RoCE port has no lossless priority, so that it drops packets under load",
        apply=set_port(lossless=()),
        checks={"nic.lossless"},
        names=RAIL_NAMES,
        needs="roce",
    ),
    Fault(
        name="roce-link-slow",
        summary="A RoCE link came up at a quarter of its rate",
        apply=set_port(gbps=100),
        checks={"ethernet.speed", "link.rate"},
        names=RAIL_NAMES,
        needs="roce",
    ),
    # Its settings were lost at a restart.
    Fault(
        name="roce-unmarked",
        summary="Packets of a RoCE port carry no code point",
        apply=set_system_from(
            lambda machine: {"unmarked": tuple(nic.name for nic in machine.nics if nic.role == "compute")[:1]}
        ),
        checks={"nic.dscp"},
        names={"traffic class 0"},
        needs="roce",
    ),
)
