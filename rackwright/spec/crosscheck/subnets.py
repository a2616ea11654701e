"""Subnets: real IPv4 networks that do not overlap."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator

from rackwright.catalog import Catalog
from rackwright.errors import Problem
from rackwright.model.site import Site
from rackwright.spec.crosscheck.problem import problem


def check(site: Site, catalog: Catalog) -> Iterator[Problem]:  # noqa: ARG001 - every check has the same shape
    """Subnets that are none, that have host bits set, or that share addresses with another."""
    seen: dict[str, ipaddress.IPv4Network] = {}
    for i, fabric in enumerate(site.fabrics):
        path = f"fabrics[{i}].subnet"
        if fabric.subnet is None:
            continue
        try:
            subnet = ipaddress.IPv4Network(fabric.subnet)
        except ValueError:
            yield _not_a_subnet(path, fabric.subnet)
            continue
        for name, other in seen.items():
            if subnet.overlaps(other):
                message = f"the subnets of {name} and {fabric.name} overlap"
                found = f"{other} and {subnet}"
                yield problem(path, "subnets_overlap", message, "subnets apart", found, "choose another subnet")
        seen[fabric.name] = subnet


def _not_a_subnet(path: str, text: str) -> Problem:
    try:
        meant = str(ipaddress.IPv4Network(text, strict=False))
    except ValueError:
        meant = ""
    step = f"did you mean {meant}?" if meant else "write it as 10.64.0.0/22"
    expected = "an IPv4 network, address and prefix, without host bits"
    return problem(path, "not_a_subnet", "this is not an IPv4 network", expected, text, step)
