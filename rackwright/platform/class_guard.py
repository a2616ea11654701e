"""Keeps tenants from the priorities of others in the queues of Kueue: with another tenant's class a job would displace
that tenant's jobs.

Kueue takes the priority of a job from its label, and without one from the class of its pods (sigs.k8s.io/kueue v0.14.0,
pkg/controller/jobframework/reconciler.go, PrepareWorkloadPriority), long before one of its pods meets the quota of its
namespace.
"""

from __future__ import annotations

import json

from rackwright.model.design import Design
from rackwright.platform import admission, tenants
from rackwright.platform.object import Object

NAME = "rackwright-classes"
PRIORITY_CLASS = "kueue.x-k8s.io/priority-class"
TEMPLATED = ("apps", "batch")
"""API groups whose objects have the template of their pods in spec.template."""


def objects(design: Design) -> list[Object]:
    """The policy and its binding; empty if every class is for every tenant."""
    foreign = tenants.foreign_by_tenant(design)
    if not foreign:
        return []
    every = admission.Requests("*", "*", ["*"], ["CREATE", "UPDATE"])
    return [admission.policy(NAME, every, _rules(foreign)), admission.binding(NAME, admission.IN_TENANTS)]


def _rules(foreign: dict[str, list[str]]) -> list[tuple[str, str]]:
    labels, pods = "{object}.metadata.labels", "{object}.spec.template.spec"
    labelled = f"has({labels}) && '{PRIORITY_CLASS}' in {labels}"
    of_pods = f"has({{object}}.spec) && has({{object}}.spec.template) && has({pods}) && has({pods}.priorityClassName)"
    templated = f"request.resource.group in {json.dumps(TEMPLATED)} && {of_pods}"
    return [
        (
            tenants.no_foreign(foreign, labelled, f"{labels}['{PRIORITY_CLASS}']"),
            f"the label {PRIORITY_CLASS} names a class of other tenants: use one of your own",
        ),
        (
            tenants.no_foreign(foreign, templated, f"{pods}.priorityClassName"),
            "the class of its pods is one of other tenants or of the system: use one of your own",
        ),
    ]
