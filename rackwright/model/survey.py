"""What running nodes say before any site is declared: the questions that only adoption asks."""

from __future__ import annotations

from rackwright.model.base import Record


class Identity(Record):
    """Names that the firmware gives the machine (SMBIOS type 1 and 2); empty where it has none, or a placeholder."""

    manufacturer: str
    product: str
    """``DGXH100``, ``AS -8125GS-TNMR2``."""
    board: str
