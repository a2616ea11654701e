"""Faults in the kernel log since the start of the node, out of the journal: Xid, SXid, PCI Express, machine checks, links, and every line of the
catalogue (``validators/kernel``).

`--grep` keeps what is sent small on a node that logs much, `--lines` bounds it. The command prints the kernel's first line as well:
where it is missing, the log was cut, and that nothing stands in it shows nothing. A line without a readable time, as the second line of a
message, has the time of the line before it.
Shapes: the driver's own texts as NVIDIA's Xid documentation shows them; of Linux 5.15 to 6.12 drivers/pci/pcie/aer.c,
arch/x86/kernel/cpu/mce/core.c, drivers/edac/mce_amd.c, drivers/firmware/efi/cper.c, mlx5/core/en_main.c.
"""

import re
from datetime import datetime

from rackwright.collect.collector import Collector, ParseError
from rackwright.error_codes.kernel_catalogue import load_kernel_catalogue
from rackwright.model.evidence.kernel_log import (
    BusError,
    KernelEvent,
    KernelLog,
    LinkChange,
    MachineCheck,
    SwitchError,
    UnreadableLine,
    Xid,
)

LINE = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d{1,6})?(?:Z|[+-]\d\d:?\d\d)) \S+ kernel: (.*)", re.ASCII)
OF_KERNEL = re.compile(r"\S+ \S+ kernel: ")
UPTIME = re.compile(r"\[ *\d+\.\d+\](?:\[ *[TC]\d+\])? ")
"""What `printk` puts before a text that came to the journal twice."""
FIRST = re.compile(r"Linux version \S")
XID = re.compile(
    r"NVRM: Xid (?:\((?:PCI:)?([0-9a-fA-F]{4,8}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2})(?:\.\d)?(?: GPU-I:\w+)?\))?: (\d{1,6})(?:, ?(.*))?$",
    re.ASCII,
)
"""With MIG on, the instance stands behind the place of the accelerator; some lines have no place."""
SXID = re.compile(
    r"nvidia-nvswitch(\d{1,4}):? SXid \(PCI:([0-9a-fA-F:]+\.\d)\): (\d{1,6}), (Fatal|Non-fatal)(?:, (.*))?$",
    re.IGNORECASE | re.ASCII,
)
SXID_DETAIL = re.compile(r"nvidia-nvswitch\d+:? SXid \(PCI:[0-9a-fA-F:]+\.\d\): \d+, (?:Severity \d|Data \{)", re.ASCII)
"""The two lines behind each SXid, with its registers."""
BUS = re.compile(
    r"\S+ ([0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.\d): (?:AER: )?PCIe Bus Error: severity=([^,]+), type=([^,]+),"
)
SEVERITIES = {
    "Corrected": "correctable", "Correctable": "correctable",
    "Uncorrected (Non-Fatal)": "nonfatal", "Uncorrectable (Non-Fatal)": "nonfatal",
    "Uncorrected (Fatal)": "fatal", "Uncorrectable (Fatal)": "fatal",
}  # fmt: skip
"""What aer.c prints; "Correctable" and "Uncorrectable" from Linux 6.16 on."""
NUMBERED = {"xid": "NVRM: Xid", "sxid": "SXid (", "aer": "PCIe Bus Error: "}
"""What every line with a numbered error holds, whatever its form."""
CHECK = re.compile(
    r"mce: \[Hardware Error\]: CPU (\d{1,6}): Machine Check(?: Exception)?: \S+ Bank (\d{1,4}): ([0-9a-f]{16})",
    re.ASCII,
)
AMD = re.compile(
    r"\[Hardware Error\]: CPU:(\d{1,6}) \([0-9a-f:]+\) MC(\d{1,4})_STATUS\[.*\]: 0x([0-9a-f]{16})", re.ASCII
)
FIRMWARE = re.compile(r"\{\d+\}\[Hardware Error\]: event severity: (\w+)")
MILD = ("corrected", "info")
UNCORRECTED = 1 << 61
"""Bit UC of IA32_MCi_STATUS (Intel SDM volume 3B, 17.3.2.2; the same in AMD's APM volume 2, 9.3.2.1)."""
LINK = re.compile(
    r"\w+ ([0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.\d)(?: ([\w.@-]+))?: (?:\w+: \w+ )?(?:NIC )?Link (?:is )?(up|down)\b",
    re.IGNORECASE,
)
COUNTED = (
    "^Linux version", "NVRM: Xid", "SXid", "PCIe Bus Error", "Machine Check", "_STATUS.*0x", "event severity",
    ": (NIC )?[Ll]ink (is )?([Uu]p|[Dd]own)",
)  # fmt: skip
"""What the node filters by for the lines that are counted rather than listed in the catalogue."""
MOST_LINES = 20000
SEPARATOR = "-- "

