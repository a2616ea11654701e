"""Fabrics of sites that differ from the example in their servers and in the first fabric alone."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from rackwright import catalog
from rackwright.design import population, topology
from rackwright.design.topology import Network
from rackwright.model.site import Site

DECLARED = {"role": "compute", "transport": "infiniband", "topology": "rail-optimized", "switch": "qm9700"}


def described(data: dict[str, Any], server: str, count: int, unit: int, per_rack: int, fabric: dict[str, Any]) -> Site:
    """The example with one pool of `count` nodes and the compute fabric `fabric`, without subnet managers."""
    data["pools"][0].update(server=server, count=count, scalable_unit=unit, servers_per_rack=per_rack)
    if "nvl72" in server:
        data["pools"][0]["rack"] = "rack-nvl72"
    data["facility"]["halls"][0].update(rows=400, racks_per_row=40)
    data["facility"]["power"]["feed_kw"] = 4_000_000
    data["control"].pop("ufm", None)
    data["fabrics"][2]["subnet"], data["fabrics"][3]["subnet"] = "10.64.0.0/12", "10.96.0.0/12"
    data["fabrics"][0] = {"name": "compute", "pools": ["train"]} | DECLARED | fabric
    return Site.model_validate(data)


def built(site: Site, parts_catalog: catalog.Catalog) -> list[Network]:
    return topology.build_all(site, parts_catalog, population.populate(site, parts_catalog))[1]


def counts(network: Network) -> dict[str, int]:
    """Switches by tier and cables by kind."""
    result = Counter(member.tier for member in network.members)
    for wires in network.wires:
        result[wires.kind] += len(wires)
    return dict(result)


def assert_sound(network: Network) -> None:
    """Every port is used once at most and exists; nothing leads from a switch to itself."""
    roster = network.roster
    sizes = np.array([len(listed.ports) for listed in roster.ports])
    ends = [(w.a, w.a_port) for w in network.wires] + [(w.b, w.b_port) for w in network.wires]
    for device, port in ends:
        assert (port >= 0).all()
        assert (port < sizes[device]).all()
    every = np.concatenate([device.astype(np.int64) * (sizes.max() + 1) + port for device, port in ends])
    assert len(np.unique(every)) == len(every)
    assert all((w.a != w.b).all() for w in network.wires)
    reserved = {(device, port) for device, port, _ in network.reserved}
    used = {(int(d), int(p)) for device, port in ends for d, p in zip(device, port, strict=True)} if reserved else set()
    present = used - {
        (int(d), int(p))
        for w in network.wires
        if w.present is not None
        for d, p in zip(w.b[~w.present], w.b_port[~w.present], strict=True)
    }
    assert not reserved & present
