"""Servers on which onboarding founds a Kubernetes control plane: members of etcd, the address of the API server, one release."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from urllib.parse import urlsplit

from rackwright.base.errors import Problem
from rackwright.catalog import Catalog
from rackwright.model.control import Kubernetes, KubernetesServers
from rackwright.model.site import Site
from rackwright.spec.crosscheck.problem import problem

SERVERS = "control.kubernetes.servers"
MOST_MEMBERS = 7
"""Members of an etcd cluster. Source: etcd documentation v3.6, frequently asked questions, maximum cluster size (read 2026-11-26)."""
WHY_ODD = "an even number of members survives no more losses than one fewer (etcd documentation v3.6, FAQ)"


def check(site: Site, catalog: Catalog) -> Iterator[Problem]:  # noqa: ARG001 - every check has the same shape
    """A foreign cluster without the hash of its CA; members, address and release of a cluster on the site's own servers."""
    kubernetes = site.control.kubernetes
    if kubernetes is None:
        return
    if kubernetes.servers is None:
        if kubernetes.ca_sha256 is None:
            message = "nothing says by which CA nodes recognise the cluster that they join"
            step = (
                "write what `kubeadm token create --print-join-command` prints, or declare the servers of the cluster"
            )
            yield problem("control.kubernetes.ca_sha256", "no_ca", message, "the hash of its CA", "nothing", step)
        return
    yield from _members(kubernetes.servers)
    yield from _endpoint(site, kubernetes, kubernetes.servers)
    yield from _release(site, kubernetes)


def _members(servers: KubernetesServers) -> Iterator[Problem]:
    """Number of members of etcd, on the servers or elsewhere: odd, and not too many."""
    path, what = (f"{SERVERS}.etcd", "members of etcd") if servers.etcd else (f"{SERVERS}.count", "servers with etcd")
    count = len(servers.etcd) or servers.count
    if count % 2 == 0:
        step = f"name {count - 1} or {count + 1}" + ("" if servers.etcd else ", or an etcd elsewhere (etcd)")
        yield problem(path, "even_members", f"{WHY_ODD}: {what}", "an odd number", str(count), step)
    elif count > MOST_MEMBERS:
        message = f"every member of etcd writes every change: {what}"
        step = "lower the number; more API servers than that need an etcd elsewhere (etcd)"
        yield problem(path, "too_many_members", message, f"at most {MOST_MEMBERS}", str(count), step)


def _endpoint(site: Site, kubernetes: Kubernetes, servers: KubernetesServers) -> Iterator[Problem]:
    """How nodes and operators reach any server by one address."""
    path = f"{SERVERS}.endpoint_by"
    if servers.endpoint_by is None and servers.count > 1:
        message = f"{servers.count} servers share one address, and nothing keeps it at a server that answers"
        step = "write keepalived, or load-balancer where something of the site forwards to all servers"
        yield problem(path, "no_endpoint", message, "keepalived or load-balancer", "nothing", step)
    if servers.endpoint_by != "keepalived":
        return
    host = kubernetes.endpoint.rpartition(":")[0]
    subnets = [fabric.subnet for fabric in site.fabrics if fabric.role == "inband" and fabric.subnet]
    networks = [ipaddress.ip_network(subnet, strict=False) for subnet in subnets]
    if not _is_address(host) or not any(ipaddress.ip_address(host) in network for network in networks):
        message = "keepalived gives an address of the in-band network to a server, and this is no such address"
        expected = f"a free address in {' or '.join(subnets) or 'the subnet of an in-band fabric'}"
        step = "write a free address of the first fifteen of the subnet, which the design gives to no machine"
        yield problem("control.kubernetes.endpoint", "endpoint_elsewhere", message, expected, host, step)
    elif host in (*site.control.ntp_servers, urlsplit(site.software.apt_mirror).hostname):
        message = "the time server or package mirror has the address that keepalived would give to a server"
        step = "write another address"
        yield problem("control.kubernetes.endpoint", "endpoint_taken", message, "a free address", host, step)


def _is_address(text: str) -> bool:
    try:
        ipaddress.IPv4Address(text)
    except ValueError:
        return False
    return True


def _release(site: Site, kubernetes: Kubernetes) -> Iterator[Problem]:
    """One release in kubeadm, control plane and the bill of the control servers, from which their kubelets come; and the networks of the cluster."""
    bill = site.software.bill("").kubernetes
    if not kubernetes.version or bill != kubernetes.version:
        message = "kubeadm and the kubelets of the servers have the release of the control plane"
        expected = f"{kubernetes.version or bill or 'the same full release'} in software.kubernetes and in control.kubernetes.version"
        versions = f"{bill or 'nothing'} and {kubernetes.version or 'nothing'}"
        step = "write it in both; a pool that stays behind for a while has its own in software.pools"
        yield problem("control.kubernetes.version", "servers_release", message, expected, versions, step)
    if kubernetes.network is None:
        message, expected = "the control plane needs the networks of pods and services", "network"
        step = "declare control.kubernetes.network, and install its plug-in when the first server is there"
        yield problem("control.kubernetes.network", "no_network", message, expected, "nothing", step)
