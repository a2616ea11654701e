"""Faults that the kernel of one node has logged since boot: numbered errors, and every line that the catalogue of kernel lines lists."""

from __future__ import annotations

from rackwright.model.base import Record


class Xid(Record):
    """One ``NVRM: Xid`` line."""

    time: str
    """As the log prints it (ISO 8601)."""
    bus_id: str
    """``domain:bus:device``, lower case, as the driver prints it (``0000:1b:00``)."""
    code: int
    text: str
    """All that follows the code; empty where nothing does."""


class SwitchError(Record):
    """One ``SXid`` line of an NVSwitch."""

    time: str
    switch: int
    """Number of the NVSwitch (``nvidia-nvswitch3``)."""
    bus_id: str
    code: int
    fatal: bool
    text: str
    """All that follows the word Fatal or Non-fatal (``Link 46 MC TS crumbstore MCTO``)."""


class BusError(Record):
    """One ``PCIe Bus Error`` line (Advanced Error Reporting)."""

    time: str
    bus_id: str
    """``domain:bus:device.function``, lower case."""
    severity: str
    """``correctable``, ``nonfatal``, ``fatal``."""
    layer: str
    """``Physical Layer``, ``Data Link Layer``, ``Transaction Layer``."""


class KernelEvent(Record):
    """One line in which a driver or the kernel reports a fault."""

    time: str
    kind: str
    """A kind of the catalogue (``validators/kernel``): ``mlx5_tx_timeout``."""
    text: str
    """The line without its time and the name of its sender."""


class MachineCheck(Record):
    """One machine check, reported by a bank of a processor or by the firmware."""

    time: str
    cpu: int | None
    """None where the firmware tells of it and names no processor."""
    bank: int | None
    status: str
    """IA32_MCi_STATUS in 16 hex digits, or the firmware's word of severity (``fatal``)."""
    corrected: bool


class LinkChange(Record):
    """A network port that went up or down."""

    time: str
    port: str
    """The interface where the driver names one, else the PCI address."""
    up: bool


class UnreadableLine(Record):
    """A line that names a numbered error in a form that the parser does not know: it may hide an error."""

    time: str
    subject: str
    """What it is about: ``xid``, ``sxid``, ``aer``."""
    number: int
    """Of the line in the answer, from 1."""
    text: str


class KernelLog(Record):
    """The lines that name a fault."""

    begins: str
    """Time of the kernel's first line; empty when the log does not reach back to the start, so that silence proves nothing."""
    xids: list[Xid]
    switch_errors: list[SwitchError]
    bus_errors: list[BusError]
    events: list[KernelEvent] = []
    machine_checks: list[MachineCheck] = []
    link_changes: list[LinkChange] = []
    unreadable: list[UnreadableLine] = []
