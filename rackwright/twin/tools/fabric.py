"""What `ibnetdiscover` prints of a subnet: every end of every cable that is plugged and trains.

The twin's own subnet manager host answers with the real tool on a simulated fabric (`rackwright.twin.hardware.fabric`); this is the same
subnet without it. Adapters of machines outside the twin are left out, unless they are to manage the subnet.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from operator import is_
from typing import Any

import polars as pl

from rackwright.model.design import Design
from rackwright.model.evidence.fabric import FabricMap, LinkTable
from rackwright.model.evidence.link_table import SCHEMA
from rackwright.twin.hardware import wires
from rackwright.twin.hardware.fabric import switch_guid
from rackwright.twin.hardware.state import BuiltCable, CableEnd, State, port_guid
from rackwright.twin.tools import Silent

LETTER = {"Switch": "S", "Ca": "H", "Rt": "R"}
Row = tuple[Any, ...]
"""The fields of a `FabricLink`; thousands of records would cost more than what is done with them."""
_tables: dict[str, list[tuple[list[object], LinkTable]]] = {}
"""By fabric: the tables of the first state and of the latest one, with the objects that they depend on."""


def observe(state: State, design: Design, node: str) -> FabricMap:
    """The subnet called `node`: for this collector the subject is a fabric."""
    links = ends(state, design, node)
    if not len(links):
        raise Silent(f"subnet {node} has no link that trains")
    return FabricMap(links=links)


def ends(state: State, design: Design, fabric: str) -> LinkTable:
    """Both ends of every link of `fabric`: switches first, as the tool prints them, then adapters, each with all of its ports."""
    cables = [cable for cable in state.cables if cable.fabric == fabric]
    parts = [design, *cables, *state.machines, *(machine.nics for machine in state.machines.values())]
    tables = _tables.get(fabric, [])
    for used, table in tables:
        if len(used) == len(parts) and all(map(is_, used, parts)):
            return table
    table = _table(state, design, fabric, cables)
    _tables[fabric] = [*tables[:1], (parts, table)]
    return table


def _table(state: State, design: Design, fabric: str, cables: Sequence[BuiltCable]) -> LinkTable:
    cabling = wires.plan(design)
    links: list[Row] = []
    for cable in cables:
        gbps = wires.trained(state, cable, cabling.rates[cable.cable])
        if gbps and all(_is_present(end, state, cabling, fabric) for end in (cable.a, cable.b)):
            near, far = _identity(design, cabling, cable.a), _identity(design, cabling, cable.b)
            speed = _speed(state, cable, gbps)
            links += [(*near, *far, speed), (*far, *near, speed)]
    devices = {guid: place for place, guid in enumerate(dict.fromkeys(guid for guid, *_ in links))}
    links.sort(key=lambda link: (link[1] != "Switch", devices[link[0]], link[3]))
    return LinkTable(pl.DataFrame(dict(zip(SCHEMA, zip(*links, strict=True), strict=bool(links))), schema=SCHEMA))


def _is_present(end: CableEnd, state: State, cabling: wires.CablePlan, fabric: str) -> bool:
    managers = cabling.wiring.managers.get(fabric, ())
    return (end.device, end.port) in cabling.numbers or end.device in state.machines or end.device in managers


def _speed(state: State, cable: BuiltCable, gbps: int) -> str:
    width = min(wires.lanes(wires.nic(state, end)) for end in (cable.a, cable.b))
    return f"{width}x{wires.speed(gbps, width)}"


def _identity(design: Design, cabling: wires.CablePlan, end: CableEnd) -> tuple[str, str, str, int]:
    """GUID, kind, description and port number."""
    number = cabling.numbers.get((end.device, end.port))
    if number is not None:
        return switch_guid(end.device), "Switch", end.device, number
    return port_guid(design.site.site, end.device, end.port), "Ca", f"{end.device} {end.port}", 1


def render(record: FabricMap) -> bytes:
    """The listing that the collector parses to `record`."""
    return _listing(record.links).encode()


@lru_cache(8)
def _listing(links: LinkTable) -> str:
    devices = groupby(links.frame.iter_rows(), key=lambda link: link[:3])
    blocks = [_block(guid, kind, name, list(ports)) for (guid, kind, name), ports in devices]
    return "#\n# Topology file: generated on Sat Nov 21 08:02:07 2026\n#\n\n" + "\n".join(blocks)


def _block(guid: str, kind: str, name: str, links: Sequence[Row]) -> str:
    digits = guid.removeprefix("0x")
    field = {"Switch": "switchguid", "Ca": "caguid", "Rt": "rtguid"}[kind]
    tail = " base port 0 lid 4 lmc 0" if kind == "Switch" else ""
    head = f'{kind}\t64 "{LETTER[kind]}-{digits}"\t\t# "{name}"{tail}\n'
    return f"vendid=0x2c9\ndevid=0x1021\nsysimgguid={guid}\n{field}={guid}\n" + head + "".join(map(_port, links))


def _port(link: Row) -> str:
    guid, kind, _, port, remote_guid, remote_kind, remote_name, remote_port, speed = link
    address = "" if kind == "Switch" else f"({int(guid, 16):x})"
    far = f'"{LETTER[remote_kind]}-{remote_guid.removeprefix("0x")}"[{remote_port}]'
    if remote_kind != "Switch":
        far += f"({int(remote_guid, 16):x})"
    lid = "" if kind == "Switch" else "lid 3 lmc 0 "
    return f'[{port}]{address}\t{far}\t\t# {lid}"{remote_name}" lid 2 {speed}\n'
