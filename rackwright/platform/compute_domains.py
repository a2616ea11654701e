"""ComputeDomains of the DRA driver, for classes whose jobs span nodes of one NVLink domain.

The IMEX daemons of a ComputeDomain follow the job, so nodes must not run daemons of their own
(NVIDIA/k8s-dra-driver-gpu, README).
"""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from rackwright.compat import kubernetes_addons
from rackwright.model.capacity import of_class, parts
from rackwright.model.design import Design
from rackwright.platform.labels import NodeLabels
from rackwright.platform.object import Object, make


def objects(design: Design, labels: NodeLabels, version: str) -> list[Object]:
    """A ComputeDomain for each tenant and class; pods claim its channel by the template of the same name."""
    api = kubernetes_addons.load().api("dra-driver-nvidia-gpu", "ComputeDomain", version)
    return [
        make(
            api, "ComputeDomain", job, tenant,
            spec={"numNodes": 0, "channel": {"resourceClaimTemplate": {"name": f"{job}-channel"}, "allocationMode": "Single"}},
        )
        for tenant, job in _pairs(design, labels)
    ]  # fmt: skip


def _pairs(design: Design, labels: NodeLabels) -> Iterator[tuple[str, str]]:
    """Pairs of tenant and class for jobs that span nodes of an NVLink domain."""
    if "domain" not in labels.nodes.columns:
        return
    site = design.site
    every = parts(site, design.servers, design.accelerators, "kubernetes")
    spanning = set(labels.nodes.filter(pl.col("domain").is_not_null())["pool"])
    for job in site.classes:
        if any(part.pool in spanning and part.per_node < job.most for part in of_class(job, site, every)):
            for tenant in site.tenants:
                if not job.tenants or tenant.name in job.tenants:
                    yield tenant.name, job.name
