"""Finds the accelerator and the server of the catalog for a group of equal nodes."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from rackwright.adopt.hardware import Hardware
from rackwright.catalog import Catalog
from rackwright.model.sku import Accelerator, Server

SHORTEST_WORD = 5
"""Shortest first word of a model that identifies a product on its own (``GB200``, ``DGXA100``); it has a digit."""
MEMORY_TOLERANCE = 0.1
"""The kernel reports less memory than is installed: firmware and the kernel reserve some."""


@dataclass(frozen=True)
class Match:
    """A server of the catalog, and the reason for the match."""

    server: Server
    by: str
    deviations: tuple[str, ...]
    """Differences of the nodes from the catalog; empty if they agree."""


def match_accelerator(hardware: Hardware, catalog: Catalog) -> str | None:
    """The SKU with the product name that the vendor's tool prints; otherwise the one with the longest name that the
    printed name starts with.

    Of parts with the same name (a chip on several cards) the one with the memory that was read. None without a match.
    """
    printed = hardware.accelerator.lower()
    named = [
        part
        for part in catalog.accelerators.values()
        if part.vendor == hardware.vendor and printed and _begins(printed, part.product_name.lower())
    ]
    exact = [part for part in named if printed in map(str.lower, part.product_names)]

    def closeness(part: Accelerator) -> tuple[int, float]:
        """Sort key: the length of the name, then the difference in memory of one of its devices."""
        return len(part.product_name), -abs(part.memory_gib / part.devices - hardware.memory_gib_each)

    best = max(exact or named, key=closeness, default=None)
    return best.sku if best else None


def _begins(printed: str, name: str) -> bool:
    """Whether a product has that name, or is a variant of it: ``910b3`` is a 910B, but ``nvidia a100 ...`` is not an
    A10.
    """
    following = printed[len(name) : len(name) + 1]
    return printed.startswith(name) and not (name[-1:].isdigit() and following.isdigit())


def match_server(hardware: Hardware, accelerator: str | None, catalog: Catalog, kinds: Collection[str]) -> Match | None:
    """The server that the firmware names; without such a name, the only one that agrees with all readings.

    `kinds` are the adapters that are known by their PCI ids: others (part of the accelerator) are not compared.
    """
    servers = [server for server in catalog.servers.values() if server.accelerators]
    if accelerator or hardware.accelerator:
        servers = [server for server in servers if server.accelerator == accelerator]
    named = [server for server in servers if _names(server.model, hardware.product)]
    if named:
        server = max(named, key=lambda server: len(server.model))
        return Match(server, f"product name {hardware.product}", tuple(deviations(server, hardware, kinds)))
    if hardware.product:
        return None
    agreeing = [
        server for server in servers if not _counts(server, hardware) and not [*deviations(server, hardware, kinds)]
    ]
    if len(agreeing) != 1:
        return None
    return Match(agreeing[0], "accelerators, processors and adapters; its firmware gives no product name", ())


def _names(model: str, product: str) -> bool:
    """Whether a product name of the firmware is that model; characters other than letters and digits are ignored."""
    model_letters, printed = _letters(model), _letters(product)
    first = _letters(model.split()[0])
    short = len(first) >= SHORTEST_WORD and any(letter.isdigit() for letter in first)
    return bool(printed) and (model_letters in printed or (short and first in printed))


def _letters(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


def _counts(server: Server, hardware: Hardware) -> bool:
    """Whether the number of accelerators differs."""
    return server.accelerators not in (hardware.accelerators, hardware.on_bus)


def deviations(server: Server, hardware: Hardware, kinds: Collection[str]) -> Iterable[str]:
    """Differences from the catalog, except missing accelerators: a node that lost one is still that server."""
    cores = (hardware.sockets, hardware.cores_per_socket)
    if None not in cores and cores != (server.cpu_sockets, server.cores_per_socket):
        yield (
            f"{hardware.sockets} x {hardware.cores_per_socket} cores, "
            f"the catalog says {server.cpu_sockets} x {server.cores_per_socket}"
        )
    memory = hardware.memory_gib
    if memory is not None and abs(memory - server.memory_gib) > MEMORY_TOLERANCE * server.memory_gib:
        yield f"{memory} GiB of memory, the catalog says {server.memory_gib} GiB"
    if hardware.accelerators is not None and hardware.accelerators > server.accelerators:
        yield f"{hardware.accelerators} accelerators, the catalog says {server.accelerators}"
    if hardware.adapters:
        yield from _ports(server, hardware, kinds)


def _ports(server: Server, hardware: Hardware, kinds: Collection[str]) -> Iterable[str]:
    """Differences in the ports of the compute fabric, by name and adapter."""
    models = {adapter.name: adapter.model for adapter in hardware.adapters or ()}
    models |= {adapter.netdev: adapter.model for adapter in hardware.adapters or () if adapter.netdev}
    for group in server.ports:
        if group.role != "compute" or not any(group.adapter.startswith(kind) for kind in kinds):
            continue
        missing = [name for name in group.names if name not in models | (dict(hardware.interfaces or {}))]
        if missing:
            yield f"no port {', '.join(missing)}, which the catalog has; there are {', '.join(sorted(models))}"
        models_read = {models[name] for name in group.names if name in models} - {""}
        if not missing and models_read and not any(_same_kind(model, group.adapter) for model in models_read):
            yield f"adapters {', '.join(sorted(models_read))}, the catalog says {group.adapter}"


def _same_kind(model: str, adapter: str) -> bool:
    """Whether a device is of the kind of an adapter; True for devices whose id the catalog does not have."""
    return adapter.startswith(model) or model.startswith((adapter, "MT", "RDMA"))
