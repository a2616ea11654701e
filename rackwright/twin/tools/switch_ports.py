"""What `ibqueryerrors` prints of the switches of a subnet, on a machine for subnet managers.

The order and the words are those of infiniband-diags 44.0 on ibsim (`tests/unit/twin/hardware/test_switch_ports.py` plays both).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rackwright.model.design import Design
from rackwright.model.evidence.switch_port import CountingPort, SwitchPorts
from rackwright.twin.hardware import wires
from rackwright.twin.hardware.fabric import FabricPlan, switch_guid
from rackwright.twin.hardware.state import State
from rackwright.twin.tools import Silent

ANSWERED = True


def observe(state: State, design: Design, node: str) -> SwitchPorts:
    """Every InfiniBand port of `node` whose link trains."""
    ports: dict[tuple[str, int], CountingPort] = {}
    checked: dict[str, int] = {}
    plan = FabricPlan.of(design)
    for nic, link in wires.rdma_ports(state, design, node):
        if wires.rate(state, design, node, nic, link):
            switches = switches_of(state, link.fabric, plan)
            checked[nic.name] = sum(plan.switch_ports[name] for name in switches)
            ports |= {(port.guid, port.number): port for name in switches for port in _counting(state, name, plan)}
    if not checked:
        raise Silent(f"{node} has no InfiniBand port with a link")
    return SwitchPorts(ports=list(ports.values()), checked=checked, unread={})


def switches_of(state: State, fabric: str, plan: FabricPlan) -> list[str]:
    """The switches of `fabric` that a cable is plugged into, by name."""
    ends = {end.device for cable in state.cables if cable.fabric == fabric for end in (cable.a, cable.b)}
    return sorted(ends & plan.switch_ports.keys())


def _counting(state: State, name: str, plan: FabricPlan) -> list[CountingPort]:
    switch = state.switches.get(name)
    counted = switch.counters.items() if switch is not None else ()
    return [
        CountingPort(guid=switch_guid(name), switch=name, number=plan.numbers[name, port], counters=dict(counters))
        for port, counters in counted
    ]


def render(record: SwitchPorts) -> bytes:
    """The sections that the collector parses to `record`; every own port shows every switch."""
    unread = "".join(f"== {device}\n{why}\n" for device, why in record.unread.items() if device not in record.checked)
    return ("".join(_section(record, device) for device in record.checked) + unread).encode()


def _section(record: SwitchPorts, device: str) -> str:
    guids = dict.fromkeys(port.guid for port in record.ports)
    blocks = "".join(_switch([port for port in record.ports if port.guid == guid]) for guid in guids)
    trouble = f"{record.unread[device]}\n" if device in record.unread else ""
    return (
        f"== {device}\n{trouble}{blocks}\n## Summary: {len(guids)} nodes checked, {len(guids)} bad nodes found\n"
        f"##          {record.checked[device]} ports checked, {len(record.ports)} ports have errors beyond threshold\n"
        "## Thresholds: \n## Suppressed:\n"
    )


def _switch(ports: Sequence[CountingPort]) -> str:
    total: Counter[str] = Counter()
    for port in ports:
        total.update(port.counters)
    guid = f"{int(ports[0].guid, 16):#x}"
    lines = [f"   GUID {guid} port ALL: {_counters(total)}"]
    lines += [f"   GUID {guid} port {port.number}: {_counters(port.counters)}" for port in ports]
    return f'Errors for {guid} "{ports[0].switch}"\n' + "".join(f"{line}\n" for line in lines)


def _counters(counters: dict[str, int]) -> str:
    return " ".join(f"[{name} == {count}]" for name, count in counters.items())
