"""The meaning of a plain YAML scalar: the YAML 1.2 core schema, with numbers that a computer can hold."""

from __future__ import annotations

import re

_NULL = {"", "~", "null", "Null", "NULL"}
_BOOL = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_INT = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
MAX_DIGITS = 15
"""Longest number that JSON readers keep exactly."""
SMALLEST = 1e-12
"""Smaller than anything that is counted here; what is divided by it still fits a computer."""


class RefusedScalarError(ValueError):
    """A number that cannot be represented."""

    def __init__(self, code: str, message: str, expected: str) -> None:
        super().__init__(message)
        self.code = code
        self.expected = expected


def parse_scalar(text: str) -> str | int | float | bool | None:
    """The value of the plain (unquoted) scalar `text`. Raises `RefusedScalarError` for infinite, huge and vanishing numbers."""
    if text in _NULL:
        return None
    if text in _BOOL:
        return _BOOL[text]
    if _NOT_FINITE.fullmatch(text):
        raise RefusedScalarError("spec.not_finite", "a number must be finite", "a finite number")
    if _INT.fullmatch(text):
        if len(text.lstrip("+-0")) > MAX_DIGITS:
            raise RefusedScalarError("spec.huge_number", "the number is too large", f"at most {MAX_DIGITS} digits")
        return int(text, {"0o": 8, "0x": 16}.get(text[:2], 10))
    if _FLOAT.fullmatch(text):
        return _countable(float(text))
    return text


def _countable(value: float) -> float:
    """`value`, whole or broken, with no more digits than a whole number may have; what is too large for a float is infinite."""
    if abs(value) >= 10**MAX_DIGITS:
        raise RefusedScalarError("spec.huge_number", "the number is too large", f"at most {MAX_DIGITS} digits")
    if 0 < abs(value) < SMALLEST:
        raise RefusedScalarError("spec.tiny_number", "the number is too small", f"0, or at least {SMALLEST:g}")
    return value
