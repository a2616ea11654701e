"""The kernel log of a node, as `journalctl` would show it."""

from __future__ import annotations

from rackwright.model.design import Design
from rackwright.model.evidence.kernel_log import BusError, KernelLog, SwitchError, Xid
from rackwright.twin.state import State

ANSWERED = True
STARTED = "2026-11-21T06:02:11+0000"
LATER = "2026-11-21T08:41:07+0000"
"""Fixed times: the log of a twin is the same in every run."""
FIRST_SWITCH_BUS = 0x05


def observe(state: State, design: Design, node: str) -> KernelLog:
    """What faults of the accelerators, NVSwitches and buses of `node` have logged."""
    del design
    gpus = state.machines[node].gpus
    board = state.machines[node].board
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
    )
