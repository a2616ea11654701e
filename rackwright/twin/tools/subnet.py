"""What a machine for subnet managers prints of the subnets that it has a port in: who manages them, and every link."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.fabric import FabricMap, Manager, Subnet, Subnets
from rackwright.twin.hardware import wires
from rackwright.twin.hardware.fabric import switch_guid
from rackwright.twin.hardware.state import State, port_guid
from rackwright.twin.tools import Silent
from rackwright.twin.tools.fabric import ends
from rackwright.twin.tools.fabric import render as render_links

ANSWERED = True
STANDBY, MASTER = 2, 3
FIRST_PRIORITY = 14


def observe(state: State, design: Design, node: str) -> Subnets:
    """Every InfiniBand port of `node` whose link trains."""
    subnets = {
        nic.name: Subnet(managers=managers(state, design, link.fabric), links=ends(state, design, link.fabric))
        for nic, link in wires.rdma_ports(state, design, node)
        if wires.rate(state, design, node, nic, link)
    }
    if not subnets:
        raise Silent(f"{node} has no InfiniBand port with a link")
    return Subnets(subnets=subnets, unread={})


def managers(state: State, design: Design, fabric: str) -> list[Manager]:
    """Those that run, the one with the highest priority as master; machines outside the twin run theirs."""
    cabling = wires.plan(design)
    running = [(FIRST_PRIORITY - at, _guid(design, node, fabric), at) for at, node in enumerate(cabling.wiring.managers[fabric])
               if node not in state.machines or state.machines[node].rdma.subnet_manager]  # fmt: skip
    switches = {end.device for cable in state.cables if cable.fabric == fabric for end in (cable.a, cable.b)}
    running += [
        (switch.manager_priority, switch_guid(name), -1)
        for name, switch in state.switches.items()
        if switch.manager_priority is not None and name in switches
    ]
    running.sort(reverse=True)
    return [
        Manager(guid=guid, priority=priority, state=STANDBY if place else MASTER)
        for place, (priority, guid, _) in enumerate(running)
    ]


def _guid(design: Design, node: str, fabric: str) -> str:
    port = next(link.port for link in wires.plan(design).links[node] if link.fabric == fabric)
    return port_guid(design.site.site, node, port)


def render(record: Subnets) -> bytes:
    """The sections that the collector parses to `record`."""
    return (
        "".join(_device(name, subnet) for name, subnet in record.subnets.items()).encode()
        + "".join(f"== {name} managers\n{why}\n== {name} links\n" for name, why in record.unread.items()).encode()
    )


def _device(name: str, subnet: Subnet) -> str:
    links = render_links(FabricMap(links=subnet.links)).decode()
    return f"== {name} managers\n{''.join(map(_manager, subnet.managers))}== {name} links\n{links}"


def _manager(manager: Manager) -> str:
    return (
        "SMInfoRecord dump:\n\t\tRID\n\t\tLID...................1\n\t\tSMInfo dump:\n"
        f"\t\tGUID..................{manager.guid}\n\t\tSM_Key................0x0000000000000000\n"
        f"\t\tActCount..............140\n\t\tPriority..............{manager.priority}\n\t\tSMState...............{manager.state}\n"
    )
