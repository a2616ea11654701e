"""Measured amounts for people: shares in percent, degrees with their sign, rates in words."""

from __future__ import annotations

import math

UNITS = {
    "share": (100.0, "%"),
    "celsius": (1.0, "°C"),
    "1/s": (1.0, "per second"),
    "1/day": (1.0, "per day"),
    "us": (1.0, "µs"),
    "1": (1.0, ""),
}
"""Unit of the tables -> factor and unit of the page; other units are printed unchanged."""


def scaled(value: float, unit: str) -> tuple[float, str]:
    """`value` in the unit of the page, and that unit."""
    factor, name = UNITS.get(unit, (1.0, unit))
    return value * factor, name


def format_value(value: float) -> str:
    """A value for people: four significant digits, thousands separators, no trailing zeros."""
    if value == 0:
        return "0"
    digits = max(0, 3 - math.floor(math.log10(abs(value))))
    text = f"{value:,.{min(digits, 6)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def amount(value: float, unit: str = "") -> str:
    """``98.5 %``, ``34 °C``, ``787.5 TFLOPS``."""
    number, name = scaled(value, unit)
    return f"{format_value(number)} {name}".rstrip()
