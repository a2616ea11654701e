"""Addresses of the site are private: public ones may belong to others, and hosts with them are reachable from outside."""

from __future__ import annotations

import ipaddress

import polars as pl

from rackwright.design.rules.rule import DesignRule, Judged, finding
from rackwright.model.design import Design
from rackwright.model.verdict import Outcome

SOURCES = {4: "RFC 1918", 6: "RFC 4193"}
PRIVATE = {
    4: [ipaddress.ip_network(text) for text in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")],
    6: [ipaddress.ip_network("fc00::/7")],
}


def judge(design: Design) -> Judged:
    """Per fabric and version of IP."""
    for column in ("subnet", "subnet6"):
        named = design.networks.drop_nulls(column).group_by("fabric", maintain_order=True).agg(pl.col(column))
        for fabric, subnets in named.iter_rows():
            nets = [ipaddress.ip_network(text) for text in subnets]
            version = nets[0].version
            public = [net for net in nets if not any(net.subnet_of(network) for network in PRIVATE[version])]  # type: ignore[arg-type]
            observed = f"{public[0]}, a public network" if public else f"private networks of IPv{version}"
            expected = "a network out of " + ", ".join(str(network) for network in PRIVATE[version])
            step = f"choose a private {column} for {fabric}, or keep this one if it is yours to give to these hosts"
            says = f"Hosts of {fabric} get addresses of {observed}"
            result = finding(not public, observed, expected, SOURCES[version], says, step)
            yield f"{fabric} {column}", result.model_copy(update={"outcome": Outcome.DEGRADED}) if public else result


RULE = DesignRule("private_addresses", "Hosts have private addresses", judge)
