"""The topology of the design for KAI Scheduler and Koordinator: label keys from the coarsest to the finest."""

from __future__ import annotations

from rackwright.compat import kubernetes_addons
from rackwright.model.design import Design
from rackwright.platform import topology
from rackwright.platform.labels import NodeLabels
from rackwright.platform.object import Object, make

NODE_LAYER = "NodeTopologyLayer"
"""Fixed name of Koordinator's lowest layer (koordinator.sh, Network Topology Aware Scheduling)."""
KOORDINATOR_NAME = "default"
"""Name of the only object that the scheduler reads (ibid.)."""


def kai(design: Design, labels: NodeLabels, version: str) -> list[Object]:
    """A Topology for each pool. It is immutable: a site whose levels change needs another name, and so another pool."""
    api = kubernetes_addons.load().api("kai-scheduler", "Topology", version)
    return [
        make(api, "Topology", pool, spec={"levels": [{"nodeLabel": key} for key in _levels(design, labels, pool)]})
        for pool in dict.fromkeys(labels.nodes["pool"])
    ]


def koordinator(design: Design, labels: NodeLabels, version: str) -> list[Object]:
    """One tree of layers, with the levels that every pool has: the root first, each with its parent."""
    api = kubernetes_addons.load().api("koordinator", "ClusterNetworkTopology", version)
    pools = list(dict.fromkeys(labels.nodes["pool"]))
    chains = [_levels(design, labels, pool)[:-1] for pool in pools]
    common = [key for key in chains[0] if all(key in chain for chain in chains)] if chains else []
    layers: list[dict[str, object]] = []
    parent: dict[str, str] = {}
    for number, key in enumerate(common, start=1):
        name = f"Level{number}TopologyLayer"
        layers.append({"labelKey": [key], "topologyLayer": name, **parent})
        parent = {"parentTopologyLayer": name}
    layers.append({"topologyLayer": NODE_LAYER, **parent})
    return [make(api, "ClusterNetworkTopology", KOORDINATOR_NAME, spec={"networkTopologySpec": layers})]


def _levels(design: Design, labels: NodeLabels, pool: str) -> list[str]:
    columns = topology.level_columns(labels, pool, topology.wanted_columns(design, labels, pool))
    return topology.level_keys(labels, columns)
