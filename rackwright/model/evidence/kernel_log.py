"""What the kernel of one node has logged since it was started: errors of accelerators, NVSwitches and buses."""

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


class KernelLog(Record):
    """The lines that name a fault."""

    begins: str
    """Time of the kernel's first line; empty when the log does not reach back to the start, so that silence proves nothing."""
    xids: list[Xid]
    switch_errors: list[SwitchError]
    bus_errors: list[BusError]
