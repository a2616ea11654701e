"""What a tier is made of, servers or local drives, delivers what the tier promises."""

from __future__ import annotations

from rackwright.design.rules.rule import Judged, Rule, finding
from rackwright.design.storage.study import Rates, TierStudy, tiers
from rackwright.model.design import Design
from rackwright.model.verdict import Finding


def judge(design: Design) -> Judged:
    """Per tier with servers of its own, and per local tier: rates, and room where servers state it."""
    for tier in tiers(design):
        if tier.servers:
            made_of = f"{tier.servers.count} x {tier.servers.sku}"
            step = f"raise storage servers of {tier.tier}, or lower what it promises"
            yield (
                tier.tier,
                _judge(tier, tier.servers, tier.servers.capacity_pbytes, made_of, f"SKU {tier.servers.sku}", step),
            )
        elif tier.kind == "local" and tier.path.parts:
            drives = tier.path.parts[0]
            step = f"lower what {tier.tier} promises, or choose servers with more drives"
            yield tier.tier, _judge(tier, drives, None, f"the drives of {drives.at}", "SKU local_storage", step)


def _judge(tier: TierStudy, rates: Rates, capacity: float | None, made_of: str, source: str, step: str) -> Finding:
    read, write = tier.promise.read_gbytes_per_s, tier.promise.write_gbytes_per_s
    observed = f"{rates.read_gbytes_per_s:,.1f} GB/s read, {rates.write_gbytes_per_s:,.1f} GB/s write"
    expected = f"{read:,.1f} GB/s read, {write:,.1f} GB/s write"
    good = rates.read_gbytes_per_s >= read and rates.write_gbytes_per_s >= write
    if capacity is not None:
        observed, expected = f"{observed}, {capacity:,.3g} PB", f"{expected}, {tier.capacity_pbytes:,.3g} PB"
        good = good and capacity >= tier.capacity_pbytes
    return finding(good, observed, expected, source, f"Tier {tier.tier} is {made_of}: {observed}", step)


RULE = Rule("storage_servers", "Storage servers deliver what their tier promises", judge)
