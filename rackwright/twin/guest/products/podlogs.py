"""The port of a kubelet where the API server reads the logs of pods.

Shape: Kubernetes 1.34, ``/containerLogs/NAMESPACE/POD/CONTAINER``.
"""

from __future__ import annotations

import http.server
import os
import ssl
import time
from typing import Any

from . import parts, pods

PORT = 10250
CLIENT = "kube-apiserver-kubelet-client"
LOOK_SECONDS = 0.1
BLOCK = 1 << 16


def serve(running: pods.Pods, folder: str, authority: str) -> None:
    """Answer forever; `folder` gets the certificate of the port, `authority` is the file of the cluster's CA."""
    server = http.server.ThreadingHTTPServer(("", PORT), _handler(running))
    server.daemon_threads = True
    server.socket = _context(folder, authority).wrap_socket(
        server.socket, server_side=True, do_handshake_on_connect=False
    )
    server.serve_forever()


def _context(folder: str, authority: str) -> ssl.SSLContext:
    """A certificate that the kubelet signs itself (its default), and clients of the cluster's CA."""
    key, certificate = f"{folder}/kubelet.key", f"{folder}/kubelet.crt"
    if not os.path.exists(certificate):
        subject = f"/CN={os.uname().nodename}"
        curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1")
        parts.output("openssl", "req", "-x509", "-nodes", *curve, "-subj", subject, "-keyout", key, "-out", certificate)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=authority)
    context.load_cert_chain(certificate, key)
    context.verify_mode = ssl.CERT_REQUIRED
    return context


def _handler(running: pods.Pods) -> type[http.server.BaseHTTPRequestHandler]:
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path, _, query = self.path.partition("?")
            words = path.strip("/").split("/")
            pod = running.find(words[1], words[2]) if len(words) == 4 and words[0] == "containerLogs" else None
            allowed = self._client_name() == CLIENT
            self.send_response(200 if pod and allowed else 404 if allowed else 403)
            self.end_headers()
            if pod and allowed:
                self._copy(pod, follow="follow=true" in query)

        def _copy(self, pod: pods.KubeletPod, *, follow: bool) -> None:
            with open(pod.log, "rb") as log:
                while True:
                    over = pod.ended.is_set()  # looked at before the log: nothing is written after it
                    while block := log.read(BLOCK):
                        self.wfile.write(block)
                    if over or not follow:
                        return
                    time.sleep(LOOK_SECONDS)

        def _client_name(self) -> str:
            connection: Any = self.connection
            subject = dict(entry[0] for entry in (connection.getpeercert() or {}).get("subject", ()))
            return str(subject.get("commonName", ""))

        def log_message(self, *_: object) -> None:
            """Not in the log of the service."""

    return Handler
