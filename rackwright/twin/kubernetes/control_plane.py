"""The API server of a Kubernetes cluster that nodes of a twin join: discovery, certificates for kubelets, nodes, pods and jobs.

What the API means is `cluster`'s.
"""

from __future__ import annotations

import base64
import json
import secrets
import threading
from collections.abc import Callable, Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any

from rackwright.base.errors import OutsideError
from rackwright.twin.guest.products import cluster
from rackwright.twin.kubernetes import logs, nodes
from rackwright.twin.kubernetes.api import ADMIN, KUBELET, Answer, Api, Request, target
from rackwright.twin.kubernetes.ca import ClusterAuthority
from rackwright.twin.kubernetes.http import ApiServer, handler
from rackwright.twin.kubernetes.jobs import Controllers
from rackwright.twin.kubernetes.objects import ApiError, KubernetesObjects
from rackwright.twin.kubernetes.resources import NODES, PODS

ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789"
KUBELET_CONFIGURATION = (
    "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\nclusterDomain: cluster.local\n"
)
STEP_SECONDS = 0.2
"""How often the controllers look."""


def _unknown_node(node: str) -> dict[str, Any]:
    raise KeyError(node)


class ControlPlane:
    """One cluster without any node of its own."""

    def __init__(
        self,
        endpoint: str,
        folder: Path,
        describe: nodes.Describe = _unknown_node,
        address_of: Callable[[str], str] = lambda node: node,
    ) -> None:
        """`endpoint` is an address and a port of this machine; `folder` gets the CA and the nodes; `address_of` a node its kubelet answers."""
        self.endpoint, self.folder = endpoint, folder
        self.authority = ClusterAuthority(folder, endpoint.rpartition(":")[0])
        self._kubelets = self.authority.kubelet_context()
        self.token = f"{_word(6)}.{_word(16)}"
        self.objects = KubernetesObjects()
        self._api = Api(self.objects, describe)
        self._address_of = address_of
        self._ended = threading.Event()
        self._server: ApiServer | None = None
        self.admin = folder / "admin.conf"
        self._write_admin()

    def start(self) -> None:
        """Serve from now on; OutsideError when the address is taken."""
        address, _, port = self.endpoint.rpartition(":")
        try:
            self._server = ApiServer((address, int(port)), handler(self.answer, self.log, self.token))
        except OSError as error:
            raise OutsideError(
                f"the API server of the twin cannot listen on {self.endpoint}: {error.strerror}"
            ) from None
        self._server.daemon_threads = True
        self._server.socket = self.authority.server_context().wrap_socket(
            self._server.socket, server_side=True, do_handshake_on_connect=False
        )
        threading.Thread(target=self._server.serve_forever, name="twin-kubernetes", daemon=True).start()
        threading.Thread(target=self._control, name="twin-kubernetes-controllers", daemon=True).start()

    def stop(self) -> None:
        """Serve no more."""
        self._ended.set()
        if self._server:
            self._server.shutdown()
            self._server.server_close()

    def answer(self, request: Request) -> Answer:
        """What the API says, also when it says no."""
        if (request.method, request.path) == ("GET", "/api/v1/namespaces/kube-public/configmaps/cluster-info"):
            return HTTPStatus.OK, {"data": self._information()}
        if request.who == "bootstrap" and request.path.endswith("/configmaps/kubelet-config"):
            return HTTPStatus.OK, {"data": {"kubelet": KUBELET_CONFIGURATION}}
        if (
            request.who == "bootstrap"
            and request.method == "POST"
            and request.path.endswith("/certificatesigningrequests")
        ):
            signed = self.authority.sign(base64.b64decode(request.body["spec"]["request"]))
            return HTTPStatus.CREATED, {"status": {"certificate": base64.b64encode(signed).decode()}}
        try:
            reply = self._api.answer(request)
        except ApiError as error:
            return error.status, error.body()
        if request.method == "POST" and request.who.startswith(KUBELET):
            nodes = {node["metadata"]["name"]: node for node in self.objects.all(NODES)}
            (self.folder / "nodes.json").write_text(json.dumps(nodes, indent=1), encoding="utf-8")
        return reply

    def log(self, request: Request) -> Iterator[bytes] | None:
        """The log that a request is for; None when it is for none. ApiError when it cannot be had."""
        about = target(request.path)
        if about is None or about.sub != "log" or request.who != ADMIN:
            return None
        pod = self.objects.get(PODS, about.within, about.name)
        address = self._address_of(pod["spec"].get("nodeName", ""))
        follow = request.query.get("follow") == "true"
        return logs.read(pod, address, self._kubelets, follow=follow)

    def _control(self) -> None:
        controllers = Controllers(self.objects, self._api.nodes)
        while not self._ended.wait(STEP_SECONDS):
            controllers.step()

    def _information(self) -> dict[str, str]:
        """The address and CA of the cluster, signed with the token."""
        text = json.dumps({"clusters": [{"name": "", "cluster": self._cluster_fields()}]})
        return {"kubeconfig": text, f"jws-kubeconfig-{self.token.split('.')[0]}": cluster.signature(text, self.token)}

    def _cluster_fields(self) -> dict[str, str]:
        certificate = base64.b64encode(self.authority.certificate).decode()
        return {"server": f"https://{self.endpoint}", "certificate-authority-data": certificate}

    def _write_admin(self) -> None:
        """The kubeconfig of the administrator, for its owner alone."""
        identity = base64.b64encode(self.authority.identity(ADMIN, "system:masters")).decode()
        text = json.dumps(
            {
                "apiVersion": "v1",
                "kind": "Config",
                "current-context": "twin",
                "clusters": [{"name": "twin", "cluster": self._cluster_fields()}],
                "contexts": [{"name": "twin", "context": {"cluster": "twin", "user": ADMIN}}],
                "users": [{"name": ADMIN, "user": {"client-certificate-data": identity, "client-key-data": identity}}],
            }
        )
        self.admin.touch(mode=0o600)
        self.admin.write_text(text, encoding="ascii")


def _word(length: int) -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(length))
