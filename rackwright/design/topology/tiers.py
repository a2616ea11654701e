"""Spines and cores above leaves: as few tiers as connect everything, or as many as are declared."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from rackwright.design.topology import clos, radix
from rackwright.design.topology.network import FabricSwitch, Network, UnconnectedError
from rackwright.design.topology.shape import LeafShape
from rackwright.design.topology.slices import Slice
from rackwright.design.topology.spare_ports import Hung

ONE, TWO = 1, 2
WORDS = {1: "one tier", 2: "two tiers", 3: "three tiers"}


def climb(network: Network, hung: Hung, plan: LeafShape, slice_: Slice) -> None:
    """Joins the leaves of a slice; a leaf-spine fabric may have a single leaf or a directly joined pair."""
    fabric = network.fabric
    leaves = [leaf for _, group_leaves in hung for leaf in group_leaves]
    up = plan.up(network.fullest(leaves), fabric)
    if fabric.topology == "leaf-spine" and len(leaves) == TWO and fabric.tiers in (None, ONE):
        clos.join_pair(network, leaves, up, plan.gbps, plan.first_up)
        return
    if len(leaves) == ONE and fabric.tiers in (None, ONE):
        return
    up = plan.up(network.fullest(leaves, managers=False), fabric)
    if not fabric.leaf_up and not plan.leaf.part.uplinks:
        up = radix.divisible(up, plan.room_up, fabric.least_spines)
    upper = clos.Upper(plan.spine, plan.core, plan.gbps, plan.first_up, up, slice_.plane, slice_.rail)
    pods = _pods(network, hung, upper)
    group_leaves = _tiers(network, leaves, pods, upper)
    if group_leaves is None:
        raise _unconnected(network, leaves, len(pods), upper)
    clos.raise_tiers(network, [leaves] if not group_leaves.cores else pods, group_leaves, upper)


def _tiers(
    network: Network, leaves: Sequence[FabricSwitch], pods: Sequence[Sequence[FabricSwitch]], upper: clos.Upper
) -> radix.Tiers | None:
    declared, ports = network.fabric.tiers, upper.radix(upper.spine)
    tiers = (
        radix.two_tiers(len(leaves), upper.up, ports, network.fabric.least_spines) if declared in (None, TWO) else None
    )
    if tiers is None and declared in (None, radix.MOST_TIERS):
        counts = [len(pod) for pod in pods]
        least = network.fabric.least_spines
        tiers = radix.three_tiers(counts, upper.up, ports, upper.radix(upper.core), least)
    return tiers


def _unconnected(network: Network, leaves: Sequence[FabricSwitch], pods: int, upper: clos.Upper) -> UnconnectedError:
    fabric, up = network.fabric, upper.up
    what = f"a plane of fabric {fabric.name}" if fabric.planes > 1 else f"fabric {fabric.name}"
    ports, cores = upper.radix(upper.spine), upper.radix(upper.core)
    tiers = fabric.tiers or radix.MOST_TIERS
    most = {TWO: ports}.get(tiers, ports // 2 * cores)
    if tiers == ONE:
        return network.unconnected(
            f"{what} has more hosts than one {network.switch.sku} takes, and one tier is one switch",
            f"one leaf of at most {_room(network, leaves)} host ports",
            f"{len(leaves)} leaves for the slots of whole scalable units and the control servers",
            "leave tiers out, lower scalable_unit, or use a switch with more ports",
        )
    if tiers == TWO:
        needed = max(math.ceil(Fraction(len(leaves) * up, ports)), fabric.least_spines)
        actual = f"{len(leaves)} leaves of {up} uplinks, which fill {needed} spines: a leaf reaches {up} at most"
    else:
        actual = f"{len(leaves)} leaves of {up} uplinks in {pods} pod{'' if pods == 1 else 's'}, and a core reaches {cores} pods at most"
    return network.unconnected(
        f"{what} cannot be connected within {WORDS[tiers]} of {upper.spine.sku}",
        f"at most {most} {'leaf' if most == 1 else 'leaves'} under {ports} ports of {upper.gbps} Gb/s a switch",
        actual,
        "use a switch with more ports, or split the site into several fabrics",
    )


def _room(network: Network, leaves: Sequence[FabricSwitch]) -> int:
    """Host ports of a leaf."""
    return len(network.occupied[leaves[0].id])


def _pods(network: Network, hung: Hung, upper: clos.Upper) -> list[list[FabricSwitch]]:
    """Leaves that share spines in a three-tier fabric.

    Leaves of racks: one pod per unit and rail, as published for rack-scale systems. Leaves of units: consecutive ones, as
    many as half the ports of a spine can reach.
    """
    leaves = [leaf for _, group_leaves in hung for leaf in group_leaves]
    if network.fabric.leaf_group == "rack":
        pods: dict[tuple[str, int, int], list[FabricSwitch]] = {}
        for leaf in leaves:
            pods.setdefault((leaf.pool, leaf.unit, leaf.rail), []).append(leaf)
        return list(pods.values())
    sizes = radix.pods_of(len(leaves), upper.radix(upper.spine))
    ends = [sum(sizes[: at + 1]) for at in range(len(sizes))]
    return [leaves[end - size : end] for size, end in zip(sizes, ends, strict=True)]
