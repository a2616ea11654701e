"""A number of an autonomous system for every switch of a routed fabric.

All cores of a fabric share one; spines that share leaves share one; every leaf has its own (RFC 7938, 5.2.1), and so has each switch of a collapsed
core, which is the leaf of its hosts.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from rackwright.catalog.switch_practice import RoutingPractice
from rackwright.locality.components import components


def numbers(switches: pl.DataFrame, cables: pl.DataFrame, fabric: int, practice: RoutingPractice) -> dict[str, int]:
    """Number by switch. `switches`: ``device``, ``tier``, in order; `cables`: those of the fabric; `fabric`: its place in the site, from 0."""
    first = practice.first_asn + fabric * practice.asns_per_fabric
    cluster = _clusters(switches, cables)
    hosts = set(cables.filter(pl.col("kind") == "node_leaf")["b_device"])
    tiers = switches.select("device", "tier").iter_rows()
    leaves = (device for device, tier in tiers if tier == "leaf" or (tier == "core" and device in hosts))
    leaf = {device: first + practice.leaf_asn_offset + at for at, device in enumerate(leaves)}
    spine = {device: first + practice.spine_asn_offset + at for device, at in cluster.items()}
    return {device: leaf.get(device, spine.get(device, first)) for device in switches["device"]}


def _clusters(switches: pl.DataFrame, cables: pl.DataFrame) -> dict[str, int]:
    """For every spine the place (from 0) of its cluster: the spines that it shares leaves with."""
    place = {device: at for at, device in enumerate(switches["device"])}
    pairs = cables.filter(pl.col("kind") == "leaf_spine").select("a_device", "b_device")
    ends = (np.array([place[device] for device in pairs[end]], dtype=np.int64) for end in ("a_device", "b_device"))
    label = components(len(place), *ends)
    spines = switches.filter(pl.col("tier") == "spine")["device"].to_list()
    order = {root: at for at, root in enumerate(dict.fromkeys(int(label[place[device]]) for device in spines))}
    return {device: order[int(label[place[device]])] for device in spines}
