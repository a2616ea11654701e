"""The objects that ``stacks/platform`` declares, in parts that depend on each other; pure.

The objects are those that `rackwright export` writes. Nodes belong to their kubelets, so their labels are applied as
patches, one for each node: a field manager that applies twice would give up the fields of its first apply.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rackwright.base.errors import UsageError
from rackwright.locality import groups
from rackwright.model.design import Design
from rackwright.model.resource import AcceptedSubject
from rackwright.platform import components
from rackwright.platform.labels import NodeLabels, label
from rackwright.platform.object import Object, make

NODES = "nodes"
NEEDS: Mapping[str, tuple[str, ...]] = {
    "queues": ("topology", "tenants"),
    "compute-domains": ("tenants",),
}
"""Part -> parts with objects that its objects refer to."""
WAITING = "queues"
"""The part that waits for acceptance: its queues admit the jobs of tenants."""
FIELD_MANAGER = "pulumi.com/patchFieldManager"
FORCE = "pulumi.com/patchForce"
"""Annotations for the plugin: the field manager of an object, and whether drift is corrected."""


@dataclass(frozen=True)
class StackPart:
    """Objects of one component of the platform."""

    name: str
    objects: tuple[Object, ...]
    needs: tuple[str, ...]


@dataclass(frozen=True)
class StackPlan:
    """The parts of one site, in the order in which they are applied."""

    site: str
    parts: tuple[StackPart, ...]
    accepted: tuple[AcceptedSubject, ...] = ()
    """Subjects that must be released before the part `WAITING` is applied."""

    @property
    def manager(self) -> str:
        """Field manager of everything that the stack applies; it contains the site, because two sites may share a
        cluster.
        """
        return f"rackwright-{self.site}"

    def nodes(self) -> list[Object]:
        """The patches of nodes."""
        return [entry for part in self.parts if part.name == NODES for entry in part.objects]

    def objects(self) -> list[Object]:
        """The objects that the stack creates itself."""
        return [entry for part in self.parts if part.name != NODES for entry in part.objects]

    def applied(self, entry: Object) -> Object:
        """An object as it is applied: with its field manager.

        Changes by others are corrected in our objects, but not in nodes.
        """
        annotations = {FIELD_MANAGER: self.manager} | ({} if entry["kind"] == "Node" else {FORCE: "true"})
        metadata = entry["metadata"]
        return {
            **entry,
            "metadata": {**metadata, "annotations": {**metadata.get("annotations", {}), **annotations}},
        }


def plan(design: Design, resources: Mapping[str, str], accepted: Sequence[AcceptedSubject] | None = None) -> StackPlan:
    """The platform of a design; `resources` as in `components.objects`. Raises `UsageError` for a site without a
    Kubernetes pool.

    `accepted`: subjects that queues wait for; by default the Kubernetes nodes of each pool, if the site names an
    acceptance server.
    """
    pools = [pool.name for pool in design.site.pools_of("kubernetes")]
    if not pools:
        raise UsageError(f"no pool of {design.site.site} has scheduler kubernetes: it has no platform to bring up")
    labels = label(design, pools, groups.default_fabrics(design))
    files = components.objects(design, labels, resources)
    patches = [entry for entries in files.values() for entry in entries if entry["kind"] == "Node"]
    parts = [StackPart(NODES, tuple(node_patches(labels, patches)), ())]
    for name, entries in files.items():
        if entries := [entry for entry in entries if entry["kind"] != "Node"]:
            present = {part.name for part in parts} | set(files)
            needs = tuple(need for need in NEEDS.get(name, ()) if need in present)
            parts.append(StackPart(name, tuple(entries), needs))
    waited = [] if WAITING not in files else _pools(design) if accepted is None else accepted
    return StackPlan(design.site.site, tuple(parts), tuple(waited))


def subjects(text: str | None) -> list[AcceptedSubject] | None:
    """Subjects that queues wait for, from the settings of the program; None if they are not set."""
    return None if text is None else [AcceptedSubject.model_validate(entry) for entry in json.loads(text)]


def _pools(design: Design) -> list[AcceptedSubject]:
    """The pools, and for pools shared with Slurm their Kubernetes part; empty if the site names no acceptance server."""
    server = design.site.acceptance.server
    if not server:
        return []
    return [
        AcceptedSubject(kind="part", name=pool.part_name("kubernetes"), server=server)
        if len(pool.nodes_by_scheduler()) > 1
        else AcceptedSubject(kind="pool", name=pool.name, server=server)
        for pool in design.site.pools_of("kubernetes")
    ]


def node_patches(labels: NodeLabels, more: Iterable[Object] = ()) -> list[Object]:
    """A Node with all its labels for every node of `labels`, in design order; `more` are nodes with further labels."""
    by_node: dict[str, dict[str, Any]] = {}
    columns = list(labels.keys.items())
    for row in labels.nodes.iter_rows(named=True):
        by_node[row["node"]] = {key: row[column] for key, column in columns if row[column] is not None}
    for entry in more:
        by_node.setdefault(entry["metadata"]["name"], {}).update(entry["metadata"]["labels"])
    return [make("v1", "Node", name, labels=pairs) for name, pairs in by_node.items()]
