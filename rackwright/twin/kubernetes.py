"""The API server of a Kubernetes cluster that nodes of a twin join: discovery, certificates for kubelets, and the nodes.

In: an address, a folder. Out: an HTTPS server with a CA and a bootstrap token of its own; who joined stands in ``nodes.json`` of the
folder. Cut here because it is the only control plane that a twin has to stand in for: Slurm's runs on a host of the twin.
"""

from __future__ import annotations

import base64
import json
import secrets
import ssl
import threading
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from rackwright.errors import OutsideError
from rackwright.twin.guest.products import cluster
from rackwright.twin.kubernetes_ca import ClusterAuthority

ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789"
KUBELET_CONFIGURATION = (
    "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\nclusterDomain: cluster.local\n"
)
Answer = tuple[HTTPStatus, dict[str, Any]]


class ControlPlane:
    """One cluster without any node of its own."""

    def __init__(self, endpoint: str, folder: Path) -> None:
        """`endpoint` is an address and a port of this machine; `folder` gets the CA and the nodes."""
        self.endpoint, self.folder = endpoint, folder
        address = endpoint.rpartition(":")[0]
        self.authority = ClusterAuthority(folder, address)
        self.token = f"{_word(6)}.{_word(16)}"
        self.nodes: dict[str, dict[str, Any]] = {}
        self._lock = threading.Lock()
        self._server: ThreadingHTTPServer | None = None

    def start(self) -> None:
        """Serve from now on; OutsideError when the address is taken."""
        address, _, port = self.endpoint.rpartition(":")
        try:
            self._server = ThreadingHTTPServer((address, int(port)), _handler(self))
        except OSError as error:
            raise OutsideError(
                f"the API server of the twin cannot listen on {self.endpoint}: {error.strerror}"
            ) from None
        self._server.socket = self.authority.server_context().wrap_socket(self._server.socket, server_side=True)
        threading.Thread(target=self._server.serve_forever, name="twin-kubernetes", daemon=True).start()

    def stop(self) -> None:
        """Serve no more."""
        if self._server:
            self._server.shutdown()
            self._server.server_close()

    def answer(self, method: str, path: str, who: str, body: dict[str, Any]) -> Answer:
        """What the API says; `who` is ``bootstrap``, ``system:node:<name>`` or empty for anybody."""
        if (method, path) == ("GET", "/api/v1/namespaces/kube-public/configmaps/cluster-info"):
            return HTTPStatus.OK, {"data": self._information()}
        if who == "bootstrap" and path.endswith("/configmaps/kubelet-config"):
            return HTTPStatus.OK, {"data": {"kubelet": KUBELET_CONFIGURATION}}
        if who == "bootstrap" and method == "POST" and path.endswith("/certificatesigningrequests"):
            signed = self.authority.sign(base64.b64decode(body["spec"]["request"]))
            return HTTPStatus.CREATED, {"status": {"certificate": base64.b64encode(signed).decode()}}
        if who.startswith("system:node:") and (method, path) == ("POST", "/api/v1/nodes"):
            return self._register(who.removeprefix("system:node:"), body)
        return HTTPStatus.FORBIDDEN if who else HTTPStatus.UNAUTHORIZED, {"message": f"{method} {path} is not allowed"}

    def _register(self, name: str, node: dict[str, Any]) -> Answer:
        """A kubelet may create its own node and no other."""
        if node["metadata"]["name"] != name:
            return HTTPStatus.FORBIDDEN, {"message": f"{name} is not allowed to create node {node['metadata']['name']}"}
        with self._lock:
            if name in self.nodes:
                return HTTPStatus.CONFLICT, {"message": f'nodes "{name}" already exists'}
            self.nodes[name] = node
            (self.folder / "nodes.json").write_text(json.dumps(self.nodes, indent=1), encoding="utf-8")
        return HTTPStatus.CREATED, node

    def _information(self) -> dict[str, str]:
        """The address and CA of the cluster, signed with the token."""
        certificate = base64.b64encode(self.authority.certificate).decode()
        known = {"server": f"https://{self.endpoint}", "certificate-authority-data": certificate}
        text = json.dumps({"clusters": [{"name": "", "cluster": known}]})
        return {"kubeconfig": text, f"jws-kubeconfig-{self.token.split('.')[0]}": cluster.signature(text, self.token)}


def _word(length: int) -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def _handler(plane: ControlPlane) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _reply(self) -> None:
            size = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(size)) if size else {}
            status, content = plane.answer(self.command, self.path, self._who(), body)
            data = json.dumps(content).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = _reply

        def _who(self) -> str:
            if secrets.compare_digest(self.headers.get("Authorization", ""), f"Bearer {plane.token}"):
                return "bootstrap"
            assert isinstance(self.connection, ssl.SSLSocket)
            seen: Any = self.connection.getpeercert() or {}
            subject = dict(entry[0] for entry in seen.get("subject", ()))
            return str(subject.get("commonName", ""))

        def log_message(self, *_: object) -> None:
            """Nothing on the screen of whoever runs the twin."""

    return Handler
