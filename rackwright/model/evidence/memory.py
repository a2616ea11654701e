"""Memory modules of one node as its firmware reports them."""

from __future__ import annotations

from rackwright.model.base import Record


class Dimm(Record):
    """One slot; None where the firmware does not report a value."""

    slot: str
    """Name on the board (``P1_DIMM_A1``)."""
    bytes: int | None
    """0: empty."""
    kind: str
    manufacturer: str
    serial: str
    part: str
    rated_mts: int | None
    """Transfers per second that the module can do, in millions."""
    running_mts: int | None


class Memory(Record):
    """Slots of the main board (`dmidecode --type 17`)."""

    dimms: list[Dimm]
