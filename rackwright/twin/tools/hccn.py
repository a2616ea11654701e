"""What hccn_tool prints of the network ports of the NPUs of a node, in the formats of its own source."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.link import Range
from rackwright.model.evidence.npu_port import NpuPort, NpuPorts
from rackwright.twin.hardware import npu_ports, wires
from rackwright.twin.hardware.state import MachinePort, State
from rackwright.twin.tools import Silent

ANSWERED = True


def observe(state: State, design: Design, node: str) -> NpuPorts:
    """The ports of all NPUs."""
    del design
    ports = npu_ports.npu_ports(state.machines[node])
    if not ports:
        raise Silent(f"{node} has no NPU with a network port of its own")
    return NpuPorts(ports={number: _port(nic) for number, nic in ports.items()})


def _port(nic: MachinePort) -> NpuPort:
    port = npu_ports.port_state(nic)
    (least, most), (sent_least, sent_most) = npu_ports.RECEIVE, npu_ports.TRANSMIT
    return NpuPort(
        link="UP" if port.up else "DOWN",
        net_health=port.health,
        module=True,
        receive=Range(values=list(port.received), least=least, most=most),
        transmit=Range(values=[npu_ports.SENT] * len(port.received), least=sent_least, most=sent_most),
        lost=["Rx Los"] if port.dark else [],
        counters=dict(port.counters),
        **dict(zip(("switch", "switch_port"), wires.neighbour(nic) or ("", ""), strict=True)),
    )


def render(record: NpuPorts) -> bytes:
    """A section for each NPU."""
    return "".join(f"== {number}\n{_text(port)}" for number, port in record.ports.items()).encode()


def _text(port: NpuPort) -> str:
    lines = [f"link status: {port.link}"] if port.link else []
    lines += [f"net health status: {port.net_health}"] if port.net_health else []
    last = [*_statistics(port), *_announcement(port)]
    if port.module is None:
        return "".join(f"{line}\n" for line in [*lines, *last])
    lines += ["optical info:", _pair("present", "present" if port.module else "not present")]
    for way, power in (("Tx", port.transmit), ("Rx", port.receive)):
        if power is not None:
            lines += [_pair(f"{way} Power{lane}", f"{value:.4f} mW") for lane, value in enumerate(power.values)]
            ends = (("High", power.most), ("Low", power.least))
            lines += [_pair(f"{way}Power {end} Thres", f"{value:.4f} mW") for end, value in ends if value is not None]
    lines += [
        _pair(f"{flag} Flag", "0xff" if flag in port.lost else "0x0")
        for flag in ("Tx Los", "Rx Los", "Tx LoL", "Rx LoL")
    ]
    return "".join(f"{line}\n" for line in [*lines, *last])


def _statistics(port: NpuPort) -> list[str]:
    """Lines of hccn_tool's tool_display_stat_info."""
    counters = [f"{name}:{count}" for name, count in port.counters.items()]
    return ["packet statistics:", *counters] if counters else []


def _announcement(port: NpuPort) -> list[str]:
    """Form: hccn_tool -lldp -g of an Atlas 800T A2 on a CloudEngine switch (arthurchiao.art, notes on Ascend NPUs); names of fields as lldpad has them."""
    fields = {"Port ID TLV": f"Ifname: {port.switch_port}" if port.switch_port else "", "System Name TLV": port.switch}
    lines = [line for heading, value in fields.items() if value for line in (heading, f"\t{value}")]
    return [*lines, "End of LLDPDU TLV"] if lines else []


def _pair(name: str, value: str) -> str:
    return f"{name:<21}: {value}"
