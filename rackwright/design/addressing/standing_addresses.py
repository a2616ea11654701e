"""Devices that already have an address keep it; new devices get free ones."""

from __future__ import annotations

import ipaddress
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np

from rackwright.design.addressing.nets import Net
from rackwright.model.existing import Existing

Offsets = np.ndarray[tuple[int], np.dtype[np.int64]]
Address = ipaddress.IPv4Address | ipaddress.IPv6Address


@dataclass
class StandingAddresses:
    """Addresses listed under ``existing``, by device name. Devices with an address in ``pools[].hosts`` are in `declared` and use that one."""

    by_device: Mapping[str, Sequence[Address]]
    declared: Collection[str] = ()
    _assigned: dict[str, set[int]] = field(default_factory=dict)
    """Per network the offsets that hosts, switches and plant have got so far."""

    @classmethod
    def of(cls, existing: Existing, declared: Collection[str] = ()) -> StandingAddresses:
        """The addresses of devices and plant; entries that are no address are left to `check`."""
        listed: dict[str, list[Address]] = {}
        for _, device, text in existing.addresses:
            if device not in declared and (address := _parsed(text)):
                listed.setdefault(device, []).append(address)
        return cls(listed, frozenset(declared))

    def deal(self, net: Net, names: Sequence[str], planned: Offsets, free: Iterable[int]) -> Offsets:
        """Offsets of the devices `names` in `net`: recorded ones in their order, else the `planned` ones, else the first of `free`.

        A planned offset is skipped if it is recorded for another device or was dealt before.
        """
        if not self.by_device:
            return planned
        recorded = self._offsets(net)
        assigned = self._assigned.setdefault(net.name, set())
        in_use = set(chain.from_iterable(recorded.values())) | assigned
        turns = {name: iter(recorded.get(name, ())) for name in dict.fromkeys(names)}
        result = planned.copy()
        fresh = []
        for at, name in enumerate(names):
            offset = next(turns[name], None)
            if offset is not None:
                result[at] = offset
            elif name not in self.declared:
                fresh.append(at)
        homeless = [at for at in fresh if int(planned[at]) in in_use]
        reserved = in_use | set(planned[np.setdiff1d(fresh, homeless).astype(np.int64)].tolist())
        rest = (offset for offset in free if offset not in reserved)
        for at in homeless:
            result[at] = next(rest, planned[at])
        assigned.update(result.tolist())
        return result

    def _offsets(self, net: Net) -> dict[str, list[int]]:
        """Device -> its recorded offsets in `net`: in the IPv4 subnet if there is one, else in the IPv6 subnet."""
        subnet = net.subnet or net.subnet6
        if subnet is None:
            return {}
        base = int(subnet.network_address)
        return {
            name: offsets
            for name, addresses in self.by_device.items()
            if (offsets := [int(address) - base for address in addresses if address in subnet])
        }


def downwards(highest: int) -> Iterator[int]:
    """Offsets from `highest` down."""
    return iter(range(highest, 0, -1))


def _parsed(text: str) -> Address | None:
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None
