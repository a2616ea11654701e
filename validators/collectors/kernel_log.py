"""Faults in the kernel log since the start of the node, out of the journal: Xid, SXid, PCI Express, machine checks, its own, links.

`--grep` keeps what is sent small on a node that logs much, `--lines` bounds it. The command prints the kernel's first line as well:
where it is missing, the log was cut, and that nothing stands in it shows nothing.
Shapes: the driver's own texts as NVIDIA's Xid documentation shows them; of Linux 5.15 to 6.12 drivers/pci/pcie/aer.c,
kernel/{panic,watchdog,hung_task}.c, kernel/rcu/tree_stall.h, arch/x86/kernel/{dumpstack,traps}.c, arch/arm64/{mm/fault,kernel/traps}.c, mm/oom_kill.c, block/blk-core.c,
drivers/nvme/host, arch/x86/kernel/cpu/mce/core.c, drivers/edac/mce_amd.c, drivers/firmware/efi/cper.c, mlx5/core/en_main.c.
"""

import re

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.kernel_log import (
    BusError,
    KernelEvent,
    KernelLog,
    LinkChange,
    MachineCheck,
    SwitchError,
    Xid,
)

LINE = re.compile(r"(\d{4}-\d\d-\d\dT\S+) \S+ kernel: (.*)")
FIRST = re.compile(r"Linux version \S")
XID = re.compile(
    r"NVRM: Xid (?:\((?:PCI:)?([0-9a-fA-F]{4,8}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2})(?:\.\d)?(?: GPU-I:\w+)?\))?: (\d+)(?:, ?(.*))?$"
)
"""With MIG on, the instance stands behind the place of the accelerator; some lines have no place."""
ANY_XID = "NVRM: Xid "
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
EVENTS = {
    "panic": re.compile(r"Kernel panic - not syncing"),
    "oops": re.compile(
        r"BUG: (?:unable to handle|kernel NULL pointer)|kernel BUG at |Oops: |(?:general|stack) protection fault"
        r"|Unable to handle kernel |Internal error: "
    ),
    "soft_lockup": re.compile(r"(?:NMI )?watchdog: BUG: soft lockup|BUG: soft lockup"),
    "hard_lockup": re.compile(r"(?:(?:NMI )?watchdog: )?(?:CPU\d+: )?Watchdog detected hard LOCKUP"),
    "rcu_stall": re.compile(r"(?:rcu: )?INFO: rcu_\w+ (?:self-)?detected (?:expedited )?stalls? on"),
    "hung_task": re.compile(r"INFO: task .+ blocked for more than \d+ seconds"),
    "out_of_memory": re.compile(r"Out of memory: Kill"),
    "io_error": re.compile(
        r"(?:blk_update_request: )?(?:critical \w+|I/O|protection) error, dev |Buffer I/O error on dev"
        r"|EXT4-fs error|XFS \(\S+\): .*I/O [Ee]rror|nvme nvme\d+: (?:I/O .*timeout|controller is down)"
    ),
}
"""How the lines of each kind begin."""
CHECK = re.compile(r"mce: \[Hardware Error\]: CPU (\d+): Machine Check(?: Exception)?: \S+ Bank (\d+): ([0-9a-f]{16})")
AMD = re.compile(r"\[Hardware Error\]: CPU:(\d+) \([0-9a-f:]+\) MC(\d+)_STATUS\[.*\]: 0x([0-9a-f]{16})")
FIRMWARE = re.compile(r"\{\d+\}\[Hardware Error\]: event severity: (\w+)")
MILD = ("corrected", "info")
UNCORRECTED = 1 << 61
"""Bit UC of IA32_MCi_STATUS (Intel SDM volume 3B, 17.3.2.2; the same in AMD's APM volume 2, 9.3.2.1)."""
LINK = re.compile(
    r"\w+ ([0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.\d)(?: ([\w.@-]+))?: (?:\w+: \w+ )?(?:NIC )?Link (?:is )?(up|down)\b",
    re.IGNORECASE,
)
WANTED = (
    "^Linux version|NVRM: Xid|SXid|PCIe Bus Error|Kernel panic|BUG: |kernel BUG|Oops: |protection fault|Unable to handle kernel|Internal error: |LOCKUP|rcu_[a-z]+ .*detected|"
    "blocked for more than|Out of memory: Kill|error, dev |I/O |EXT4-fs error|controller is down|"
    "Machine Check|_STATUS.*0x|event severity|: (NIC )?[Ll]ink (is )?([Uu]p|[Dd]own)"
)
MOST_LINES = 20000
SEPARATOR = "-- "

Fault = Xid | SwitchError | BusError | KernelEvent | MachineCheck | LinkChange


def parse(output: str) -> KernelLog:
    """Lines ``TIME HOST kernel: TEXT``; a text that none of the patterns knows is left out."""
    begins = ""
    faults: list[Fault] = []
    for number, line in enumerate(output.splitlines(), start=1):
        if not line.strip() or line.startswith(SEPARATOR):
            continue
        parts = LINE.fullmatch(line.rstrip())
        if parts is None:
            raise ParseError(number, line, "TIME HOST kernel: TEXT of journalctl")
        if FIRST.match(parts[2]):
            begins = begins or parts[1]
        else:
            faults += _faults(parts[1], parts[2], number)
    if not begins and not faults:
        raise ParseError(1, output, "the kernel's first line or a fault")
    return KernelLog(
        begins=begins,
        xids=[fault for fault in faults if isinstance(fault, Xid)],
        switch_errors=[fault for fault in faults if isinstance(fault, SwitchError)],
        bus_errors=[fault for fault in faults if isinstance(fault, BusError)],
        events=[fault for fault in faults if isinstance(fault, KernelEvent)],
        machine_checks=[fault for fault in faults if isinstance(fault, MachineCheck)],
        link_changes=[fault for fault in faults if isinstance(fault, LinkChange)],
    )


def _faults(time: str, text: str, number: int) -> list[Fault]:
    """The fault that a line names, if it names one."""
    if match := XID.match(text):
        return [Xid(time=time, bus_id=(match[1] or "").lower(), code=int(match[2]), text=match[3] or "")]
    if text.startswith(ANY_XID):
        raise ParseError(number, text, "NVRM: Xid (PCI:DOMAIN:BUS:DEVICE): CODE, TEXT of the driver")
    if match := SXID.match(text):
        return [_switch_error(time, match)]
    if match := BUS.match(text):
        if match[2] not in SEVERITIES:
            raise ParseError(number, match[2], "a severity of PCIe errors")
        return [BusError(time=time, bus_id=match[1], severity=SEVERITIES[match[2]], layer=match[3])]
    if match := CHECK.match(text) or AMD.match(text):
        mild = not int(match[3], 16) & UNCORRECTED
        return [MachineCheck(time=time, cpu=int(match[1]), bank=int(match[2]), status=match[3], corrected=mild)]
    if match := FIRMWARE.match(text):
        return [MachineCheck(time=time, cpu=None, bank=None, status=match[1], corrected=match[1] in MILD)]
    if match := LINK.match(text):
        return [LinkChange(time=time, port=match[2] or match[1], up=match[3].lower() == "up")]
    return [KernelEvent(time=time, kind=kind, text=text) for kind, begins in EVENTS.items() if begins.match(text)][:1]


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
        f"--grep={WANTED}",
    ),
)  # fmt: skip
