"""The order in which switches are changed: no two at the same time that a node, or a leaf, could need both of. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import polars as pl

from rackwright.locality import tiers
from rackwright.model.design import Design
from rackwright.model.resource import DeclaredSwitch

TIERS = ("leaf", "management", "spine", "core")
ALONE = frozenset({"management", "spine", "core"})
"""Tiers of which one switch at a time is changed: all leaves, or all BMCs, lean on each."""


def waves(design: Design, switches: Sequence[DeclaredSwitch], most: int) -> list[list[DeclaredSwitch]]:
    """Leaves first, the very first alone; of those that serve a common node one at a time, `most` others beside it; then spines and cores one by one."""
    tier = dict(tiers.devices(design).select("device", "tier").iter_rows())
    partners = _partners(design)
    by_name = {switch.name: switch for switch in switches}
    order = sorted(by_name, key=lambda name: TIERS.index(tier[name]) if tier[name] in TIERS else len(TIERS))
    return [[by_name[name] for name in wave] for wave in _waves(order, tier, partners, most)]


def _waves(
    order: Sequence[str], tier: Mapping[str, str], partners: Mapping[str, set[str]], most: int
) -> Iterator[list[str]]:
    rest = list(order)
    first = True
    while rest:
        wave = [rest[0]]
        if not first and tier[rest[0]] not in ALONE:
            for name in rest[1:]:
                if (
                    len(wave) < most
                    and tier[name] == tier[rest[0]]
                    and not any(name in partners.get(member, ()) for member in wave)
                ):
                    wave.append(name)
        yield wave
        rest = [name for name in rest if name not in wave]
        first = False


def _partners(design: Design) -> dict[str, set[str]]:
    """Leaf -> the other leaves that a node has cables to, in any fabric."""
    hosts = design.cables.filter(pl.col("kind") == "node_leaf").select("a_device", "b_device").unique()
    result: dict[str, set[str]] = {}
    for (leaves,) in hosts.group_by("a_device").agg("b_device").select("b_device").iter_rows():
        for leaf in leaves:
            result.setdefault(leaf, set()).update(leaves)
    return result
