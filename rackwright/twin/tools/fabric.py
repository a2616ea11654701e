"""What `ibnetdiscover` prints of a subnet: every end of every cable that is plugged and trains.

The twin's own subnet manager host answers with the real tool on a simulated fabric (`rackwright.twin.hardware.fabric`); this is the same
subnet without it. Adapters of machines outside the twin are left out, unless they are to manage the subnet.
"""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.fabric import FabricLink, FabricMap, LinkTable
from rackwright.twin.hardware import wires
from rackwright.twin.hardware.fabric import switch_guid
from rackwright.twin.hardware.state import BuiltCable, CableEnd, State, port_guid
from rackwright.twin.tools import Silent


def observe(state: State, design: Design, node: str) -> FabricMap:
    """The subnet called `node`: for this collector the subject is a fabric."""
    links = ends(state, design, node)
    if not len(links):
        raise Silent(f"subnet {node} has no link that trains")
    return FabricMap(links=links)


def ends(state: State, design: Design, fabric: str) -> LinkTable:
    """Both ends of every link of `fabric`: switches first, as the tool prints them, then adapters, each with all of its ports."""
    known = wires.plan(design)
    found = []
    for cable in state.cables:
        gbps = wires.trained(state, cable, known.rates[cable.cable]) if cable.fabric == fabric else 0
        if gbps and all(_there(end, state, known, fabric) for end in (cable.a, cable.b)):
            name = _speed(state, cable, gbps)
            found += [_end(design, near, far, name) for near, far in ((cable.a, cable.b), (cable.b, cable.a))]
    devices = {guid: place for place, guid in enumerate(dict.fromkeys(one.guid for one in found))}
    return LinkTable.of(sorted(found, key=lambda one: (one.kind != "Switch", devices[one.guid], one.port)))


def _there(end: CableEnd, state: State, known: wires.Plan, fabric: str) -> bool:
    managers = known.wiring.managers.get(fabric, ())
    return (end.device, end.port) in known.numbers or end.device in state.machines or end.device in managers


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
