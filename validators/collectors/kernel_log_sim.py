"""Prints faults as `journalctl --dmesg --output=short-iso` shows them."""

from rackwright.model.evidence.kernel_log import BusError, KernelLog, LinkChange, MachineCheck, SwitchError

SEVERITIES = {
    "correctable": "Correctable",
    "nonfatal": "Uncorrectable (Non-Fatal)",
    "fatal": "Uncorrectable (Fatal)",
}
FIRST = "Linux version 6.1.0-49-amd64 (debian-kernel@lists.debian.org) (gcc-12 (Debian 12.2.0-14) 12.2.0)"


def render(seen: KernelLog) -> bytes:
    """The log whose parse is `seen`."""
    lines = [(seen.begins, FIRST)] if seen.begins else []
    lines += [(one.time, f"NVRM: Xid (PCI:{one.bus_id}): {one.code}{_rest(one.text)}") for one in seen.xids]
    lines += [(one.time, _switch(one)) for one in seen.switch_errors]
    lines += [(one.time, _bus(one)) for one in seen.bus_errors]
    lines += [(one.time, one.text) for one in seen.events]
    lines += [(one.time, _check(one)) for one in seen.machine_checks]
    lines += [(one.time, _link(one)) for one in seen.link_changes]
    return "".join(f"{time} node kernel: {text}\n" for time, text in lines).encode()


def _switch(one: SwitchError) -> str:
    word = "Fatal" if one.fatal else "Non-fatal"
    return f"nvidia-nvswitch{one.switch}: SXid (PCI:{one.bus_id}): {one.code:05d}, {word}{_rest(one.text)}"


def _bus(one: BusError) -> str:
    severity = SEVERITIES[one.severity]
    return f"pcieport {one.bus_id}: AER: PCIe Bus Error: severity={severity}, type={one.layer}, (Receiver ID)"


def _check(one: MachineCheck) -> str:
    if one.cpu is None:
        return f"{{1}}[Hardware Error]: event severity: {one.status}"
    return f"mce: [Hardware Error]: CPU {one.cpu}: Machine Check: 0 Bank {one.bank}: {one.status}"


def _link(one: LinkChange) -> str:
    return f"mlx5_core 0000:18:00.0 {one.port}: Link {'up' if one.up else 'down'}"


def _rest(text: str) -> str:
    return f", {text}" if text else ""
