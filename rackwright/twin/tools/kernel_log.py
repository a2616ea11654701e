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
                bus_id=f"0000:{FIRST_SWITCH_BUS + switch:02x}:00.0",
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
    lines += [(one.time, f"NVRM: Xid (PCI:{one.bus_id}): {one.code}{_rest(one.text)}") for one in record.xids]
    lines += [(one.time, _switch(one)) for one in record.switch_errors]
    lines += [(one.time, _bus(one)) for one in record.bus_errors]
    lines += [(one.time, one.text) for one in record.events]
    lines += [(one.time, _check(one)) for one in record.machine_checks]
    lines += [(one.time, _link(one)) for one in record.link_changes]
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
