"""Subnets large enough, allocated one after the other from one private range.

The largest come first, so that every one is aligned and nothing is wasted between them.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping

from rackwright.catalog import sizing_practice
from rackwright.design.sizing.refusal import refuse

SMALLEST_BITS = 8
"""No subnet is smaller than a /24."""
ADDRESS_BITS = 32


def subnets(needs: Mapping[str, tuple[int, int]], doubled: int) -> dict[str, str]:
    """A subnet for each of `needs` (networks, and addresses of one), `doubled` so often."""
    base = ipaddress.IPv4Network(sizing_practice.load().addresses)
    bits = {name: _bits(count, highest) + doubled for name, (count, highest) in needs.items()}
    at, by_name = int(base.network_address), {}
    for name in sorted(needs, key=lambda name: -bits[name]):
        if at + 2 ** bits[name] > int(base.broadcast_address) + 1:
            raise refuse(
                "--accelerators",
                f"the subnets of {', '.join(needs)} do not fit into one private range",
                f"at most {base.num_addresses} addresses ({base})",
                f"{sum(2**size for size in bits.values())} addresses",
                "split it into several sites, or take an InfiniBand fabric, which needs no addresses",
            )
        by_name[name] = f"{ipaddress.IPv4Address(at)}/{ADDRESS_BITS - bits[name]}"
        at += int(2 ** bits[name])
    return {name: by_name[name] for name in needs}


def _bits(count: int, highest: int) -> int:
    """Host bits: the next power of two above the highest offset and the broadcast address, for each of `count` networks."""
    return max(SMALLEST_BITS, (highest + 1).bit_length() + (count - 1).bit_length())
