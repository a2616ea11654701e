"""What two ports can agree on: the rate of a link, and how many links come out of one port.

Stands beside the records because the checks of a site and the
design must come to the same answer.
"""

from __future__ import annotations

from collections.abc import Sequence

from rackwright.model.sku import PortGroup


def lanes(port: PortGroup, gbps: int) -> int:
    """Links of `gbps` from one port: by its breakout, or the most lanes that run at that rate; 0 where it cannot."""
    exact = [breakout for breakout in port.breakouts if breakout * gbps == port.gbps]
    slower = [breakout for breakout in port.breakouts if breakout * gbps < port.gbps] if gbps in port.rates else []
    return max([*exact, *slower], default=int(gbps == port.gbps))


def speeds(port: PortGroup) -> list[int]:
    """Every rate that a link of `port` can have, the highest first."""
    split = {port.gbps // breakout for breakout in port.breakouts if port.gbps % breakout == 0}
    return sorted({port.gbps, *split, *port.rates}, reverse=True)


def agree(gbps: int, rates: Sequence[int], port: PortGroup) -> int | None:
    """The highest rate that an end of `gbps`, or of one of its lower `rates`, and `port` both can run; None without one."""
    both = {gbps, *rates} & set(speeds(port))
    return max(both, default=None)


def deal(ports: int, planes: int) -> int | None:
    """Number of lanes into which each of `ports` ports is split so that they divide evenly over `planes`; None when they cannot."""
    if ports % planes == 0:
        return 1
    return planes // ports if planes % ports == 0 else None
