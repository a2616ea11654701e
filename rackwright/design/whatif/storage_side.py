"""Storage tiers after some of their servers are gone."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

import polars as pl

from rackwright.design.whatif.result import Failing
from rackwright.model.design import Design


def lost_storage_rates(design: Design, down: AbstractSet[str]) -> Iterator[Failing]:
    """Per tier with servers of its own: the rates that the remaining servers no longer deliver."""
    for tier in design.site.storage:
        if tier.servers is None:
            continue
        promise = design.servers[tier.servers.server].storage
        mine = design.devices.filter((pl.col("role") == "storage") & (pl.col("pool") == tier.name))["device"]
        remaining = sum(device not in down for device in mine)
        if promise is None or remaining == len(mine):
            continue
        for word, each, required in (
            ("read", promise.read_gbytes_per_s, tier.read_gbytes_per_s),
            ("write", promise.write_gbytes_per_s, tier.write_gbytes_per_s),
        ):
            if remaining * each < required:
                says = f"{remaining} of {len(mine)} servers of {tier.name} are left: {remaining * each:,.0f} of {required:,} GB/s {word}."
                yield Failing("design.storage_servers", says)
