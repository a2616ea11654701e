"""The objects of every component that a site declares for its platform, by file."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rackwright.base.errors import Problem, ProblemsError
from rackwright.locality import groups
from rackwright.model.design import Design
from rackwright.platform import (
    acceptance_guard,
    ascend,
    class_guard,
    compute_domains,
    design_values,
    other_schedulers,
    priorities,
    tenants,
    topology,
    volcano,
    workload_guard,
)
from rackwright.platform.kueue import Kueue
from rackwright.platform.labels import NodeLabels, label
from rackwright.platform.object import Object

BY_ADDON: Mapping[str, tuple[str, Callable[[Design, NodeLabels, str], list[Object]]]] = {
    "volcano": ("hypernodes", volcano.objects),
    "kai-scheduler": ("kai-topology", other_schedulers.kai),
    "koordinator": ("koordinator-topology", other_schedulers.koordinator),
    "dra-driver-nvidia-gpu": ("compute-domains", compute_domains.objects),
    "mindcluster": ("ascend-labels", lambda design, _labels, _version: ascend.node_labels(design)),
    "hami": ("hami-labels", lambda design, _labels, _version: design_values.hami_labels(design)),
}
"""Add-on -> file, and a function for the objects in it.

Kueue has separate files: its topology is written even if it is not declared.
"""


def objects(design: Design, labels: NodeLabels, resources: Mapping[str, str]) -> dict[str, list[Object]]:
    """File name without suffix -> objects, in the order of application; empty files are omitted.

    `resources`: extended resource by accelerator SKU. Raises `ProblemsError` if Kueue cannot represent the site.
    """
    site, control = design.site, design.site.control.kubernetes
    result: dict[str, list[Object]] = {}
    result["acceptance"] = acceptance_guard.objects(design)
    queued = site.queued
    if site.tenants:
        guards = [*class_guard.objects(design), *workload_guard.objects(design)] if queued else []
        result["tenants"] = [*tenants.objects(design, resources), *guards]
    if site.classes:
        result["priorities"] = priorities.objects(design, queued=queued)
    if queued:
        kueue = Kueue(design, labels, resources, control.addon_version("kueue") if control else "")
        if problems := [*topology.problems(design, labels), *_unknown_resources(kueue)] if labels.shared else []:
            raise ProblemsError(problems)
        result["topology"] = kueue.topologies()
        result["queues"] = kueue.objects() if labels.shared else []
    for name, (file, make_objects) in BY_ADDON.items():
        if control and control.addon_version(name):
            result[file] = make_objects(design, labels, control.addon_version(name))
    return {file: entries for file, entries in result.items() if entries}


def problems(design: Design) -> list[Problem]:
    """Problems of tenants and classes that Kueue cannot represent, before anything is rendered."""
    site = design.site
    pools = [pool.name for pool in site.pools_of("kubernetes")]
    if not pools or not (site.tenants or site.classes) or not site.queued:
        return []
    return topology.problems(design, label(design, pools, groups.default_fabrics(design)))


def _unknown_resources(kueue: Kueue) -> list[Problem]:
    pools = [pool.name for pool in kueue.design.site.pools]
    missing = {part.pool: part.accelerator for part in kueue.parts() if not kueue.resources.get(part.accelerator)}
    return [
        Problem(
            place="site",
            path=f"pools[{pools.index(pool)}].server",
            message=f"no extended resource is known for {sku}, so no queue can count it",
            expected="a row kubernetes.resource of its maker in the limits",
            found="no such row",
            next_step="add the row to the limits of the site's own folder",
            code="platform.no_resource",
        )
        for pool, sku in missing.items()
    ]
