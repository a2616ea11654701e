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
    keyed = design.networks.drop_nulls("partition_key").select("network", "fabric", "pool", "partition_key")
    files_ = []
    for fabric, some in subnets_by_fabric:
        rows = list(keyed.filter(pl.col("fabric") == fabric).iter_rows())
        if rows:
            files_ += [
                ExportFile(f"{subnet.name}.partitions.conf", tuple(_text(design, subnet, rows, guids)), len(rows))
                for subnet in some
            ]
    return files_


def _text(
    design: Design, subnet: SubnetPlan, rows: Sequence[tuple[str, str, str | None, int]], guids: Guids
) -> Iterator[str]:
    yield f"# Partitions of subnet {subnet.name} for opensm, written by rackwright export. Change the site, not this file.\n"
    yield f"Default={DEFAULT:#06x},ipoib,defmember=limited : ALL_SWITCHES=full, SELF=full, ALL_CAS ;\n"
    ports = subnet.adapters.select("device", "port", "name").join(
        design.devices.select("device", "pool"), on="device", how="left", maintain_order="left"
    )
    for network, _, pool, key in rows:
        mine = ports if pool is None else ports.filter(pl.col("pool") == pool)
        each = (guids.get(at, UNKNOWN).port for at in mine.select("device", "port").iter_rows())
        known_guids = [guid for guid in each if guid]
        missing = mine.height - len(known_guids)
        yield f"# {network}: {mine.height} ports of {pool or 'every pool'}, {missing} of them without a GUID yet\n"
        members = "".join(f",\n    {guid}" for guid in known_guids)
        yield f"{network}={key:#06x},defmember=full : ALL_SWITCHES{members} ;\n"
