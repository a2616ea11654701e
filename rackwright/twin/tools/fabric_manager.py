"""The log of the fabric manager of a node of the twin, as the collector's `sed` prints it.

Form of a line and the first line: a log of eight H100 (leptonai/gpud, components/accelerator/nvidia/fabric-manager/testdata, 2025-02-25).
"""

from __future__ import annotations

from datetime import datetime

from rackwright.model.design import Design
from rackwright.model.evidence.manager_log import ManagerLine, ManagerLog
from rackwright.twin.hardware.state import State

ANSWERED = True
STARTED, LATER = "2026-11-20T14:01:18", "2026-11-20T15:10:02"
FORM = "%b %d %Y %H:%M:%S"


def observe(state: State, design: Design, node: str) -> ManagerLog:
    """What faults have made it log."""
    del design
    lines = [ManagerLine(time=LATER, level="ERROR", text=text) for text in state.machines[node].board.manager_errors]
    return ManagerLog(begins=STARTED, lines=lines)


def render(record: ManagerLog) -> bytes:
    """The lines that the collector parses to `record`."""
    lines = [_line(record.begins, "INFO", "multicast group 0 is allocated.")]
    lines += [_line(line.time, line.level, line.text) for line in record.lines]
    return "\n".join([*lines, ""]).encode()


def _line(time: str, level: str, text: str) -> str:
    return f"[{datetime.fromisoformat(time).strftime(FORM)}] [{level}] [tid 1808] {text}"
