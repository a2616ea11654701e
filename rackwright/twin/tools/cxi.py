"""What `cxi_stat -r` prints of every Slingshot port of a node."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.link import LinkReading, Links
from rackwright.model.sku import SLINGSHOT
from rackwright.twin.hardware import wires
from rackwright.twin.hardware.state import MachinePort, State

ANSWERED = True
MODES = {200: "BS_200G", 100: "BJ_100G", 50: "CD_50G"}
"""Link modes by Gb/s (``utils/cxi_stat.c``, rate_to_ber)."""
LEAST = 1.176e-12
"""1 / 4 / 212.5e9 (``utils/cxi_stat.c``)."""
UP = "up"
GOOD_PER_SECOND = 39065776.0
"""Code words of an idle link at 200 Gb/s (CXI_STAT(1), example)."""


def observe(state: State, design: Design, node: str) -> Links:
    """One reading per Slingshot port that stands on the bus."""
    ports = [port for port in wires.ethernet_ports(state, design, node) if port[0].adapter.startswith(SLINGSHOT)]
    return Links(
        ports={nic.name: _reading(nic, wires.rate(state, design, node, nic, link)) for nic, link in ports}, unread={}
    )


def _reading(nic: MachinePort, gbps: int) -> LinkReading:
    up = gbps > 0
    return LinkReading(
        state="up" if up else "down",
        physical_state="",
        speed=MODES.get(gbps, "") if up else "",
        lanes=None,
        fec=None,
        minutes=None,
        symbol_errors=None,
        symbol_ber=None,
        effective_errors=None,
        effective_ber=_printed_rate(nic.link.effective_ber) if up else None,
        raw_ber=_printed_rate(nic.link.raw_ber) if up else None,
        downs=None,
        recoveries=None,
        advice="",
        module=None,
    )


def _printed_rate(rate: float) -> float:
    """To the four digits that the tool prints; what four seconds cannot tell from nothing is nothing."""
    return float(f"{rate:.3e}") if rate >= LEAST else 0.0


def render(record: Links) -> bytes:
    """The report that the collector parses to `record`."""
    return "".join(_device(at, name, port) for at, (name, port) in enumerate(record.ports.items())).encode()


def _device(at: int, name: str, port: LinkReading) -> str:
    counted = port.state == UP and port.raw_ber is not None
    lines = [
        f"Device: cxi{at}",
        "    Description: SS11 200Gb 2P NIC Mezz",
        "    Part Number: P43012-001",
        f"    Serial Number: GR2112{at:04d}",
        "    FW Version: 1.6.0.326",
        f"    Network device: {name}",
        f"    MAC: 02:00:00:00:00:{at:02x}",
        f"    NID: {at} (0x{at:05x})",
        "    PID granule: 256",
        "    PCIE speed/width: 16 GT/s x16",
        f"    PCIE slot: 0000:{0x20 + at:02x}:00.0",
        f"        Link layer retry: {'on' if port.state == UP else 'off'}",
        "        Link loopback: off",
        "        Link media: electrical",
        "        Link MTU: 2112",
        f"        Link speed: {port.speed}",
        f"        Link state: {port.state}",
        "    Rates:",
        f"        Good CW: {GOOD_PER_SECOND if counted else 0.0:.2f}/s",
        "        Corrected CW: 0.00/s",
        "        Uncorrected CW: 0.00/s",
        f"        Corrected BER: {_rate(port.raw_ber)}",
        f"        Uncorrected BER: {_rate(port.effective_ber)}",
        "        TX Pause state: pfc/802.1qbb",
        "        RX Pause state: pfc/802.1qbb",
    ]
    return "\n".join(lines) + "\n"


def _rate(value: float | None) -> str:
    return f"{value:.3e}" if value else f"<{LEAST:.3e}"
