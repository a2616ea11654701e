"""Faults in the kernel log since the start of the node, out of the journal: Xid, SXid, errors of PCI Express.

`--grep` keeps what is sent small on a node that logs much, `--lines` bounds it. The kernel's first line is asked for as well:
where it is missing, the log was cut, and that nothing stands in it shows nothing.
Shapes: the driver's own texts as NVIDIA's Xid documentation shows them; drivers/pci/pcie/aer.c of Linux.
"""

import re

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.kernel_log import BusError, KernelLog, SwitchError, Xid

LINE = re.compile(r"(\d{4}-\d\d-\d\dT\S+) \S+ kernel: (.*)")
FIRST = re.compile(r"Linux version \S")
XID = re.compile(
    r"NVRM: Xid \((?:PCI:)?([0-9a-fA-F]{4,8}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2})(?:\.\d)?\): (\d+)(?:, ?(.*))?$"
)
SXID = re.compile(
    r"nvidia-nvswitch(\d+):? SXid \(PCI:([0-9a-fA-F:]+\.\d)\): (\d+), (Fatal|Non-fatal)(?:, (.*))?$", re.IGNORECASE
)
BUS = re.compile(
    r"\S+ ([0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.\d): (?:AER: )?PCIe Bus Error: severity=([^,]+), type=([^,]+),"
)
SEVERITIES = {
    "Corrected": "correctable", "Correctable": "correctable",
    "Uncorrected (Non-Fatal)": "nonfatal", "Uncorrectable (Non-Fatal)": "nonfatal",
    "Uncorrected (Fatal)": "fatal", "Uncorrectable (Fatal)": "fatal",
}  # fmt: skip
"""What aer.c prints; "Correctable" and "Uncorrectable" from Linux 6.16 on."""
WANTED = "^Linux version|NVRM: Xid|SXid|PCIe Bus Error"
MOST_LINES = 20000
SEPARATOR = "-- "

Fault = Xid | SwitchError | BusError


def parse(output: str) -> KernelLog:
    """Lines ``TIME HOST kernel: TEXT``; a text that none of the patterns knows is left out."""
    begins = ""
    found: list[Fault] = []
    for number, line in enumerate(output.splitlines(), start=1):
        if not line.strip() or line.startswith(SEPARATOR):
            continue
        parts = LINE.fullmatch(line.rstrip())
        if parts is None:
            raise ParseError(number, line, "TIME HOST kernel: TEXT of journalctl")
        if FIRST.match(parts[2]):
            begins = begins or parts[1]
        else:
            found += _faults(parts[1], parts[2], number)
    if not begins and not found:
        raise ParseError(1, output, "the kernel's first line or a fault")
    return KernelLog(
        begins=begins,
        xids=[one for one in found if isinstance(one, Xid)],
        switch_errors=[one for one in found if isinstance(one, SwitchError)],
        bus_errors=[one for one in found if isinstance(one, BusError)],
    )


def _faults(time: str, text: str, number: int) -> list[Fault]:
    """The fault that a line names, if it names one."""
    if found := XID.match(text):
        return [Xid(time=time, bus_id=found[1].lower(), code=int(found[2]), text=found[3] or "")]
    if found := SXID.match(text):
        return [_switch_error(time, found)]
    if found := BUS.match(text):
        if found[2] not in SEVERITIES:
            raise ParseError(number, found[2], "a severity of PCIe errors")
        return [BusError(time=time, bus_id=found[1], severity=SEVERITIES[found[2]], layer=found[3])]
    return []


def _switch_error(time: str, found: re.Match[str]) -> SwitchError:
    return SwitchError(
        time=time,
        switch=int(found[1]),
        bus_id=found[2].lower(),
        code=int(found[3]),
        fatal=found[4].lower() == "fatal",
        text=found[5] or "",
    )


COLLECTOR = Collector(
    produces=KernelLog,
    parse=parse,
    seconds=60,
    roles=("accelerator",),
    command=(
        "journalctl", "--dmesg", "--boot", "--quiet", "--no-pager", "--output=short-iso", f"--lines={MOST_LINES}",
        f"--grep={WANTED}",
    ),
)  # fmt: skip
