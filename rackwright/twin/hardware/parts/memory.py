"""One memory module of a machine of the twin."""

from __future__ import annotations

from dataclasses import dataclass

from rackwright.model.server import MemorySpeeds

PLANNED_GIB = 64
"""Size of the modules that the twin fits. Derived 2026-11-21: 32 modules make the 2 TiB of a DGX H100; the SKUs of servers name none."""
SLOTS_MOST = 32


@dataclass(frozen=True)
class DimmSlot:
    """A slot with what is in it."""

    slot: str
    gib: int
    """0: the slot is empty, or the module in it was mapped out."""
    rated_mts: int = 4800
    running_mts: int = 4800
    corrected: int = 0
    uncorrected: int = 0


def fitted(total_gib: int, sockets: int, speeds: MemorySpeeds | None = None) -> tuple[DimmSlot, ...]:
    """Equal modules that make `total_gib`, spread over the sockets as `P1_DIMM_A1`; they run as fast as a board with `speeds` runs so many."""
    count = max(1, min(SLOTS_MOST, total_gib // PLANNED_GIB))
    while total_gib % count:
        count -= 1
    each = max(1, count // max(1, sockets))
    rated = speeds.mts_by_modules[0] if speeds else DimmSlot.rated_mts
    running = speeds.highest(count, sockets) if speeds else rated
    return tuple(
        DimmSlot(
            f"P{number // each + 1}_DIMM_{chr(ord('A') + number % each // 2)}{number % 2 + 1}",
            total_gib // count,
            rated,
            running,
        )
        for number in range(count)
    )
