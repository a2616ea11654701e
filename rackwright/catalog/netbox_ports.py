"""Ports of a NetBox device type from its interfaces: rate, transport, naming, and gaps in the numbering.

Interface types are those of NetBox's ``InterfaceTypeChoices`` (``400gbase-x-osfp``, ``1000base-t``, ``infiniband-ndr``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rackwright.catalog.netbox_file import Interface

_ETHERNET = re.compile(r"^(\d+)(\.\d+)?(g?)base-")
_NUMBERS = re.compile(r"^(.*?)(\d+)(?:([./])(\d+))?$")
_INFINIBAND = {"sdr": 8, "ddr": 16, "qdr": 32, "fdr10": 40, "fdr": 56, "edr": 100, "hdr": 200, "ndr": 400, "xdr": 800}
"""Gb/s of four lanes, by the name of the generation (InfiniBand Trade Association, roadmap)."""


@dataclass(frozen=True)
class PortSet:
    """Interfaces of one rate, in file order."""

    gbps: int
    transport: str
    """ethernet, infiniband."""
    names: tuple[str, ...]


def groups(interfaces: Iterable[Interface]) -> list[PortSet]:
    """Data interfaces by rate, fastest first; types without a whole number of Gb/s are omitted (see `unread`)."""
    by_rate: dict[tuple[int, str], list[str]] = {}
    for interface in interfaces:
        rate = read_type(interface.type)
        if rate and not interface.mgmt_only:
            by_rate.setdefault(rate, []).append(interface.name)
    return [PortSet(gbps, kind, tuple(names)) for (gbps, kind), names in sorted(by_rate.items(), reverse=True)]


def unread(interfaces: Iterable[Interface]) -> list[Interface]:
    """Interfaces whose type has no whole number of Gb/s (``other``, ``2.5gbase-t``, ``virtual``)."""
    return [interface for interface in interfaces if not interface.mgmt_only and read_type(interface.type) is None]


def read_type(type_: str) -> tuple[int, str] | None:
    """Gb/s and transport of an interface type; None when it has none."""
    if type_.startswith("infiniband-"):
        rate = _INFINIBAND.get(type_.removeprefix("infiniband-"))
        return (rate, "infiniband") if rate else None
    match = _ETHERNET.match(type_)
    if not match or match[2]:
        return None
    number = int(match[1]) if match[3] else int(match[1]) // 1000
    return (number, "ethernet") if number else None


def pattern(names: Sequence[str]) -> str | None:
    """``swp{number}`` when the names are one prefix with the numbers from 1 on without a gap, else None."""
    matches = [_NUMBERS.match(name) for name in names]
    if not names or not all(match and match[4] is None for match in matches):
        return None
    prefixes = {match[1] for match in matches if match}
    numbers = [int(match[2]) for match in matches if match]
    return f"{prefixes.pop()}{{number}}" if len(prefixes) == 1 and numbers == list(range(1, len(names) + 1)) else None


def gaps(names: Sequence[str]) -> list[str]:
    """Names that are missing from the numbering (``P22.1`` between ``P22.0`` and ``P24.0``)."""
    missing = []
    by_form: dict[tuple[str, str], set[tuple[int, ...]]] = {}
    for match in filter(None, map(_NUMBERS.match, names)):
        key = tuple(int(part) for part in (match[2], match[4]) if part is not None)
        by_form.setdefault((match[1], match[3] or ""), set()).add(key)
    for (prefix, mark), keys in by_form.items():
        missing += [f"{prefix}{mark.join(map(str, key))}" for key in _grid(keys) if key not in keys]
    return missing


def _grid(keys: set[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """All number tuples of a numbering without gaps, (first,) or (first, second): every first number from the least to the greatest, with every
    second number that occurs.
    """
    leading = [key[0] for key in keys]
    span = range(min(leading), max(leading) + 1)
    seconds = sorted({key[1] for key in keys if len(key) > 1})
    return [(first, second) for first in span for second in seconds] if seconds else [(first,) for first in span]
