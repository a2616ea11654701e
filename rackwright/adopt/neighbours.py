"""Switch ports that nodes hear (LLDP) or that the InfiniBand subnet shows (ibnetdiscover)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import polars as pl

from rackwright.adopt.reading import NodeReading
from rackwright.model.evidence.fabric import LinkTable
from rackwright.model.evidence.network import Ethernet, Rdma, port_guids


@dataclass(frozen=True)
class SwitchPort:
    """A port of a node and the switch port at the other end of its cable."""

    host: str
    port: str
    switch: str
    switch_port: str
    by: str
    """``lldp`` or ``ibnetdiscover``."""


def lldp_neighbours(readings: Sequence[NodeReading]) -> Iterator[SwitchPort]:
    """Every neighbour of every Ethernet port."""
    for reading in readings:
        ethernet = reading.get(Ethernet)
        for port, entry in ethernet.ports.items() if ethernet else ():
            for far in entry.neighbours:
                yield SwitchPort(reading.host, port, far.system, far.port, "lldp")


def subnet_neighbours(readings: Sequence[NodeReading], subnets: Iterable[LinkTable]) -> Iterator[SwitchPort]:
    """Every adapter that one of `subnets` shows at a switch."""
    ends: dict[str, tuple[str, int]] = {}
    for links in subnets:
        at_switch = links.frame.filter((pl.col("kind") == "Ca") & (pl.col("remote_kind") == "Switch"))
        for guid, switch, port in at_switch.select("guid", "remote_name", "remote_port").iter_rows():
            ends[guid] = (switch, port)
    for reading in readings:
        rdma = reading.get(Rdma)
        for device, guid in port_guids(rdma.devices).items() if rdma else ():
            if guid in ends:
                yield SwitchPort(reading.host, device, ends[guid][0], str(ends[guid][1]), "ibnetdiscover")
