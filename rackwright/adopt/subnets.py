"""Finds the subnet in which the design gives nodes their present addresses."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping

BITS = 32
SMALLEST = 8
"""Host bits of the smallest subnet: a /24, as in sizing."""


def fitting_subnet(
    offsets: Mapping[str, int], addresses: Mapping[str, str], highest: int
) -> ipaddress.IPv4Network | None:
    """The smallest network in which every host of `addresses` is at its offset; None if there is none.

    `offsets` are those of the hosts within the subnet of the design, `highest` the highest one in use or reserved.
    """
    bases = set()
    for host, text in addresses.items():
        try:
            bases.add(int(ipaddress.IPv4Address(text)) - offsets[host])
        except ValueError:
            return None
    if len(bases) != 1:
        return None
    (base,) = bases
    bits = max(SMALLEST, (highest + 1).bit_length())
    if base < 0 or base % (1 << bits):
        return None
    return ipaddress.IPv4Network((base, BITS - bits))
