"""Addresses as text, without a loop over them.

IPv6 text is canonical
(RFC 5952): hosts live in the low 32 bits of a /64, so that the zeros before them are the longest run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from rackwright.design import naming
from rackwright.design.addressing.blocks import AddressPlan, SubnetBlock
from rackwright.design.addressing.nets import Net
from rackwright.design.addressing.slots import BOND, LOOPBACK, VIRTUAL
from rackwright.design.addressing.standing_addresses import Offsets
from rackwright.design.columns import RosterColumns
from rackwright.design.topology import Network
from rackwright.model.schemas import SCHEMAS

NAMES = {BOND: naming.BOND, VIRTUAL: naming.VIRTUAL_INTERFACE, LOOPBACK: "lo"}
OCTETS = (24, 16, 8, 0)
GROUP = 0xFFFF


def addresses(plan: AddressPlan, columns: RosterColumns) -> pl.DataFrame:
    """One row per address, network by network, IPv4 before IPv6."""
    frames = [frame for block in plan.blocks for frame in _frames(block, columns)]
    frames += list(_plant(plan))
    return pl.concat(frames) if frames else pl.DataFrame(schema=SCHEMAS["addresses"])


def _frames(block: SubnetBlock, columns: RosterColumns) -> Iterator[pl.DataFrame]:
    net = block.net
    device, interface = columns.device(block.device), _interfaces(block, columns)
    loopback = bool(len(block.port)) and block.port[0] == LOOPBACK
    if net.subnet is not None:
        number = int(net.subnet.network_address) + block.offset
        prefix = np.full(len(number), 32 if loopback else net.subnet.prefixlen, dtype=np.int64)
        for routed in net.routed:
            prefix[number & int(routed.netmask) == int(routed.network_address)] = routed.prefixlen
        yield _frame(ipv4_text(number), pl.Series(prefix), 4, net, device, interface)
    if net.subnet6 is not None:
        yield _frame(ipv6_text(net.subnet6.network_address.packed, block.offset), 64, 6, net, device, interface)


def _plant(plan: AddressPlan) -> Iterator[pl.DataFrame]:
    if plan.room is None or not plan.plant:
        return
    net, count = plan.room.net, len(plan.plant)
    device = pl.Series("device", [name for name, _ in plan.plant], dtype=pl.String)
    interface = pl.Series("interface", [naming.PLANT_INTERFACE] * count, dtype=pl.String)
    offset = np.array([place for _, place in plan.plant], dtype=np.int64)
    assert net.subnet is not None, "the room of a network is that of its subnet"
    text = ipv4_text(int(net.subnet.network_address) + offset)
    yield _frame(text, net.subnet.prefixlen, 4, net, device, interface)


def _frame(
    text: pl.Series, prefix: int | pl.Series, family: int, net: Net, device: pl.Series, interface: pl.Series
) -> pl.DataFrame:
    data = {"address": text, "prefix": prefix, "family": family, "network": net.name, "device": device}
    return pl.DataFrame({**data, "interface": interface}, schema=SCHEMAS["addresses"])


def _interfaces(block: SubnetBlock, columns: RosterColumns) -> pl.Series:
    special = block.port < 0
    names = columns.port(block.device, np.where(special, 0, block.port).astype(np.int32))
    words = pl.Series([NAMES.get(int(port), "") for port in np.unique(block.port)], dtype=pl.String)
    if not special.any():
        return names
    where = np.searchsorted(np.unique(block.port), block.port)
    return pl.select(pl.when(pl.Series(special)).then(words.gather(pl.Series(where))).otherwise(names)).to_series()


def ipv4_text(number: Offsets) -> pl.Series:
    """IPv4 text of whole numbers."""
    small = pl.Series([str(octet) for octet in range(256)])
    parts = [small.gather(pl.Series((number >> shift) & 0xFF)).alias(str(shift)) for shift in OCTETS]
    return pl.DataFrame(parts).select(pl.concat_str(pl.all(), separator=".")).to_series()


def ipv6_text(base: bytes, offset: Offsets) -> pl.Series:
    """IPv6 text of offsets below 2**32 in a /64."""
    head = [f"{int.from_bytes(base[at : at + 2]):x}" for at in range(0, 8, 2)]
    while head and head[-1] == "0":
        head.pop()
    groups = pl.Series([f"{group:x}" for group in range(GROUP + 1)])
    high, low = pl.Series((offset >> 16) & GROUP), pl.Series(offset & GROUP)
    frame = pl.DataFrame({"high": groups.gather(high), "low": groups.gather(low)})
    start = ":".join(head) + "::"
    address = pl.concat_str(pl.lit(start), "high", pl.lit(":"), "low")
    return frame.select(
        pl.when(pl.col("high") == "0").then(pl.concat_str(pl.lit(start), "low")).otherwise(address)
    ).to_series()


def networks(plan: AddressPlan, networks: Sequence[Network]) -> pl.DataFrame:
    """One row per network, and one per pool and partition of an InfiniBand fabric with P_Keys."""
    rows = [
        (
            net.name,
            net.fabric,
            None if net.rail < 0 else net.rail,
            None if net.plane < 0 else net.plane,
            None,
            str(net.subnet) if net.subnet else None,
            str(net.subnet6) if net.subnet6 else None,
            net.vlan,
            net.vni,
            None,
        )
        for net in plan.nets
    ]
    return pl.DataFrame([*rows, *_partitions(networks)], schema=SCHEMAS["networks"], orient="row")


def _partitions(networks: Sequence[Network]) -> Iterator[tuple[str | int | None, ...]]:
    for network in networks:
        first = network.fabric.partition_key
        if first is None:
            continue
        pools = dict.fromkeys(member.pool for member in network.of_tier("leaf") if member.pool)
        for at, pool in enumerate(pools):
            yield (f"{network.fabric.name}-{pool}", network.fabric.name, None, None, pool, *[None] * 4, first + at)
