"""Drafts the entry of a server or an accelerator that the catalog lacks: readings, and the fields of the nearest part
for the rest.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rackwright.adopt.hardware import Hardware, RdmaAdapter
from rackwright.adopt.majority import usual
from rackwright.adopt.matching import match_accelerator
from rackwright.catalog import Catalog
from rackwright.model.sku import Accelerator, Server, ServerPort

Part = dict[str, Any]
READ = ("accelerator", "accelerators", "cpu_sockets", "cores_per_socket", "memory_gib", "nvswitches")
MEMORY_STEP = 64
"""In GiB: the kernel reports less than is installed, and memory is sold in such steps."""
LONGEST = 40


@dataclass(frozen=True)
class NewPart:
    """A part for ``catalog`` of the site file."""

    part: Part
    assumed: tuple[str, ...]
    """Fields that no node reports; they are those of `like`."""
    like: str


@dataclass(frozen=True)
class PartOrigin:
    """The nodes that were read, and the date."""

    hosts: str
    date: str


def draft_accelerator(hardware: Hardware, catalog: Catalog, origin: PartOrigin) -> NewPart | None:
    """An accelerator by the output of its tool; None if the catalog has no part of its vendor to take the rest from."""
    like = _nearest_accelerator(hardware, catalog)
    if like is None or not hardware.accelerator:
        return None
    part = like.model_dump(mode="json", exclude_unset=True, exclude={"conflicts", "list_price_usd", "sources"})
    read: Part = {
        "sku": _slug(hardware.accelerator),
        "model": hardware.accelerator,
        "product_name": hardware.accelerator,
    }
    read |= {"memory_gib": hardware.memory_gib_each} if hardware.memory_gib_each else {}
    read |= {"tdp_watts": hardware.watts_each} if hardware.watts_each else {}
    return _finished(part, read | {"support": "declared"}, like.sku, origin)


def _nearest_accelerator(hardware: Hardware, catalog: Catalog) -> Accelerator | None:
    """The part of the same vendor with the nearest memory; None if there is none."""
    parts = [part for part in catalog.accelerators.values() if part.vendor == hardware.vendor]
    return min(parts, key=lambda part: (abs(part.memory_gib - hardware.memory_gib_each), part.sku), default=None)


def draft_server(
    hardware: Hardware, accelerator: str, like: Server | None, catalog: Catalog, origin: PartOrigin, rates: Mapping[str, Collection[int]]
) -> NewPart:  # fmt: skip
    """A server by its readings; `like` is a server of the catalog from which it deviates, otherwise the nearest one is
    taken.

    `rates` are the Gb/s for which networks of each role can be sized: ports with other rates stay as in `like`.
    """
    base = like or _nearest_server(hardware, accelerator, catalog)
    part = base.model_dump(mode="json", exclude_unset=True, exclude={"conflicts", "list_price_usd", "sources"})
    name = hardware.product or f"{base.sku} as read"
    read: Part = {"sku": f"{base.sku}-adopted" if like else _slug(name), "model": name, "support": "declared"}
    read |= {"manufacturer": hardware.manufacturer} if hardware.manufacturer else {}
    count = max(hardware.accelerators or 0, hardware.on_bus or 0) or base.accelerators
    read |= {
        "accelerator": accelerator,
        "accelerators": base.accelerators if like and count < base.accelerators else count,
    }
    read |= {"cpu_sockets": hardware.sockets} if hardware.sockets else {}
    read |= {"cores_per_socket": hardware.cores_per_socket} if hardware.cores_per_socket else {}
    if hardware.memory_gib is not None:
        read["memory_gib"] = -(-hardware.memory_gib // MEMORY_STEP) * MEMORY_STEP
    if hardware.nvswitches:
        read["nvswitches"] = hardware.nvswitches
    ports, ports_read = _ports(base, hardware, read["accelerators"], rates)
    read["ports"] = [group.model_dump(mode="json", exclude_unset=True) for group in ports]
    return _finished(part, read, base.sku, origin, ports_read)


def _nearest_server(hardware: Hardware, accelerator: str, catalog: Catalog) -> Server:
    """The server with the same accelerator, or one of its vendor, and the nearest number of them."""
    part = catalog.accelerators.get(accelerator)
    named = match_accelerator(hardware, catalog)
    vendor = part.vendor if part else hardware.vendor

    def distance(server: Server) -> tuple[bool, bool, int, str]:
        accelerator_part = catalog.accelerators.get(server.accelerator or "")
        missing = abs(server.accelerators - (hardware.accelerators or hardware.on_bus or 0))
        return (
            server.accelerator not in (accelerator, named),
            accelerator_part is None or accelerator_part.vendor != vendor,
            missing,
            server.sku,
        )

    return min((server for server in catalog.servers.values() if server.accelerators), key=distance)


def _ports(
    base: Server, hardware: Hardware, accelerators: int, rates: Mapping[str, Collection[int]]
) -> tuple[list[ServerPort], list[str]]:
    """The groups of ports, and the roles of those that were read."""
    adapters = [adapter for adapter in hardware.adapters or () if adapter.gbps]
    compute = _compute(
        base,
        _fastest_adapters([adapter for adapter in adapters if _divisible_by_rails(adapters, adapter, accelerators)]),
        accelerators,
    )
    storage = _fastest_adapters([adapter for adapter in adapters if adapter not in compute])
    used = {adapter.netdev for adapter in (*compute, *storage)}
    fast = {name: gbps for name, gbps in (hardware.interfaces or {}).items() if gbps and name not in used}
    groups: list[ServerPort] = []
    read: list[str] = []
    for group in base.ports:
        ports: Sequence[tuple[str, int, str]] = ()
        if group.role in ("compute", "storage"):
            chosen = compute if group.role == "compute" else storage
            ports = [(adapter.name, adapter.gbps, adapter.model) for adapter in chosen]
        elif group.role == "inband":
            rate = max(fast.values(), default=0)
            ports = [(name, gbps, group.adapter) for name, gbps in fast.items() if gbps == rate]
        if ports and (group.role == "compute" or ports[0][1] in rates.get(group.role, ())):
            group = _group(group, ports, accelerators)  # noqa: PLW2901 - the group as it was read
            read.append(group.role)
        groups.append(group)
    return groups, read


def _compute(base: Server, adapters: list[RdmaAdapter], accelerators: int) -> list[RdmaAdapter]:
    """Of equal adapters those of the compute fabric: by the names in `base`, otherwise the first ones that can be
    divided among the accelerators.
    """
    names = {name for group in base.ports if group.role == "compute" for name in group.names}
    named = [adapter for adapter in adapters if adapter.name in names]
    if len(named) == len(names):
        return named
    beyond = len(adapters) % accelerators if len(adapters) > accelerators else 0
    return adapters[: len(adapters) - beyond]


def _divisible_by_rails(adapters: Sequence[RdmaAdapter], adapter: RdmaAdapter, accelerators: int) -> bool:
    """Whether adapters of its kind and rate can be divided among the accelerators."""
    alike = sum((peer.model, peer.gbps) == (adapter.model, adapter.gbps) for peer in adapters)
    return alike >= accelerators or accelerators % alike == 0


def _fastest_adapters(adapters: Sequence[RdmaAdapter]) -> list[RdmaAdapter]:
    """The fastest adapters of one kind; of equally fast kinds the most frequent."""
    kind = max(
        {(adapter.gbps, adapter.model) for adapter in adapters},
        key=lambda kind: (kind[0], sum((peer.gbps, peer.model) == kind for peer in adapters)),
        default=None,
    )
    return [adapter for adapter in adapters if (adapter.gbps, adapter.model) == kind]


def _group(group: ServerPort, ports: Sequence[tuple[str, int, str]], accelerators: int) -> ServerPort:
    names = [name for name, _, _ in ports]
    adapter = usual(model for _, _, model in ports) or group.adapter
    kind = group.adapter if group.adapter.startswith(adapter) else adapter
    railed = group.role == "compute" and len(names) % accelerators == 0
    return ServerPort(
        role=group.role,
        count=len(names),
        gbps=ports[0][1],
        names=names,
        adapter=kind,
        per_rail=len(names) // accelerators if railed else 1,
    )


def _finished(part: Part, read: Part, like: str, origin: PartOrigin, ports: Sequence[str] = ()) -> NewPart:
    """The part with its two sources: the nodes, and the part from which the rest is taken."""
    covered = sorted(set(read) & {*READ, "tdp_watts"})
    covered += [f"ports.{at}.*" for at, group in enumerate(read.get("ports", ())) if group["role"] in ports]
    assumed = sorted(set(part) - set(read) - {"kind"})
    sources = [
        {"doc": f"read from {origin.hosts} by rackwright adopt", "date": origin.date, "level": "read", "covers": covered},
        {"doc": f"ASSUMED as {like}: no node tells it; replace it by the data sheet", "date": origin.date,
         "level": "derived", "covers": [*assumed, *(f"{name}.*" for name in assumed if isinstance(part[name], dict)), "ports.*"]},
    ]  # fmt: skip
    order = ["sku", "kind", *part]
    merged = {**part, **read}
    return NewPart(
        {name: merged[name] for name in dict.fromkeys([*order, *merged])} | {"sources": sources}, tuple(assumed), like
    )


def _slug(name: str) -> str:
    """A SKU made from `name`: lower-case letters, digits and hyphens."""
    words = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:LONGEST].strip("-")
    return words or "adopted"
