"""Names of link rates: what ibnetdiscover prints, and what ibsim reads.

The figures stand in ``rates.yaml`` with their sources.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from rackwright.base import yaml_text


@cache
def _table() -> Mapping[str, Any]:
    return dict(yaml_text.load((Path(__file__).parent / "rates.yaml").read_text(encoding="utf-8")))


def speed(gbps: int, port_gbps: int) -> str:
    """``4xNDR``: a link of `gbps` on a switch port that is built for `port_gbps`.

    A slower link on a port is either the older generation with all lanes, or fewer lanes of a split port; ports are split
    into halves and quarters of their own generation. Empty when no generation has that rate.
    """
    table = _table()
    by_rate = {lane * table["lanes_per_port"]: (name, lane) for name, lane in table["lanes"].items()}
    if gbps in by_rate and (gbps == port_gbps or port_gbps not in by_rate):
        return f"{table['lanes_per_port']}x{by_rate[gbps][0]}"
    if port_gbps not in by_rate or gbps % by_rate[port_gbps][1]:
        return ""
    name, lane = by_rate[port_gbps]
    return f"{int(gbps // lane)}x{name}"


def gbps(speed: str) -> float | None:
    """Gb/s of a speed as ibnetdiscover prints it: 400 for ``4xNDR`` and for ``8xHDR``; None for an unknown one."""
    lanes, _, name = speed.partition("x")
    lane = _table()["lanes"].get(name)
    return int(lanes) * float(lane) if lane and lanes.isdecimal() else None


def ibsim(gbps: int) -> str:
    """The options of a link of `gbps` in a net file; empty when ibsim cannot show that rate."""
    return str(_table()["ibsim"].get(gbps, ""))
