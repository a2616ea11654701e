"""Facts of every host: names, clock, mirrors, accounts, and the devices of its rails."""

from __future__ import annotations

from typing import Any

from rackwright.model.design import Node
from rackwright.onboard.facts.context import Context

JOB_USER = "acceptance"
JOB_USER_ID = 64100
"""Account that acceptance jobs run under, with one number on every host. Debian gives 60000 to 64999 to packages on request
(Debian policy, 9.2.2), so that no installer hands it out; Slurm's own package has 64030."""


def _names(context: Context) -> dict[str, str]:
    return {node.name: node.inband_address for node in context.design.nodes()}


def _time_servers(context: Context) -> list[str]:
    return list(context.design.site.control.ntp_servers)


def _groups(context: Context) -> list[dict[str, Any]]:  # noqa: ARG001 - the form of a fact
    return [{"name": JOB_USER, "gid": JOB_USER_ID}]


def _users(context: Context) -> list[dict[str, Any]]:  # noqa: ARG001 - the form of a fact
    comment = "runs the jobs of acceptance tests"
    return [{"name": JOB_USER, "uid": JOB_USER_ID, "group": JOB_USER, "comment": comment}]


def _networks(context: Context, node: Node) -> list[str]:
    """Subnets of the fabrics between nodes, without that of the BMCs; on nodes of Kubernetes those of its pods and services, as K3s asks of firewalld."""
    fabrics = [fabric for fabric in context.design.site.fabrics if fabric.role != "bmc"]
    networks = [net for fabric in fabrics for net in (fabric.subnet, fabric.subnet6)]
    kubernetes = context.design.site.control.kubernetes
    if node.scheduler == "kubernetes" and kubernetes and kubernetes.network:
        networks += [kubernetes.network.pods, kubernetes.network.services]
    return list(dict.fromkeys(str(network) for network in networks if network))


def _file_mirror(context: Context) -> str:
    software = context.design.site.software
    return software.file_mirror or software.apt_mirror


def _suite(context: Context, node: Node) -> str:
    return context.design.site.own_suite(node.pool)


def _devices(role: str) -> Any:
    def devices(context: Context, node: Node) -> list[str]:  # noqa: ARG001 - the form of a fact
        return [name for port in node.server.ports if port.role == role for name in port.names]

    return devices


SITE_FACTS = {
    "host_names": _names,
    "time_servers": _time_servers,
    "groups": _groups,
    "users": _users,
    "apt_mirror": lambda context: context.design.site.software.apt_mirror,
    "file_mirror": _file_mirror,
}
FACTS = {
    "apt_suite": _suite,
    "networks": _networks,
    "compute_devices": _devices("compute"),
    "storage_devices": _devices("storage"),
    "inband_devices": _devices("inband"),
    "accelerators": lambda context, node: node.accelerators,  # noqa: ARG005 - the form of a fact
}
