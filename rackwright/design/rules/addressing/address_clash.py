"""Every address is assigned once, lies in its subnet, and leaves the reserved start of the subnet free; those of running hosts are what they are."""

from __future__ import annotations

import ipaddress

import polars as pl

from rackwright.design.addressing import RESERVED
from rackwright.design.rules.rule import DesignRule, Judged, finding
from rackwright.model.design import Design

SHOWN = 3
IPV4 = 4


def judge(design: Design) -> Judged:
    """Per network with a subnet, by rail where a fabric has several. Loopbacks reserve nothing."""
    addresses = design.addresses.with_columns(
        pl.len().over("address").alias("times"),
        _number().alias("number"),
    )
    running = [host.address for pool in design.site.pools for host in pool.hosts if host.address]
    by_network = addresses.partition_by("network", as_dict=True, maintain_order=True)
    for row in design.networks.filter(pl.col("subnet").is_not_null()).iter_rows(named=True):
        name, subnet = row["network"], ipaddress.IPv4Network(row["subnet"])
        mine = by_network.get((name,), addresses.clear())
        reserved = 0 if mine["interface"].eq("lo").any() else RESERVED
        designed = mine.filter(~pl.col("address").is_in(running))
        wrong = [*_repeated_addresses(mine), *_addresses_outside(designed, subnet, reserved)]
        observed = "; ".join(wrong[:SHOWN]) or f"{len(mine)} addresses, all different"
        expected = f"every address once, in {subnet} above {subnet.network_address + reserved}"
        source = f"site fabrics {row['fabric']}.subnet"
        step = f"give {row['fabric']} a subnet of its own that is large enough"
        yield name, finding(not wrong, observed, expected, source, f"Network {name}: {observed}", step)
    yield from _floating_endpoint(design)


def _floating_endpoint(design: Design) -> Judged:
    """The address that keepalived gives to a server of Kubernetes belongs to no machine."""
    kubernetes = design.site.control.kubernetes
    if kubernetes is None or kubernetes.servers is None or kubernetes.servers.endpoint_by != "keepalived":
        return
    host = kubernetes.endpoint.rpartition(":")[0]
    owners = design.addresses.filter(pl.col("address") == host)["device"].to_list()
    observed = f"it is that of {owners[0]}" if owners else "no machine has it"
    step = "write one of the first fifteen addresses of the in-band subnet, which the design gives to no machine"
    says = f"Address {host} of the Kubernetes API server: {observed}"
    source = "site control.kubernetes.endpoint"
    yield f"endpoint {host}", finding(not owners, observed, "an address of no machine", source, says, step)


def _number() -> pl.Expr:
    """IPv4 text as a number; null for IPv6."""
    parts = pl.col("address").str.split(".")
    places = [parts.list.get(at, null_on_oob=True).cast(pl.Int64, strict=False) * 256 ** (3 - at) for at in range(4)]
    return pl.when(pl.col("family") == IPV4).then(pl.sum_horizontal(places))


def _repeated_addresses(mine: pl.DataFrame) -> list[str]:
    rows = mine.filter(pl.col("times") > 1).head(SHOWN)
    return [f"{r['address']} is given {r['times']} times (once to {r['device']})" for r in rows.iter_rows(named=True)]


def _addresses_outside(mine: pl.DataFrame, subnet: ipaddress.IPv4Network, reserved: int) -> list[str]:
    first, last = int(subnet.network_address) + reserved, int(subnet.broadcast_address)
    inside = pl.col("number").is_between(first, last, closed="none")
    rows = mine.filter(pl.col("number").is_not_null() & ~inside).head(SHOWN)
    return [f"{row['address']} of {row['device']} is outside" for row in rows.iter_rows(named=True)]


RULE = DesignRule("address_clash", "Addresses do not clash", judge)
