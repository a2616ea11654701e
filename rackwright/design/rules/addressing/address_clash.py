"""Every address is given once, lies in its subnet, and leaves the reserved start of the subnet alone."""

from __future__ import annotations

import ipaddress
from collections import Counter

import polars as pl

from rackwright.design.addressing import RESERVED
from rackwright.design.rules.rule import Judged, Rule, finding
from rackwright.model.design import Design


def judge(design: Design) -> Judged:
    """Per fabric with a subnet."""
    times = Counter(design.addresses["address"])
    for fabric in design.site.fabrics:
        if fabric.subnet is None:
            continue
        subnet = ipaddress.IPv4Network(fabric.subnet)
        first = subnet.network_address + RESERVED
        wrong = []
        rows = design.addresses.filter(pl.col("network") == fabric.name)
        for row in rows.iter_rows(named=True):
            address = ipaddress.IPv4Address(row["address"])
            if times[row["address"]] > 1:
                wrong.append(f"{address} is given {times[row['address']]} times (once to {row['device']})")
            if address not in subnet or address <= first or address == subnet.broadcast_address:
                wrong.append(f"{address} of {row['device']} is outside")
        observed = "; ".join(wrong[:3]) or f"{len(rows)} addresses, all different"
        expected = f"every address once, in {subnet} above {first}"
        says = f"Network {fabric.name}: {observed}"
        yield fabric.name, finding(not wrong, observed, expected, f"site fabrics {fabric.name}.subnet", says)


RULE = Rule("address_clash", "Addresses do not clash", judge)
