"""Prints Slingshot ports as `cxi_stat -r` does; what the record does not hold is printed as of a quiet NIC."""

from rackwright.model.evidence.link import LinkReading, Links

UP = "up"
GOOD_PER_SECOND = 39065776.0
"""Code words of an idle link at 200 Gb/s (CXI_STAT(1), example)."""
LEAST = 1.176e-12
"""What four seconds at 200 Gb/s can tell from nothing: 1 / 4 / 212.5e9 (``utils/cxi_stat.c``)."""


def render(seen: Links) -> bytes:
    """The report whose parse is `seen`."""
    return "".join(_device(at, name, port) for at, (name, port) in enumerate(seen.ports.items())).encode()


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
