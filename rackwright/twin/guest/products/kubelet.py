"""The kubelet of a twin node: needs what kubeadm left behind, registers the node with its taints, runs its pods, answers on its ports.

Shape: Kubernetes 1.34, cmd/kubelet: arguments, messages at start, ``/healthz`` on 127.0.0.1:10248. Pods are `pods`, their logs `podlogs`,
what the node reports is `status`.
"""

from __future__ import annotations

import glob
import http.server
import os
import re
import ssl
import sys
import threading
import time

from . import cluster, containerd, kubeadm, parts, podlogs, pods, status

HEALTH = ("127.0.0.1", 10248)
RETRY_SECONDS = 2


def main() -> int:
    """Entry point."""
    words = sys.argv[1:]
    if words == ["--version"]:
        print(f"Kubernetes v{parts.release('kubernetes')}")
        return 0
    wrong = _start_error(words)
    if wrong:
        print(f'E "command failed" err="{wrong}"', file=sys.stderr)
        return 1
    server = http.server.ThreadingHTTPServer(HEALTH, _Health)
    threading.Thread(target=_serve, args=(words,), daemon=True).start()
    server.serve_forever()
    return 0


def _serve(words: list[str]) -> None:
    """Register, then run what the cluster gives to this node."""
    _register(words)
    threading.Thread(target=status.report, args=(_name(words), _endpoint(), _identity), daemon=True).start()
    running = pods.Pods(_name(words), _endpoint(), _identity)
    authority = f"{kubeadm.FOLDER}/pki/ca.crt"
    threading.Thread(target=podlogs.serve, args=(running, f"{kubeadm.KUBELET}/pki", authority), daemon=True).start()
    running.serve()


def _name(words: list[str]) -> str:
    return parts.option(words, "--hostname-override") or os.uname().nodename


def _endpoint() -> str:
    match = re.search(r"server: https://(\S+)", _read(f"{kubeadm.FOLDER}/kubelet.conf"))
    return match[1] if match else ""


def _identity() -> ssl.SSLContext:
    """Trust in the cluster's CA, with the certificate of this node."""
    return cluster.of_authority(_read(f"{kubeadm.FOLDER}/pki/ca.crt"), kubeadm.IDENTITY)


def _start_error(words: list[str]) -> str:
    """Why the kubelet cannot start, or an empty text."""
    config = parts.option(words, "--config")
    if not os.path.exists(config):
        return f"failed to load kubelet config file, path: {config}, error: open {config}: no such file or directory"
    folder = parts.option(words, "--config-dir")
    files = sorted(glob.glob(os.path.join(folder, "*.conf"))) if folder else []
    text = "\n".join(_read(path) for path in [config, *files])
    drivers = re.findall(r"^cgroupDriver: (\S+)", text, re.MULTILINE)
    if drivers and drivers[-1] != "systemd":
        return f"cgroup driver {drivers[-1]} is not that of the container runtime"
    if not os.path.exists(containerd.SOCKET):
        return f"failed to run Kubelet: validate service connection: dial unix {containerd.SOCKET}: connect: no such file or directory"
    return ""


def _register(words: list[str]) -> None:
    """Create the node, until the API server has it; one that is there keeps the taints that it has."""
    taints = [taint for taint in parts.option(words, "--register-with-taints").split(",") if taint]
    body = {
        "kind": "Node",
        "metadata": {"name": _name(words), "labels": {"kubernetes.io/hostname": _name(words)}},
        "spec": {
            "taints": [dict(zip(("key", "value", "effect"), re.split("[=:]", taint), strict=True)) for taint in taints]
        },
    }
    while True:
        try:
            cluster.ask(_endpoint(), "POST", "/api/v1/nodes", _identity(), body=body)
        except cluster.ApiRefusedError as error:
            if error.status == http.HTTPStatus.CONFLICT:
                return
            print(f'E "Unable to register node with API server" err="{error}"', file=sys.stderr, flush=True)
            time.sleep(RETRY_SECONDS)
        else:
            return


def _read(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


class _Health(http.server.BaseHTTPRequestHandler):
    """``/healthz`` alone."""

    def do_GET(self) -> None:
        good = self.path == "/healthz"
        self.send_response(http.HTTPStatus.OK if good else http.HTTPStatus.NOT_FOUND)
        self.end_headers()
        self.wfile.write(b"ok" if good else b"")

    def log_message(self, *_: object) -> None:
        """Not in the log of the service."""
