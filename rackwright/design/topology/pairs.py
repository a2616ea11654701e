"""Wires between every two of a set: leaves of a mesh, routers of a group, groups of a Dragonfly.

Ports are counted by the absolute number of the far end, so that a switch or group added last moves no cable.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rackwright.design.ports import Ints
from rackwright.design.topology.network import FabricSwitch, Wires


def mesh(groups: Sequence[Sequence[FabricSwitch]], links: int, first: int, gbps: int, kind: str) -> Wires:
    """`links` links between every two switches of each group; ports from `first` on, the lowest other end first."""
    ids = np.array([[member.id for member in group] for group in groups], dtype=np.int32)
    low, high = (np.repeat(side, links).astype(np.int32) for side in np.triu_indices(ids.shape[1], 1))
    turn = np.tile(np.arange(links, dtype=np.int32), len(low) // links)
    near, far = first + (high - 1) * links + turn, first + low * links + turn
    count = len(ids)
    plane = groups[0][0].plane
    a, b = ids[:, low].reshape(-1), ids[:, high].reshape(-1)
    return Wires(kind, gbps, a, np.tile(near, count), b, np.tile(far, count), plane=plane)


def links_between_groups(groups: Sequence[Sequence[FabricSwitch]], links: int, first: int, gbps: int) -> Wires:
    """`links` global links between every two groups, dealt in turn over the switches of each; ports from `first` on."""
    ids = np.array([[member.id for member in group] for group in groups], dtype=np.int32)
    low, high = (np.repeat(side, links).astype(np.int32) for side in np.triu_indices(len(ids), 1))
    turn = np.tile(np.arange(links, dtype=np.int32), len(low) // links)
    near, near_port = _end(ids, low, (high - 1) * links + turn, first)
    far, far_port = _end(ids, high, low * links + turn, first)
    return Wires("global", gbps, near, near_port, far, far_port, plane=groups[0][0].plane)


def _end(ids: Ints, group: Ints, slot: Ints, first: int) -> tuple[Ints, Ints]:
    """Switch and port of the global link `slot` of a group."""
    width = ids.shape[1]
    return ids[group, slot % width], (first + slot // width).astype(np.int32)
