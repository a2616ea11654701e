"""Partitions for opensm: ``partitions.conf`` from the P_Keys of the networks.

Members are port GUIDs, so a partition has those
that are known, and says how many are not: an incomplete partition must not look complete. Format: opensm,
doc/partition-config.txt (``Name=P_Key,flags : PortGUIDs ;``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from rackwright.export.export_request import UNKNOWN, Guids
from rackwright.export.file import ExportFile
from rackwright.export.infiniband.subnets import SubnetPlan
from rackwright.model.design import Design

DEFAULT = 0x7FFF
"""P_Key of the default partition, 15 bits (InfiniBand Architecture Specification, P_Key)."""


def files(
    design: Design, subnets_by_fabric: Sequence[tuple[str, Sequence[SubnetPlan]]], guids: Guids
) -> list[ExportFile]:
    """``<subnet>.partitions.conf`` of every fabric that has P_Keys."""
    files_ = []
    for fabric, some in subnets_by_fabric:
        rows = keyed(design, fabric)
        if rows:
            files_ += [
                ExportFile(f"{subnet.name}.partitions.conf", tuple(lines(design, subnet, rows, guids)), len(rows))
                for subnet in some
            ]
    return files_


Keyed = Sequence[tuple[str, str | None, int]]
"""Network, pool and P_Key."""


def keyed(design: Design, fabric: str) -> Keyed:
    """The networks of `fabric` that have a P_Key."""
    rows = design.networks.drop_nulls("partition_key").filter(pl.col("fabric") == fabric)
    return list(rows.select("network", "pool", "partition_key").iter_rows())


def lines(design: Design, subnet: SubnetPlan, rows: Keyed, guids: Guids) -> Iterator[str]:
    """The text of ``partitions.conf`` of one subnet: the default partition, then those of `rows`."""
    yield f"# Partitions of subnet {subnet.name} for opensm, written by rackwright export. Change the site, not this file.\n"
    # Limited members reach full ones alone: with partitions of their own hosts share no more than the manager, without they share all.
    default = "defmember=limited : ALL_SWITCHES=full, SELF=full, ALL_CAS" if rows else "defmember=full : ALL"
    yield f"Default={DEFAULT:#06x},ipoib,{default} ;\n"
    ports = subnet.adapters.select("device", "port", "name").join(
        design.devices.select("device", "pool"), on="device", how="left", maintain_order="left"
    )
    for network, pool, key in rows:
        mine = ports if pool is None else ports.filter(pl.col("pool") == pool)
        each = (guids.get(at, UNKNOWN).port for at in mine.select("device", "port").iter_rows())
        known_guids = [guid for guid in each if guid]
        missing = mine.height - len(known_guids)
        yield f"# {network}: {mine.height} ports of {pool or 'every pool'}, {missing} of them without a GUID yet\n"
        members = "".join(f",\n    {guid}" for guid in known_guids)
        yield f"{network}={key:#06x},defmember=full : ALL_SWITCHES{members} ;\n"
