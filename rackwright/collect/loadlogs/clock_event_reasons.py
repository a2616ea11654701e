"""Names of NVML's clock-event reasons, as records carry them."""

from __future__ import annotations

from functools import lru_cache

IDLE = 0x001
NAMES = {
    0x002: "applications_clocks_setting",
    0x004: "sw_power_cap",
    0x008: "hw_slowdown",
    0x010: "sync_boost",
    0x020: "sw_thermal_slowdown",
    0x040: "hw_thermal_slowdown",
    0x080: "hw_power_brake_slowdown",
    0x100: "display_clock_setting",
}
KNOWN = sum(NAMES) | IDLE


def names(mask: int) -> list[str]:
    """The reasons in `mask`; unknown bits are listed as ``unknown_0x...``."""
    return [*_names(mask)]


@lru_cache(maxsize=512)
def _names(mask: int) -> list[str]:
    rest = mask & ~KNOWN
    return [name for bit, name in NAMES.items() if mask & bit] + ([f"unknown_0x{rest:x}"] if rest else [])


def mask(reasons: list[str]) -> int:
    """The bit mask of `reasons`; the inverse of `names`."""
    bits = {name: bit for bit, name in NAMES.items()}
    return sum(bits.get(name, 0) or int(name.removeprefix("unknown_"), 16) for name in reasons)
