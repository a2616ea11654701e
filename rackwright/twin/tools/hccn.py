"""What hccn_tool prints of the network ports of the NPUs of a node, in the formats of its own source."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.link import Range
from rackwright.model.evidence.npu_port import NpuPort, NpuPorts
from rackwright.twin.hardware import wires
from rackwright.twin.hardware.state import MachinePort, State
from rackwright.twin.tools import Silent

ANSWERED = True
PREFIX = "npu"
RECEIVE, TRANSMIT = (0.1445, 3.5481), (0.2818, 3.5481)
"""Thresholds in mW of a module of an NPU (Ascend/mind-cluster, user guide of ascend-faultdiag)."""
SENT = 1.5849
"""mW, as 2 dBm."""
DARK = 0.0001
"""mW, and less is no light."""


def observe(state: State, design: Design, node: str) -> NpuPorts:
    """The ports of all NPUs."""
    del design
    ports = [nic for nic in state.machines[node].nics if nic.name.removeprefix(PREFIX).isdecimal() and nic.link.present]
    if not ports:
        raise Silent(f"{node} has no NPU with a network port of its own")
    return NpuPorts(ports={nic.name.removeprefix(PREFIX): _port(nic) for nic in ports})


def _port(nic: MachinePort) -> NpuPort:
    received = [round(10 ** (dbm / 10), 4) for dbm in nic.link.light_dbm]
    return NpuPort(
        link="UP" if nic.link.up else "DOWN",
        net_health="Init" if nic.link.up else "Unreachable",
        module=True,
        receive=Range(values=received, least=RECEIVE[0], most=RECEIVE[1]),
        transmit=Range(values=[SENT] * len(received), least=TRANSMIT[0], most=TRANSMIT[1]),
        lost=["Rx Los"] if all(power <= DARK for power in received) else [],
        **dict(zip(("switch", "switch_port"), wires.neighbour(nic) or ("", ""), strict=True)),
    )


def render(record: NpuPorts) -> bytes:
    """A section for each NPU."""
    return "".join(f"== {number}\n{_text(port)}" for number, port in record.ports.items()).encode()


def _text(port: NpuPort) -> str:
    lines = [f"link status: {port.link}"] if port.link else []
    lines += [f"net health status: {port.net_health}"] if port.net_health else []
    if port.module is None:
        return "".join(f"{line}\n" for line in [*lines, *_announcement(port)])
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
    return "".join(f"{line}\n" for line in [*lines, *_announcement(port)])


def _announcement(port: NpuPort) -> list[str]:
    """Form: hccn_tool -lldp -g of an Atlas 800T A2 on a CloudEngine switch (arthurchiao.art, notes on Ascend NPUs); names of fields as lldpad has them."""
    fields = {"Port ID TLV": f"Ifname: {port.switch_port}" if port.switch_port else "", "System Name TLV": port.switch}
    lines = [line for heading, value in fields.items() if value for line in (heading, f"\t{value}")]
    return [*lines, "End of LLDPDU TLV"] if lines else []


def _pair(name: str, value: str) -> str:
    return f"{name:<21}: {value}"
