"""Input of the matrix products, the same on every device and in every run.

The values are moderate, with random signs and digits, so that every bit of the arithmetic toggles and the power cap is
reached.
"""

from __future__ import annotations

import random
import struct

SEED = 20260729
BLOCK = 65521
"""Entries of a block: a prime number."""


def block(precision: str) -> bytes:
    """`BLOCK` entries with magnitudes between 2^-3 and 2 and random signs, as bytes."""
    chance = random.Random(SEED)  # noqa: S311 - nothing secret is drawn
    if precision in ("bf16", "fp16"):
        bits, low = (7, 124) if precision == "bf16" else (10, 12)
        words = [_entry(chance, bits, low, 15) for _ in range(BLOCK)]
        return struct.pack(f"<{BLOCK}H", *words)
    if precision == "fp8":
        return bytes(_entry(chance, 3, 4, 7) for _ in range(BLOCK))
    form = "d" if precision == "fp64" else "f"
    values = [chance.choice((-1, 1)) * chance.uniform(0.125, 2.0) for _ in range(BLOCK)]
    return struct.pack(f"<{BLOCK}{form}", *values)


def _entry(chance: random.Random, bits: int, low: int, sign: int) -> int:
    """A number with `bits` of mantissa, one of four exponents from `low` on, and its sign at bit `sign`."""
    return chance.getrandbits(1) << sign | (low + chance.getrandbits(2)) << bits | chance.getrandbits(bits)
