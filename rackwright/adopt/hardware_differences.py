"""The usual hardware of a group of nodes, and the nodes with other hardware."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

from rackwright.adopt.hardware import Hardware, RdmaAdapter
from rackwright.adopt.majority import NodeDifference, differences, usual
from rackwright.adopt.reading import NodeReading
from rackwright.model.hostlist import short_name

MEMORY_TOLERANCE = 0.03
"""The kernel reserves a little more or less of the same modules."""


def usual_hardware(hardware: Sequence[Hardware]) -> Hardware:
    """For each field the value of most nodes that reported it; of equally frequent numbers the largest."""
    plain = [field.name for field in fields(Hardware) if field.name not in ("adapters", "interfaces")]
    common = {name: _usual_value([getattr(entry, name) for entry in hardware]) for name in plain}
    common["adapters"] = _usual_adapters([entry.adapters for entry in hardware if entry.adapters is not None])
    common["interfaces"] = _usual_rates([entry.interfaces for entry in hardware if entry.interfaces is not None])
    return Hardware(**common)


def _usual_value(values: Sequence[Any]) -> Any:
    """The usual value of the nodes that reported it; that of the first node if none did."""
    reported = [value for value in values if value not in (None, "", (), 0)]
    return usual(reported) if reported else values[0]


def _usual_adapters(lists: Sequence[tuple[RdmaAdapter, ...]]) -> tuple[RdmaAdapter, ...] | None:
    """The adapters that most nodes have, each with the usual rate of its link where it is up; None without any list."""
    if not lists:
        return None
    names = usual(tuple(adapter.name for adapter in adapters) for adapters in lists) or ()
    alike = [adapters for adapters in lists if tuple(adapter.name for adapter in adapters) == names]
    return tuple(_usual_adapter([adapters[at] for adapters in alike]) for at in range(len(names)))


def _usual_adapter(adapters: Sequence[RdmaAdapter]) -> RdmaAdapter:
    up = [adapter for adapter in adapters if adapter.gbps]
    counts = Counter(up or adapters)
    return max(counts, key=lambda adapter: (counts[adapter], adapter.gbps))


def _usual_rates(tables: Sequence[Mapping[str, int]]) -> dict[str, int] | None:
    """Interface that most nodes have -> the highest rate among them; None without any table."""
    if not tables:
        return None
    counts = Counter(name for rates in tables for name in rates)
    return {name: max(rates.get(name, 0) for rates in tables) for name, count in counts.items() if 2 * count >= len(tables)}  # fmt: skip


def hardware_differences(
    members: Sequence[NodeReading], hardware: Mapping[str, Hardware], expected: int
) -> Iterator[NodeDifference]:
    """Every node that differs from its peers; `expected` is the number of accelerators in the catalog, 0 if it has no
    such server.
    """
    yield from _accelerators(members, hardware, expected)
    yield from differences("product name", _reported(hardware, lambda entry: entry.product or None))
    yield from differences("accelerators on the PCI bus", _reported(hardware, lambda entry: entry.on_bus))
    yield from differences("processors", _reported(hardware, _cores))
    yield from differences(
        "memory", _reported(hardware, lambda entry: entry.memory_gib), "{} GiB".format, _nearly_equal
    )
    yield from differences("network adapters", _reported(hardware, _models))
    yield from differences("links that are up", _reported(hardware, _links))
    names = {reading.host: reading.own_name for reading in members if reading.own_name}
    for host, name in names.items():
        if short_name(name) != short_name(host) and not host[0].isdecimal():
            yield NodeDifference(host, "host name", name, host, f"{len(names)} read")


def _accelerators(
    members: Sequence[NodeReading], hardware: Mapping[str, Hardware], expected: int
) -> Iterator[NodeDifference]:
    """Differences in accelerators by the vendor's tool, from the peers and from the catalog."""
    values = _reported(hardware, lambda entry: entry.accelerators)
    listed = list(differences("accelerators", values))
    yield from listed
    common = usual(values.values())
    if expected and common is not None and common < expected:
        hosts = [host for host, count in values.items() if count == common]
        for host in hosts:
            yield NodeDifference(host, "accelerators", str(common), str(expected), "the catalog")
    for reading in members:
        if reading.host not in values and values:
            reason = reading.tool_errors.get(hardware[reading.host].vendor, "")
            yield NodeDifference(
                reading.host, "accelerators", f"not reported{f' ({reason})' if reason else ''}", str(common), f"{len(values)} of {len(members)}"
            )  # fmt: skip


def _reported(hardware: Mapping[str, Hardware], read: Callable[[Hardware], Any]) -> dict[str, Any]:
    """The value of every node that reported it."""
    return {host: value for host, entry in hardware.items() if (value := read(entry)) is not None}


def _cores(entry: Hardware) -> str | None:
    if entry.sockets is None or entry.cores_per_socket is None:
        return None
    return f"{entry.sockets} x {entry.cores_per_socket} cores{f' {entry.cpu_model}' if entry.cpu_model else ''}"


def _nearly_equal(value: int, common: int) -> bool:
    return abs(value - common) <= MEMORY_TOLERANCE * common


def _models(entry: Hardware) -> str | None:
    if entry.adapters is None:
        return None
    counts = Counter(adapter.model for adapter in entry.adapters)
    return ", ".join(f"{count} x {model}" for model, count in sorted(counts.items())) or "none"


def _links(entry: Hardware) -> str | None:
    if entry.adapters is None:
        return None
    counts = Counter((adapter.gbps, adapter.infiniband) for adapter in entry.adapters if adapter.gbps)
    return ", ".join(
        f"{count} x {gbps} Gb/s {'InfiniBand' if infiniband else 'Ethernet'}"
        for (gbps, infiniband), count in sorted(counts.items(), reverse=True)
    ) or "none"  # fmt: skip
