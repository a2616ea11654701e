"""Which slot a switch port belongs to, by the cable plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from rackwright.model.design import Design

BMC_FABRIC = "bmc"
SwitchPort = tuple[str, str]
"""A switch, without its domain and in small letters, and its port."""


@dataclass(frozen=True)
class SlotWiring:
    """Ends of the planned Ethernet cables of machines."""

    plugs: Mapping[SwitchPort, str]
    """Switch port -> the node whose cable ends there."""
    ports: Mapping[str, frozenset[str]]
    """Switch -> its ports."""

    @classmethod
    def of(cls, design: Design) -> SlotWiring:
        """That of `design`."""
        ethernet = [fabric.name for fabric in design.site.fabrics if fabric.transport == "ethernet"]
        nodes = {node.name for node in design.nodes()}
        cables = design.cables.filter(pl.col("fabric").is_in(ethernet))
        plugs: dict[SwitchPort, str] = {}
        for row in cables.select("a_device", "a_port", "b_device", "b_port").iter_rows():
            for machine, switch, port in ((row[0], row[2], row[3]), (row[2], row[0], row[1])):
                if machine in nodes and switch not in nodes:
                    plugs[switch_port(switch, port)] = machine
        table = design.ports.filter(pl.col("fabric").is_in(ethernet)).select("device", "port")
        ports: dict[str, set[str]] = {}
        for device, port in table.iter_rows():
            if device not in nodes:
                ports.setdefault(device, set()).add(port)
        return cls(plugs, {switch: frozenset(names) for switch, names in ports.items()})


def switch_port(switch: str, port: str) -> SwitchPort:
    """As `SlotWiring.plugs` has it: some announce their name with the domain."""
    return switch.split(".")[0].lower(), port
