"""How a node of the twin marks and treats its RoCE traffic."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.roce import Roce, RocePort
from rackwright.twin.hardware import wires
from rackwright.twin.hardware.state import State
from rackwright.twin.tools.ethernet import interface_name

ANSWERED = True
LOSSLESS, DSCP, TRAFFIC_CLASS = 3, 26, 106
"""NVIDIA's RoCE configuration for fabrics without loss: DSCP 26 with the bit of ECN, on priority 3."""


def observe(state: State, design: Design, node: str) -> Roce:
    """The ports that are cabled into a RoCE fabric, as far as adapters of NVIDIA have such switches."""
    wrong = state.machines[node].system
    transports = wires.plan(design).wiring.transports
    found = {}
    for nic, link in wires.ethernet_ports(state, design, node):
        if transports[link.fabric] == "roce" and nic.adapter.startswith(("ConnectX", "BlueField")):
            on = [] if nic.name in wrong.ecn_off else [LOSSLESS]
            code = 0 if nic.name in wrong.unmarked else DSCP
            found[nic.name] = RocePort(
                interface=interface_name(nic.name),
                notifies=on,
                reacts=on,
                traffic_class=0 if nic.name in wrong.unmarked else TRAFFIC_CLASS,
                priorities={code: LOSSLESS},
            )
    return Roce(ports=found)
