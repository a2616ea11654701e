"""Lines of the log of NVIDIA's fabric manager that are more than information, and the first line, which tells where the file begins.

Its lines begin with ``[Feb 25 2025 13:59:45] [INFO] [tid 1803]`` (a log of eight H100, leptonai/gpud); a message of several lines goes on without it.
"""

import re
from datetime import datetime

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.design import Node
from rackwright.model.evidence.manager_log import ManagerLine, ManagerLog

LOG = "/var/log/fabricmanager.log"
LINE = re.compile(r"\[(\w{3} \d{2} \d{4} \d{2}:\d{2}:\d{2})\] \[(\w+)\] \[tid \d+\] (.*)", re.ASCII)
FORM = "%b %d %Y %H:%M:%S"
INFORMATION = {"INFO", "DEBUG", "VERBOSE"}


def parse(output: str) -> ManagerLog:
    """Every line that is more than information; the first line may be any."""
    lines: list[ManagerLine] = []
    begins = ""
    for number, text in enumerate(output.splitlines(), start=1):
        match = LINE.match(text)
        if match is None and number > 1:
            raise ParseError(number, text, "[Feb 25 2025 13:59:45] [ERROR] [tid 1803] and a text")
        if match is None:
            continue
        time = _time(match[1], number, text)
        begins = begins or time
        if match[2] not in INFORMATION:
            lines.append(ManagerLine(time=time, level=match[2], text=match[3]))
    return ManagerLog(begins=begins, lines=lines)


def _time(text: str, number: int, line: str) -> str:
    try:
        return datetime.strptime(text, FORM).isoformat()  # noqa: DTZ007 - the log names no zone
    except ValueError:
        raise ParseError(number, line, "a date such as Feb 25 2025 13:59:45") from None


def owed(node: Node) -> bool:
    """Nodes that manage their own NVSwitches."""
    return node.server.fabric_manager


COLLECTOR = Collector(
    produces=ManagerLog,
    parse=parse,
    as_root=True,
    seconds=30,
    roles=("accelerator",),
    vendors=("nvidia",),
    owed=owed,
    command=("sed", "-n", r"1p;/\] \[\(ERROR\|WARNING\|CRITICAL\|FATAL\)\] \[tid /p", LOG),
)
