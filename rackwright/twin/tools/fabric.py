"""What `ibnetdiscover` prints of a subnet: every end of every cable that is plugged and trains.

The twin's own subnet manager host answers with the real tool on a simulated fabric (`rackwright.twin.hardware.fabric`); this is the same
subnet without it. Adapters of machines outside the twin are left out, unless they are to manage the subnet.
"""

from __future__ import annotations

from itertools import groupby

from rackwright.model.design import Design
from rackwright.model.evidence.fabric import FabricLink, FabricMap, LinkTable
from rackwright.twin.hardware import wires
from rackwright.twin.hardware.fabric import switch_guid
from rackwright.twin.hardware.state import BuiltCable, CableEnd, State, port_guid
from rackwright.twin.tools import Silent

LETTER = {"Switch": "S", "Ca": "H", "Rt": "R"}


def observe(state: State, design: Design, node: str) -> FabricMap:
    """The subnet called `node`: for this collector the subject is a fabric."""
    links = ends(state, design, node)
    if not len(links):
        raise Silent(f"subnet {node} has no link that trains")
    return FabricMap(links=links)


def ends(state: State, design: Design, fabric: str) -> LinkTable:
    """Both ends of every link of `fabric`: switches first, as the tool prints them, then adapters, each with all of its ports."""
    cabling = wires.plan(design)
    links = []
    for cable in state.cables:
        gbps = wires.trained(state, cable, cabling.rates[cable.cable]) if cable.fabric == fabric else 0
        if gbps and all(_is_present(end, state, cabling, fabric) for end in (cable.a, cable.b)):
            name = _speed(state, cable, gbps)
            links += [_end(design, near, far, name) for near, far in ((cable.a, cable.b), (cable.b, cable.a))]
    devices = {guid: place for place, guid in enumerate(dict.fromkeys(link.guid for link in links))}
    return LinkTable.of(sorted(links, key=lambda link: (link.kind != "Switch", devices[link.guid], link.port)))


def _is_present(end: CableEnd, state: State, cabling: wires.CablePlan, fabric: str) -> bool:
    managers = cabling.wiring.managers.get(fabric, ())
    return (end.device, end.port) in cabling.numbers or end.device in state.machines or end.device in managers


def _speed(state: State, cable: BuiltCable, gbps: int) -> str:
    width = min(wires.lanes(wires.nic(state, end)) for end in (cable.a, cable.b))
    return f"{width}x{wires.speed(gbps, width)}"


def _end(design: Design, near: CableEnd, far: CableEnd, speed: str) -> FabricLink:
    guid, kind, name, number = _identity(design, near)
    remote_guid, remote_kind, remote_name, remote_number = _identity(design, far)
    return FabricLink(
        guid=guid,
        kind=kind,
        name=name,
        port=number,
        remote_guid=remote_guid,
        remote_kind=remote_kind,
        remote_name=remote_name,
        remote_port=remote_number,
        speed=speed,
    )


def _identity(design: Design, end: CableEnd) -> tuple[str, str, str, int]:
    number = wires.plan(design).numbers.get((end.device, end.port))
    if number is not None:
        return switch_guid(end.device), "Switch", end.device, number
    return port_guid(design.site.site, end.device, end.port), "Ca", f"{end.device} {end.port}", 1


def render(record: FabricMap) -> bytes:
    """The listing that the collector parses to `record`."""
    blocks = [
        _block(list(links)) for _, links in groupby(record.links, key=lambda link: (link.kind, link.guid, link.name))
    ]
    return ("#\n# Topology file: generated on Sat Nov 21 08:02:07 2026\n#\n\n" + "\n".join(blocks)).encode()


def _block(links: list[FabricLink]) -> str:
    first = links[0]
    digits = first.guid.removeprefix("0x")
    field = {"Switch": "switchguid", "Ca": "caguid", "Rt": "rtguid"}[first.kind]
    tail = " base port 0 lid 4 lmc 0" if first.kind == "Switch" else ""
    head = f'{first.kind}\t64 "{LETTER[first.kind]}-{digits}"\t\t# "{first.name}"{tail}\n'
    return (
        f"vendid=0x2c9\ndevid=0x1021\nsysimgguid={first.guid}\n{field}={first.guid}\n"
        + head
        + "".join(map(_port, links))
    )


def _port(link: FabricLink) -> str:
    address = "" if link.kind == "Switch" else f"({int(link.guid, 16):x})"
    digits = link.remote_guid.removeprefix("0x")
    far = f'"{LETTER[link.remote_kind]}-{digits}"[{link.remote_port}]'
    if link.remote_kind != "Switch":
        far += f"({int(link.remote_guid, 16):x})"
    lid = "" if link.kind == "Switch" else "lid 3 lmc 0 "
    return f'[{link.port}]{address}\t{far}\t\t# {lid}"{link.remote_name}" lid 2 {link.speed}\n'
