"""Every package, vendor file, key and image that onboarding a site needs, by node class."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rackwright.compat import kubernetes_images
from rackwright.model.artifact import Wanted
from rackwright.model.design import Design, Node
from rackwright.model.software import Bill
from rackwright.onboard import facts, plan, played_roles
from rackwright.onboard.role_engine import declared_sections

SECRET = Path("/nonexistent")
"""Stands where secrets would lie: nothing that is installed depends on them."""


def required_software(design: Design) -> list[Wanted]:
    """What every node class installs, in the order of pools and roles, without duplicates per class."""
    first = {node.pool: node for node in reversed(design.nodes())}
    return list(
        dict.fromkeys(
            software for node in reversed(list(first.values())) for software in _software_of_class(design, node)
        )
    )


def _software_of_class(design: Design, node: Node) -> Iterator[Wanted]:
    bill = design.site.software.bill(node.pool)
    roles = plan.node_roles(design, node, bill)
    context = facts.Context(design, {"munge_key": SECRET, "kubeadm_token": SECRET})
    variables = plan.host_variables(node, roles, bill, context)
    common: dict[str, Any] = {"pool": node.pool, "os": bill.base, "architecture": node.server.architecture}
    names, folder = [role.name for role in roles], played_roles.project(design.roots) / "roles"
    for section in declared_sections("install", names, variables, bill, folder, node.server.architecture):
        yield from _software_of_section(section, {**common, "role": section["role"]})
    for role, image in _cluster_images(design, bill, names):
        yield Wanted(**common, role=role, kind="image", name=image)
    for image in bill.images or []:
        yield Wanted(**common, role="", kind="image", name=image)


def _cluster_images(design: Design, bill: Bill, roles: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Role and image of a machine in a cluster on servers of the site; what somebody else's cluster pulls is not known here."""
    kubernetes = design.site.control.kubernetes
    if kubernetes is None or kubernetes.servers is None:
        return
    of_role = {
        "kubernetes_control_plane": kubernetes_images.of_servers(kubernetes.version, etcd=not kubernetes.servers.etcd),
        "kubernetes_node": kubernetes_images.of_nodes(kubernetes.version, bill.kubernetes),
    }
    for role in [name for name in of_role if name in roles]:
        yield from ((role, image) for image in (*of_role[role], *kubernetes_images.of_network(kubernetes)))


def _software_of_section(section: dict[str, Any], common: dict[str, Any]) -> Iterator[Wanted]:
    for name, version in (section.get("packages") or {}).items():
        yield Wanted(**common, kind="package", name=name, version=version)
    for entry in section.get("keys", []):
        yield Wanted(**common, kind="key", **_file(entry))
    for entry in section.get("downloads", []):
        yield Wanted(**common, kind="file", **_file(entry))


def _file(entry: dict[str, Any]) -> dict[str, Any]:
    return {"name": Path(entry["path"]).name, "url": entry["url"], "sha256": entry.get("sha256", "")}
