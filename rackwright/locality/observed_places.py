"""Compares places of nodes reported by others with the declared cables: labels of nodes in a cluster, and Slurm's
topology.conf.

Observers have their own names for groups (Topograph uses those of switches), so only the membership of groups is
compared.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from rackwright.locality import groups
from rackwright.model.hostlist import expand

LINE = re.compile(r"^(SwitchName|BlockName)=(\S+)\s+(?:\S+\s+)*?(Nodes|Switches)=(\S+)", re.MULTILINE | re.IGNORECASE)
"""As in topology.conf(5); comments have no such line."""

GroupOfNode = dict[str, str]


@dataclass(frozen=True)
class ObservedGroups:
    """One grouping of nodes by an observer."""

    name: str
    """Name of the label, or of the tier in topology.conf."""
    column: str
    """Column of `Locality.nodes` that should have the same groups."""
    of: GroupOfNode
    """Node -> group."""
    of_some: bool = False
    """True if nodes outside all groups are not compared: nodes without a job, for example."""


@dataclass(frozen=True)
class PlaceDifference:
    """Nodes of one declared group that an observer has in another group."""

    grouping: str
    declared: str
    nodes: tuple[str, ...]
    observed: str
    """The observer's name of their group; empty if it has none for them."""
    stands_with: str
    """The declared group of most nodes in that observed group; the nodes' own group if it is only split."""


def from_labels(document: Mapping[str, Any], columns: Mapping[str, str]) -> list[ObservedGroups]:
    """Groupings in the answer of ``kubectl get nodes --output=json``; `columns`: label key -> column."""
    by_key: dict[str, GroupOfNode] = {key: {} for key in columns}
    for node in document["items"]:
        for key, value in (node["metadata"].get("labels") or {}).items():
            if key in by_key:
                by_key[key][str(node["metadata"]["name"])] = str(value)
    return [ObservedGroups(key, columns[key], of) for key, of in by_key.items() if of]


def from_topology_conf(text: str) -> list[ObservedGroups]:
    """Groupings in a topology.conf: blocks are domains, switches are tiers, counted from the nodes."""
    blocks: GroupOfNode = {}
    leaf: GroupOfNode = {}
    above: dict[str, str] = {}
    for kind, name, word, listed in LINE.findall(text):
        members = dict.fromkeys(expand(listed), name)
        if kind.lower() == "blockname":
            blocks |= members
        elif word.lower() == "nodes":
            leaf |= members
        else:
            above |= members
    result = [ObservedGroups("blocks", "domain", blocks)] if blocks else []
    tier = leaf
    for column in groups.NAMES:
        if tier:
            result.append(ObservedGroups(f"{column} switches", column, tier))
        tier = {node: above[switch] for node, switch in tier.items() if switch in above}
    return result


def is_labels(text: str) -> bool:
    """Whether `from_labels` can read a text."""
    try:
        document = json.loads(text)
        return all(isinstance(node["metadata"]["name"], str) for node in document["items"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return False


def is_topology_conf(text: str) -> bool:
    """Whether `from_topology_conf` can read a text."""
    return LINE.search(text) is not None


def differences(places: pl.DataFrame, observed: ObservedGroups) -> Iterator[PlaceDifference]:
    """Differences of the observed groups; `places` are `Locality.nodes`.

    Nodes that the observer does not know differ as well, unless `of_some`.
    """
    declared: GroupOfNode = dict(places.select("node", observed.column).drop_nulls().iter_rows())
    pairs = {
        node: (group, observed.of.get(node, ""))
        for node, group in declared.items()
        if node in observed.of or not observed.of_some
    }
    most_declared = _most((theirs, ours) for ours, theirs in pairs.values() if theirs)
    most_observed = _most((ours, theirs) for ours, theirs in pairs.values() if theirs)
    apart: dict[tuple[str, str], list[str]] = defaultdict(list)
    for node, (ours, theirs) in pairs.items():
        if not theirs or most_declared[theirs] != ours or most_observed[ours] != theirs:
            apart[ours, theirs].append(node)
    for (ours, theirs), nodes in apart.items():
        yield PlaceDifference(observed.name, ours, tuple(nodes), theirs, most_declared.get(theirs, ""))


def _most(pairs: Iterator[tuple[str, str]]) -> dict[str, str]:
    """First of each pair -> its most frequent second, the first one found if several are equally frequent."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for first, second in pairs:
        counts[first][second] += 1
    return {first: counter.most_common(1)[0][0] for first, counter in counts.items()}