Fault = Xid | SwitchError | BusError | KernelEvent | MachineCheck | LinkChange | UnreadableLine


def parse(output: str) -> KernelLog:
    """Lines ``TIME HOST kernel: TEXT``; a text that names no fault is left out."""
    lines = [(number, *_parts(line)) for number, line in enumerate(output.splitlines(), start=1) if _is_message(line)]
    time = next((at for _, at, _ in lines if at), "")
    if not time:
        number, _, text = lines[0] if lines else (1, "", "")
        raise ParseError(number, text, "TIME HOST kernel: TEXT of journalctl")
    begins = ""
    faults: list[Fault] = []
    for number, at, text in lines:
        time = at or time
        if FIRST.match(text):
            begins = begins or time
        elif fault := _fault(time, text, number):
            faults.append(fault)
    if not begins and not faults:
        raise ParseError(lines[0][0], lines[0][2], "the kernel's first line or a fault")
    return KernelLog(
        begins=begins,
        xids=[fault for fault in faults if isinstance(fault, Xid)],
        switch_errors=[fault for fault in faults if isinstance(fault, SwitchError)],
        bus_errors=[fault for fault in faults if isinstance(fault, BusError)],
        events=[fault for fault in faults if isinstance(fault, KernelEvent)],
        machine_checks=[fault for fault in faults if isinstance(fault, MachineCheck)],
        link_changes=[fault for fault in faults if isinstance(fault, LinkChange)],
        unreadable=[fault for fault in faults if isinstance(fault, UnreadableLine)],
    )


def _is_message(line: str) -> bool:
    return bool(line.strip()) and not line.startswith(SEPARATOR)


def _parts(line: str) -> tuple[str, str]:
    """Time and text of a line; the time is empty where it cannot be read."""
    match = LINE.fullmatch(line.rstrip())
    time = match[1] if match and _is_time(match[1]) else ""
    text = match[2] if match else OF_KERNEL.sub("", line.strip(), count=1)
    return time, UPTIME.sub("", text, count=1) if text.startswith("[") else text


def _is_time(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _fault(time: str, text: str, number: int) -> Fault | None:
    """The fault that a line names; None for one that names none."""
    for subject, word in NUMBERED.items():
        if word in text:
            return _numbered(time, text) or _unreadable(subject, time, text, number)
    if match := CHECK.match(text) or AMD.match(text):
        mild = not int(match[3], 16) & UNCORRECTED
        return MachineCheck(time=time, cpu=int(match[1]), bank=int(match[2]), status=match[3], corrected=mild)
    if match := FIRMWARE.match(text):
        return MachineCheck(time=time, cpu=None, bank=None, status=match[1], corrected=match[1] in MILD)
    if match := LINK.match(text):
        return LinkChange(time=time, port=match[2] or match[1], up=match[3].lower() == "up")
    kind = load_kernel_catalogue().kind(text)
    return KernelEvent(time=time, kind=kind, text=text) if kind else None


def _numbered(time: str, text: str) -> Fault | None:
    """An Xid, an SXid or an error of the bus."""
    if match := XID.match(text):
        return Xid(time=time, bus_id=(match[1] or "").lower(), code=int(match[2]), text=match[3] or "")
    if match := SXID.match(text):
        return _switch_error(time, match)
    if (match := BUS.match(text)) and match[2] in SEVERITIES:
        return BusError(time=time, bus_id=match[1], severity=SEVERITIES[match[2]], layer=match[3])
    return None


def _unreadable(subject: str, time: str, text: str, number: int) -> UnreadableLine | None:
    """A numbered error in a form that no driver prints today; None for what stands behind an SXid."""
    if SXID_DETAIL.match(text):
        return None
    return UnreadableLine(time=time, subject=subject, number=number, text=text)


def _switch_error(time: str, match: re.Match[str]) -> SwitchError:
    return SwitchError(
        time=time,
        switch=int(match[1]),
        bus_id=match[2].lower(),
        code=int(match[3]),
        fatal=match[4].lower() == "fatal",
        text=match[5] or "",
    )


COLLECTOR = Collector(
    produces=KernelLog,
    parse=parse,
    as_root=True,
    seconds=60,
    roles=("accelerator",),
    command=(
        "journalctl", "--dmesg", "--boot", "--quiet", "--no-pager", "--output=short-iso", f"--lines={MOST_LINES}",
        f"--grep={'|'.join((*COUNTED, *load_kernel_catalogue().finds))}",
    ),
)  # fmt: skip
