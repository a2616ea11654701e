"""The log of the fabric manager of a node of the twin, as the collector's `sed` prints it.

It has a line for each SXid that the NVSwitches of the node have reported to the kernel (NVIDIA Fabric Manager user guide, SXid errors; the words:
lines of real logs in leptonai/gpud, log_matcher.go, which `validators/fabric_manager/lines.yaml` has).
Form of a line and the first line: a log of eight H100 (leptonai/gpud, components/accelerator/nvidia/fabric-manager/testdata, 2025-02-25).
"""

from __future__ import annotations

import re
from datetime import datetime

from rackwright.model.design import Design
from rackwright.model.evidence.manager_log import ManagerLine, ManagerLog
from rackwright.twin.hardware.state import State
from rackwright.twin.tools.kernel_log import switch_bus

ANSWERED = True
STARTED, LATER = "2026-11-20T14:01:18", "2026-11-20T15:10:02"
FORM = "%b %d %Y %H:%M:%S"


def observe(state: State, design: Design, node: str) -> ManagerLog:
    """What faults have made it log."""
    del design
    board = state.machines[node].board
    texts = [*board.manager_errors, *(_switch_error(*error) for error in board.switch_errors)]
    return ManagerLog(begins=STARTED, lines=[ManagerLine(time=LATER, level="ERROR", text=text) for text in texts])


def _switch_error(switch: int, code: int, fatal: bool, text: str) -> str:
    port = re.match(r"Link (\d+)", text)
    return (
        f"detected NVSwitch {'' if fatal else 'non-'}fatal error {code} on fid 0 on NVSwitch pci bus id 0000{switch_bus(switch)} physical id {switch}"
        + (f" port {port[1]}" if port else "")
    )


def render(record: ManagerLog) -> bytes:
    """The lines that the collector parses to `record`."""
    lines = [_line(record.begins, "INFO", "multicast group 0 is allocated.")]
    lines += [_line(line.time, line.level, line.text) for line in record.lines]
    return "\n".join([*lines, ""]).encode()


def _line(time: str, level: str, text: str) -> str:
    return f"[{datetime.fromisoformat(time).strftime(FORM)}] [{level}] [tid 1808] {text}"
