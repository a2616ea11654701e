"""A tier that accelerators read without a copy through the host has servers and a fabric that support it."""

from __future__ import annotations

from rackwright.design.rules.rule import DesignRule, Judged, finding
from rackwright.design.storage.gpudirect import SOURCE
from rackwright.design.storage.study import tiers
from rackwright.model.design import Design


def judge(design: Design) -> Judged:
    """Per tier with ``gpudirect: true``."""
    for tier in tiers(design):
        if tier.gpudirect_problems is None:
            continue
        observed = "; ".join(tier.gpudirect_problems) or "every platform supports it, over RDMA or local drives"
        expected = "servers with gpudirect_storage, and an RDMA fabric of role storage or compute"
        says = f"GPUDirect Storage on tier {tier.tier}: {observed}"
        step = f"set gpudirect: false for {tier.tier}, or choose servers and a fabric that support it"
        yield tier.tier, finding(not tier.gpudirect_problems, observed, expected, SOURCE, says, step)


RULE = DesignRule("gpudirect", "Tiers read directly by accelerators can be", judge)
