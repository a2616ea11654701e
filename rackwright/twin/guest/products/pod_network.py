"""The network of the pods of a twin node, as a plugin with network policies makes it: an address and a bridge, and who may talk to whom.

Shape: the bridge and host-gw plugins of CNI (containernetworking/plugins, flannel-io/flannel), a block of addresses for each node out of
``spec.podCIDR``. Policies: Kubernetes 1.34, networking.k8s.io/v1, ingress by labels of pods and namespaces. A wall is a route that is not there,
so two pods talk when either may reach the other. A plugin without policies lets every pod talk to every other one.
"""

from __future__ import annotations

import ipaddress
import os
import subprocess
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any

IDENTITY = "/run/rackwright-twin/pod-network.pem"
"""Certificate and key by which the agent asks the API: a kubelet may not read policies, nor pods of other nodes."""
BRIDGE = "cni0"
LOOK_SECONDS = 0.01
FORWARD = "mount -t proc proc /mnt && echo 1 > /mnt/sys/net/ipv4/ip_forward"
"""On a mount of its own: what hosts of the twin show below /proc/sys are files."""
Get = Callable[[str], Any]
"""The JSON at a path of the API."""


class PodNetwork:
    """The pods with an address of their own on one node."""

    def __init__(self, node: str, get: Get, *, policies: bool) -> None:
        self._node, self._get, self._policies = node, get, policies
        self._block: ipaddress.IPv4Network | None = None
        self._last = 0
        self._lock = threading.Lock()
        self._pids: dict[str, int] = {}
        """Address -> process of a pod of this node."""

    def attach(self, pid: int) -> str:
        """Give the pod whose first process is `pid` an address; it waits for it."""
        mine = os.readlink("/proc/self/ns/net")
        while os.readlink(f"/proc/{pid}/ns/net") == mine:
            time.sleep(LOOK_SECONDS)
        with self._lock:
            block = self._own_block()
            self._last = self._last % (block.num_addresses - 3) + 1
            address, gateway, port = str(block[self._last + 1]), str(block[1]), f"cni{pid}"
        _ip("link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", str(pid))
        _ip("link", "set", port, "master", BRIDGE, "up")
        for words in (
            ("link", "set", "lo", "up"),
            ("address", "add", f"{address}/32", "dev", "eth0"),
            ("link", "set", "eth0", "up"),
            ("route", "add", gateway, "dev", "eth0"),
        ):
            _inside(pid, *words)
        self._pids[address] = pid
        return address

    def detach(self, address: str) -> None:
        """Forget a pod that has ended; its devices go with its namespace."""
        self._pids.pop(address, None)

    def follow(self) -> None:
        """Update the routes of all pods to the current objects of the API."""
        if not self._pids:
            return
        self._route_to_nodes()
        pods = [pod for pod in self._get("/api/v1/pods")["items"] if _address(pod) and not _ended(pod)]
        rules = self._get("/apis/networking.k8s.io/v1/networkpolicies")["items"] if self._policies else []
        labels = {space["metadata"]["name"]: _labels(space) for space in self._get("/api/v1/namespaces")["items"]}
        for mine in (pod for pod in pods if _address(pod) in self._pids):
            peers = [
                pod
                for pod in pods
                if pod is not mine and (may_reach(pod, mine, rules, labels) or may_reach(mine, pod, rules, labels))
            ]
            self._open(self._pids[_address(mine)], {_address(pod) for pod in peers})

    def _open(self, pid: int, peers: set[str]) -> None:
        """Set the routes of a pod to exactly `peers`."""
        block = self._own_block()
        routes = _inside(pid, "-4", "route", "show")
        present = {line.split()[0] for line in routes.splitlines()} - {str(block[1])}
        for gone in present - peers:
            _inside(pid, "route", "del", gone)
        for peer in peers - present:
            near = ipaddress.ip_address(peer) in block
            _inside(pid, "route", "add", peer, *(() if near else ("via", str(block[1]))), "dev", "eth0")

    def _own_block(self) -> ipaddress.IPv4Network:
        """The block of addresses that the controllers assigned to this node, once they have; the bridge has its first address."""
        while self._block is None:
            cidr = self._get(f"/api/v1/nodes/{self._node}")["spec"].get("podCIDR")
            if cidr:
                self._block = ipaddress.IPv4Network(cidr)
                _ip("link", "add", BRIDGE, "type", "bridge", "forward_delay", "0")
                _ip("address", "add", f"{self._block[1]}/{self._block.prefixlen}", "dev", BRIDGE)
                _ip("link", "set", BRIDGE, "up")
                subprocess.run(["unshare", "--mount", "sh", "-c", FORWARD], check=True, capture_output=True)
            else:
                time.sleep(LOOK_SECONDS)
        return self._block

    def _route_to_nodes(self) -> None:
        for node in self._get("/api/v1/nodes")["items"]:
            block = node["spec"].get("podCIDR")
            addresses = node.get("status", {}).get("addresses") or []
            host = next((entry["address"] for entry in addresses if entry["type"] == "InternalIP"), "")
            if node["metadata"]["name"] != self._node and block and host:
                _ip("route", "replace", block, "via", host)


def may_reach(source: Any, target: Any, policies: Iterable[Any], namespaces: dict[str, dict[str, str]]) -> bool:
    """Whether the policies about `target` let `source` in: one that no policy selects is open to all."""
    space = target["metadata"]["namespace"]
    about = [
        policy["spec"]
        for policy in policies
        if policy["metadata"]["namespace"] == space
        and "Ingress" in policy["spec"].get("policyTypes", ["Ingress"])
        and _selects(policy["spec"].get("podSelector"), _labels(target))
    ]
    return not about or any(
        not rule.get("from") or any(_is_peer(peer, source, space, namespaces) for peer in rule["from"])
        for spec in about
        for rule in spec.get("ingress") or []
    )


def _is_peer(peer: Any, source: Any, space: str, namespaces: dict[str, dict[str, str]]) -> bool:
    origin = source["metadata"]["namespace"]
    if "namespaceSelector" in peer:
        inside = _selects(peer["namespaceSelector"], namespaces.get(origin, {}))
    else:
        inside = origin == space and "podSelector" in peer
    return inside and ("podSelector" not in peer or _selects(peer["podSelector"], _labels(source)))


def _selects(selector: Any, labels: dict[str, str]) -> bool:
    """Whether a label selector matches `labels` (Kubernetes API v1.34, meta/v1 LabelSelector)."""
    selector = selector or {}
    expressions = selector.get("matchExpressions") or []
    equal: bool = (selector.get("matchLabels") or {}).items() <= labels.items()
    return equal and all(_meets(expression, labels) for expression in expressions)


def _meets(expression: Any, labels: dict[str, str]) -> bool:
    key, operator, values = expression["key"], expression["operator"], expression.get("values") or []
    matches = key in labels if operator in ("Exists", "DoesNotExist") else labels.get(key) in values
    return matches == (operator in ("Exists", "In"))


def _labels(entry: Any) -> dict[str, str]:
    return entry["metadata"].get("labels") or {}


def _address(pod: Any) -> str:
    return "" if pod["spec"].get("hostNetwork") else str((pod.get("status") or {}).get("podIP", ""))


def _ended(pod: Any) -> bool:
    return (pod.get("status") or {}).get("phase") in ("Succeeded", "Failed")


def _inside(pid: int, *words: str) -> str:
    return _run("nsenter", f"--net=/proc/{pid}/ns/net", "ip", *words)


def _ip(*words: str) -> str:
    return _run("ip", *words)


def _run(*words: str) -> str:
    return subprocess.run(words, capture_output=True, text=True, check=False).stdout
