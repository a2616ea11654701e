"""Compares the devices that NVIDIA's DRA drivers publish with the design: ResourceSlices name devices, ComputeDomains
name NVLink cliques.

No slice contains the NVLink domain of a device: that of a GPU has its UUID and product, that of a ComputeDomain its
channels. The clique is in the status of a ComputeDomain, and in the label that GPU Feature Discovery gives a node
(``labels.yaml``).

Source: NVIDIA/k8s-dra-driver-gpu v25.8.1 (fc69d985): cmd/gpu-kubelet-plugin/deviceinfo.go,
cmd/compute-domain-kubelet-plugin/driver.go, api/nvidia.com/resource/v1beta1/computedomain.go.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from rackwright.locality.observed_places import ObservedGroups

GPUS, DOMAINS = "gpu.nvidia.com", "compute-domain.nvidia.com"
"""Drivers: names in `spec.driver` of a slice."""
CLIQUES = "cliques of ComputeDomains"
Entry = Mapping[str, Any]


@dataclass(frozen=True)
class DeviceDifference:
    """Nodes that publish other devices than declared."""

    driver: str
    nodes: tuple[str, ...]
    declared: int
    """GPUs of each node; 1 for the devices of a ComputeDomain, which are the same on all nodes of an NVLink domain."""
    published: int


def of_kind(document: Entry, kind: str) -> list[Entry]:
    """Entries of a kind in an answer of ``kubectl get --output=json``, which may contain several kinds."""
    return [entry for entry in document["items"] if entry.get("kind", "Node") == kind]


def cliques(domains: Iterable[Entry]) -> Iterator[ObservedGroups]:
    """The clique of each node in a ComputeDomain; nodes without NVLink to others have none."""
    members = [node for entry in domains for node in (entry.get("status") or {}).get("nodes") or []]
    if of := {str(node["name"]): str(node["cliqueID"]) for node in members if node.get("cliqueID")}:
        yield ObservedGroups(CLIQUES, "domain", of, of_some=True)


def published(slices: Iterable[Entry]) -> dict[str, dict[str, set[str]]]:
    """Driver -> node -> its devices: GPUs by UUID, whole or divided by MIG; others by name."""
    result: dict[str, dict[str, set[str]]] = {GPUS: defaultdict(set), DOMAINS: defaultdict(set)}
    for entry in slices:
        spec = entry.get("spec") or {}
        if (devices := result.get(spec.get("driver", ""))) is not None and (node := spec.get("nodeName")):
            devices[node] |= {_name(device) for device in spec.get("devices") or []}
    return result


def _name(device: Entry) -> str:
    """UUID of a GPU, otherwise the name of a device. Attributes are one level deeper before resource.k8s.io/v1."""
    attributes = device.get("attributes") or (device.get("basic") or {}).get("attributes") or {}
    values = [(attributes.get(key) or {}).get("string") for key in ("parentUUID", "uuid")]
    return str(next((value for value in values if value), device.get("name")))


def differences(places: pl.DataFrame, gpus: Mapping[str, int], slices: Iterable[Entry]) -> Iterator[DeviceDifference]:
    """Nodes whose slices differ; `places` are `Locality.nodes`, `gpus` numbers of NVIDIA devices by node.

    A driver without any slice does not run.
    """
    by_driver = published(slices)
    joined = dict(places.select("node", "domain").drop_nulls().iter_rows()) if "domain" in places.columns else {}
    declared = {GPUS: gpus, DOMAINS: dict.fromkeys(joined, 1)}
    for driver, nodes in by_driver.items():
        apart: dict[tuple[int, int], list[str]] = defaultdict(list)
        for node, number in declared[driver].items() if nodes else ():
            count = len(nodes.get(node, ()))
            if driver == DOMAINS:
                count = min(count, 1)
            if count != number:
                apart[number, count].append(node)
        for (number, count), names in apart.items():
            yield DeviceDifference(driver, tuple(names), number, count)
