"""The kernel log of a node, as `journalctl` would show it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from rackwright.model.design import Design
from rackwright.model.evidence.kernel_log import (
    BusError,
    KernelEvent,
    KernelLog,
    LinkChange,
    MachineCheck,
    SwitchError,
    Xid,
)
from rackwright.twin.hardware.state import State

ANSWERED = True
STARTED = "2026-11-21T06:02:11+0000"
LATER = "2026-11-21T08:41:07+0000"
"""Fixed times: the log of a twin is the same in every run."""
CLOCK = "%Y-%m-%dT%H:%M:%S%z"
HALF_A_MINUTE = 30
FIRST_SWITCH_BUS = 0x05
SEVERITIES = {
    "correctable": "Correctable",
    "nonfatal": "Uncorrectable (Non-Fatal)",
    "fatal": "Uncorrectable (Fatal)",
}
FIRST = "Linux version 6.1.0-49-amd64 (debian-kernel@lists.debian.org) (gcc-12 (Debian 12.2.0-14) 12.2.0)"


def switch_bus(switch: int) -> str:
    """Where the NVSwitch with that number is on the bus."""
    return f"0000:{FIRST_SWITCH_BUS + switch:02x}:00.0"


def observe(state: State, design: Design, node: str) -> KernelLog:
    """What faults of the accelerators, NVSwitches, buses, processors, drives and ports of `node` have logged."""
    del design
    gpus = state.machines[node].gpus
    board, system = state.machines[node].board, state.machines[node].system
    return KernelLog(
        begins=STARTED if board.log_whole else "",
        xids=[
            Xid(time=LATER, bus_id=gpu.pci_bus_id[4:-2], code=code, text=text)
            for gpu in gpus
            for code, text in gpu.health.xids
        ],
        switch_errors=[
            SwitchError(
                time=LATER,
                switch=switch,
                bus_id=switch_bus(switch),
                code=code,
                fatal=fatal,
                text=text,
            )
            for switch, code, fatal, text in board.switch_errors
        ],
        bus_errors=[
            BusError(time=LATER, bus_id=place, severity=severity, layer="Data Link Layer")
            for place, severity, count in board.bus_errors
            for _ in range(count)
        ],
        events=[KernelEvent(time=LATER, kind=kind, text=text) for kind, text in system.kernel_events],
        machine_checks=[
            MachineCheck(time=LATER, cpu=cpu, bank=bank, status=status, corrected=corrected)
            for cpu, bank, status, corrected in system.machine_checks
        ],
        link_changes=[change for port, times in system.link_losses for change in _changes(port, times)],
    )


def _changes(port: str, times: int) -> Iterator[LinkChange]:
    """A port that comes up at boot, and then goes down for half of every minute."""
    yield LinkChange(time=STARTED, port=port, up=True)
    start = datetime.fromisoformat(LATER)
    for half in range(2 * times):
        moment = (start + timedelta(seconds=HALF_A_MINUTE * half)).strftime(CLOCK)
        yield LinkChange(time=moment, port=port, up=bool(half % 2))


def render(record: KernelLog) -> bytes:
    """The log that the collector parses to `record`."""
    lines = [(record.begins, FIRST)] if record.begins else []
    lines += [(xid.time, f"NVRM: Xid (PCI:{xid.bus_id}): {xid.code}{_suffix(xid.text)}") for xid in record.xids]
    lines += [(xid.time, _switch(xid)) for xid in record.switch_errors]
    lines += [(xid.time, _bus(xid)) for xid in record.bus_errors]
    lines += [(xid.time, xid.text) for xid in record.events]
    lines += [(xid.time, _check(xid)) for xid in record.machine_checks]
    lines += [(xid.time, _link(xid)) for xid in record.link_changes]
    return "".join(f"{time} node kernel: {text}\n" for time, text in lines).encode()


def _switch(error: SwitchError) -> str:
    word = "Fatal" if error.fatal else "Non-fatal"
    return f"nvidia-nvswitch{error.switch}: SXid (PCI:{error.bus_id}): {error.code:05d}, {word}{_suffix(error.text)}"


def _bus(error: BusError) -> str:
    severity = SEVERITIES[error.severity]
    return f"pcieport {error.bus_id}: AER: PCIe Bus Error: severity={severity}, type={error.layer}, (Receiver ID)"


def _check(error: MachineCheck) -> str:
    if error.cpu is None:
        return f"{{1}}[Hardware Error]: event severity: {error.status}"
    return f"mce: [Hardware Error]: CPU {error.cpu}: Machine Check: 0 Bank {error.bank}: {error.status}"


def _link(change: LinkChange) -> str:
    return f"mlx5_core 0000:18:00.0 {change.port}: Link {'up' if change.up else 'down'}"


def _suffix(text: str) -> str:
    return f", {text}" if text else ""
