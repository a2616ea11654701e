"""Figures as they are printed on drawings: few digits, thousands with commas, counts with their noun."""

from __future__ import annotations


def amount(value: float) -> str:
    """A measured figure with one digit after the point below a hundred: 0, 0.8, 40.8, 132, 1,306."""
    return f"{value:,.1f}" if 0 < abs(value) < 99.95 else f"{value:,.0f}"


def kilowatts(value: float) -> str:
    """``40.8 kW``; from ten thousand on in MW."""
    return f"{amount(value / 1000)} MW" if abs(value) >= 1e4 else f"{amount(value)} kW"


def bandwidth(gbps: float) -> str:
    """``15.5 Gb/s``; from a thousand on in Tb/s."""
    return f"{amount(gbps / 1000)} Tb/s" if abs(gbps) >= 1e3 else f"{amount(gbps)} Gb/s"


def load_of_capacity(load: float, capacity: float) -> str:
    """``3.9 of 20.0 MW``: a load and what can be carried, in kilowatts or both in MW."""
    return (
        f"{amount(load / 1000)} of {kilowatts(capacity)}"
        if abs(capacity) >= 1e4
        else f"{amount(load)} of {kilowatts(capacity)}"
    )


def count(number: int, noun: str, many: str = "") -> str:
    """``1 rack``, ``12 racks``; `many` for a noun that does not take an s."""
    return f"{number:,} {noun if number == 1 else many or noun + 's'}"


def share(part: float, total: float) -> float:
    """`part` of `total` between 0 and 1, for gauges; 0 if the total is 0."""
    return min(1.0, max(0.0, part / total)) if total > 0 else 0.0


def span(first: str, last: str, number: int) -> str:
    """Names as a span: the only one, both, or the first to the last."""
    if number <= 1:
        return first
    return f"{first}, {last}" if number == 2 else f"{first} to {last}"
