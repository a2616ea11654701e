"""Names of the elements between a feed and a power supply. Each depends on the place of the element alone."""

from __future__ import annotations


def ups(feed: str, index: int) -> str:
    """``A-ups1``: UPS module `index` (from 1) of a feed."""
    return f"{feed}-ups{index}"


def busway(hall: str, row: int, feed: str) -> str:
    """``hall-1-row2-A``: the busway of a feed above a row."""
    return f"{hall}-row{row}-{feed}"


def pdu(circuit: str) -> str:
    """``train-r01-A1-pdu``: the rack PDU that ends a circuit."""
    return f"{circuit}-pdu"


def shelf(rack: str, index: int) -> str:
    """``train-r01-shelf1``: power shelf `index` (from 1) of a rack."""
    return f"{rack}-shelf{index}"


def supply(device: str, psu: int) -> str:
    """``train-001-psu1``: power supply `psu` (from 1) of a device."""
    return f"{device}-psu{psu}"
