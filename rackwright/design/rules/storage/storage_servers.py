"""The servers or local drives of a tier deliver what the tier promises."""

from __future__ import annotations

from rackwright.design.rules.rule import DesignRule, Judged, finding
from rackwright.design.storage.study import Made, TierStudy, tiers
from rackwright.model.design import Design
from rackwright.model.verdict import Finding


def judge(design: Design) -> Judged:
    """Per tier with servers of its own, and per local tier: rates and capacity."""
    for tier in tiers(design):
        if tier.servers:
            made_of = f"{tier.servers.count} x {tier.servers.sku}"
            step = f"raise storage servers of {tier.tier}, or lower what it promises"
            yield tier.tier, _judge(tier, tier.servers, made_of, f"SKU {tier.servers.sku}", step)
        elif tier.drives:
            step = f"lower what {tier.tier} promises, or choose servers with more drives"
            made_of = f"the drives of {tier.drives.count} nodes"
            yield tier.tier, _judge(tier, tier.drives, made_of, "SKU local_storage", step)


def _judge(tier: TierStudy, parts: Made, made_of: str, source: str, step: str) -> Finding:
    read, write, room = tier.promise.read_gbytes_per_s, tier.promise.write_gbytes_per_s, tier.capacity_pbytes
    observed = _words(parts.read_gbytes_per_s, parts.write_gbytes_per_s, parts.capacity_pbytes)
    good = parts.read_gbytes_per_s >= read and parts.write_gbytes_per_s >= write and parts.capacity_pbytes >= room
    says = f"Tier {tier.tier} is {made_of}: {observed}"
    return finding(good, observed, _words(read, write, room), source, says, step)


def _words(read: float, write: float, room: float) -> str:
    return f"{read:,.1f} GB/s read, {write:,.1f} GB/s write, {room:,.4g} PB"


RULE = DesignRule("storage_servers", "Storage servers deliver what their tier promises", judge)
