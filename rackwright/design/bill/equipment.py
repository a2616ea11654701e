"""Counts what stands in racks, and the racks: servers with what comes inside them, switches, racks.

Accelerators and adapters are bought inside their servers: they are listed, so
that every part of the site stands in the bill once, and cost nothing of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import polars as pl

from rackwright.catalog import Catalog
from rackwright.design.bill.line import BillLine, of_part
from rackwright.model.design import Design
from rackwright.model.sku import Server


def device_counts(design: Design, kind: str) -> dict[str, int]:
    """Devices of `kind` (``server``, ``switch``) by SKU, in the order of the design."""
    mine = design.devices.lazy().filter(pl.col("kind") == kind).group_by("sku", maintain_order=True).len().collect()
    return {str(sku): int(count) for sku, count in mine.iter_rows()}


def lines(design: Design, catalog: Catalog) -> Iterator[BillLine]:
    """Racks, servers, switches, then what comes inside servers."""
    racks = design.racks.group_by("sku", maintain_order=True).len()
    for sku, count in racks.iter_rows():
        yield of_part(design.rack_parts[sku], count)
    servers = device_counts(design, "server")
    for sku, count in servers.items():
        yield of_part(design.servers[sku], count)
    for sku, count in device_counts(design, "switch").items():
        yield of_part(design.switches[sku], count)
    yield from _parts_inside_servers(design, catalog, servers)


def adapters(server: Server, catalog: Catalog) -> Counter[str]:
    """Network adapters of one server by SKU, as many as its ports need of them.

    Only adapters that the catalog knows.
    Others are chips on a board (the BMC's, an accelerator's own ports) and come and go with it.
    """
    ports: Counter[str] = Counter()
    for group in server.ports:
        if part := catalog.adapter(group.adapter):
            ports[part.sku] += group.count
    return Counter({sku: -(-count // catalog.nics[sku].ports) for sku, count in ports.items()})


def _parts_inside_servers(design: Design, catalog: Catalog, servers: dict[str, int]) -> Iterator[BillLine]:
    accelerators: dict[str, dict[str, int]] = {}
    nics: dict[str, dict[str, int]] = {}
    for sku, count in servers.items():
        server = design.servers[sku]
        if server.accelerator and server.accelerators:
            accelerators.setdefault(server.accelerator, {})[sku] = count * server.accelerators
        for name, each in adapters(server, catalog).items():
            nics.setdefault(name, {})[sku] = count * each
    for sku, by_server in accelerators.items():
        part = design.accelerators.get(sku) or catalog.accelerators[sku]
        yield of_part(part, sum(by_server.values()), inside=", ".join(by_server))
    for sku, by_server in nics.items():
        yield of_part(catalog.nics[sku], sum(by_server.values()), inside=", ".join(by_server))
