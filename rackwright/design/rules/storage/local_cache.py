"""Local drives hold the dataset that a job reads from them, and read it fast enough."""

from __future__ import annotations

from rackwright.design.rules.rule import DesignRule, Judged, finding
from rackwright.design.rules.storage.degraded import weaker
from rackwright.design.storage.study import CacheStudy, tiers
from rackwright.model.design import Design
from rackwright.model.verdict import Finding

SOURCE = "SKU local_storage and site workloads"


def judge(design: Design) -> Judged:
    """Per class of jobs with a cache: size and read rate; the text reports the prefetch."""
    for tier in tiers(design):
        for cache in tier.caches:
            yield cache.workload, _size(cache)
            yield f"{cache.workload} read", _rate(cache)


def _size(cache: CacheStudy) -> Finding:
    """A dataset that only all nodes hold together works for samplers that keep to local samples: degraded."""
    each, together = 100 * cache.share_on_each_node, 100 * cache.share_on_all_nodes
    observed = f"{each:.0f} % of {cache.dataset_gbytes:,.0f} GB on each node, {together:.0f} % on all"
    says = f"The local cache of {cache.workload} holds {observed}; {_prefetch(cache)}"
    step = "choose servers with more local drives, more nodes, or read the dataset from a shared tier"
    result = finding(cache.layout == "each-node-all", observed, "the dataset on each node", SOURCE, says, step)
    return weaker(result) if cache.layout == "shared-out" else result


def _prefetch(cache: CacheStudy) -> str:
    if cache.fill_seconds is None or cache.lead_seconds is None:
        return "no tier to fill it from is within reach"
    source = f"a prefetch from {cache.source}, limited by {cache.fill_limited_by}, takes {cache.fill_seconds:,.0f} s"
    if not cache.lead_seconds:
        return f"{source} and keeps ahead of the first epoch"
    late = f"must start {cache.lead_seconds:,.0f} s before the job, or read {cache.fill_gbytes_per_s:,.1f} GB/s"
    return f"{source} and {late}"


def _rate(cache: CacheStudy) -> Finding:
    observed = f"{cache.read_gbytes_per_s:,.1f} GB/s"
    says = f"The local drives of a job of {cache.workload} read {observed}"
    step = "choose servers with more or faster local drives"
    good = cache.read_gbytes_per_s >= cache.wanted_gbytes_per_s
    return finding(good, observed, f"at least {cache.wanted_gbytes_per_s:,.1f} GB/s", SOURCE, says, step)


RULE = DesignRule("local_cache", "Local drives hold and read the datasets cached on them", judge)
