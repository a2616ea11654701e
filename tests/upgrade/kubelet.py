"""A kubelet that runs static pods as programs of this machine, for one server of a control plane: ``python -m tests.upgrade.kubelet NAME PROGRAMS RELEASE_FILE``.

It registers its node with the account that kubeadm gives it (a certificate, or a token by which it requests one), reports it ready, keeps a mirror pod
for every static pod, and ends pods of Jobs. Shape: Kubernetes 1.33, pkg/kubelet/types/pod_update.go (annotations) and pkg/kubelet/certificate/bootstrap.
"""

from __future__ import annotations

import base64
import hashlib
import http.server
import os
import ssl
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import yaml
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from rackwright.base import yaml_text
from tests.upgrade import container_runtime

FOLDER, PKI = Path("/etc/kubernetes"), Path("/var/lib/kubelet/pki")
RUNNING = Path("/run/containers")
"""A file for each running program, with its number: what `crictl` of the server reads."""
AWAY = Path("/run/kubelet-is-away")
"""While it is there, the node is not ready."""
HASH, MIRROR, SOURCE = (f"kubernetes.io/config.{word}" for word in ("hash", "mirror", "source"))
LOOK_SECONDS, REPORT_SECONDS = 0.5, 4.0
MERGE = {"content-type": "application/strategic-merge-patch+json"}
Object = dict[str, Any]


@dataclass
class StaticPod:
    """A manifest, and the program that runs for it."""

    text: str
    process: subprocess.Popen[bytes] | None = None

    @property
    def digest(self) -> str:
        """What the mirror pod shows of it."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:32]

    def runs(self) -> bool:
        """Whether its program has not ended."""
        return self.process is not None and self.process.poll() is None


@dataclass
class Kubelet:
    """The node of this server."""

    name: str
    programs: Path
    release: Path
    pods: dict[str, StaticPod] = field(default_factory=dict)
    client: httpx.Client | None = None
    reported: float = 0.0

    def serve(self) -> None:
        """For ever."""
        RUNNING.mkdir(parents=True, exist_ok=True)
        while True:
            self.run_static_pods()
            try:
                self.client = self.client or self.account()
                if self.client is not None:
                    self.report()
                    self.mirror()
                    self.end_others()
            except (httpx.HTTPError, KeyError, OSError, yaml.YAMLError) as error:
                print(f"{type(error).__name__}: {error}", flush=True)
            time.sleep(LOOK_SECONDS)

    def run_static_pods(self) -> None:
        """A program for every manifest as it is now."""
        texts = {path.stem: path.read_text() for path in sorted((FOLDER / "manifests").glob("*.yaml"))}
        for name, pod in list(self.pods.items()):
            if texts.get(name) != pod.text:
                self.stop(name)
                del self.pods[name]
        for name, text in texts.items():
            pod = self.pods.setdefault(name, StaticPod(text))
            if not pod.runs():
                self.start(name, pod)

    def start(self, name: str, pod: StaticPod) -> None:
        """The program of the image, with the command of the manifest."""
        container = yaml_text.load(pod.text)["spec"]["containers"][0]
        path = container_runtime.program(self.programs, container["image"])
        if path is None:
            print(f"there is no program for {container['image']}", flush=True)
            return
        with Path(f"/var/log/{name}.log").open("ab") as log:
            pod.process = subprocess.Popen(
                [path, *container["command"][1:]], stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        (RUNNING / name).write_text(str(pod.process.pid))
        print(f"{container['image']} runs as {pod.process.pid}", flush=True)

    def stop(self, name: str) -> None:
        """With the seconds that pods have to end."""
        process = self.pods[name].process
        (RUNNING / name).unlink(missing_ok=True)
        if process is not None:
            process.terminate()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def account(self) -> httpx.Client | None:
        """Of the node; None while kubeadm has given it none."""
        path = FOLDER / "kubelet.conf"
        if not path.exists():
            if not (FOLDER / "bootstrap-kubelet.conf").exists():
                return None
            self.request_certificate()
        return client_of(yaml_text.load(path.read_text()))

    def request_certificate(self) -> None:
        """As a node that joins with a token."""
        config = yaml_text.load((FOLDER / "bootstrap-kubelet.conf").read_text())
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([
            x509.NameAttribute(NameOID.ORGANIZATION_NAME, "system:nodes"), x509.NameAttribute(NameOID.COMMON_NAME, f"system:node:{self.name}"),
        ])  # fmt: skip
        request = x509.CertificateSigningRequestBuilder().subject_name(subject).sign(key, hashes.SHA256())
        spec = {
            "request": base64.b64encode(request.public_bytes(serialization.Encoding.PEM)).decode(),
            "signerName": "kubernetes.io/kube-apiserver-client-kubelet", "usages": ["digital signature", "client auth"],
        }  # fmt: skip
        body = {"apiVersion": "certificates.k8s.io/v1", "kind": "CertificateSigningRequest", "metadata": {"generateName": "node-csr-"}, "spec": spec}  # fmt: skip
        path = "/apis/certificates.k8s.io/v1/certificatesigningrequests"
        with client_of(config) as client:
            name = checked(client.post(path, json=body))["metadata"]["name"]
            while not (signed := checked(client.get(f"{path}/{name}")).get("status", {}).get("certificate")):
                time.sleep(LOOK_SECONDS)
        words = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        PKI.mkdir(parents=True, exist_ok=True)
        current = PKI / "kubelet-client-current.pem"
        current.write_bytes(base64.b64decode(signed) + words)
        current.chmod(0o600)
        config["users"][0]["user"] = {"client-certificate": str(current), "client-key": str(current)}
        (FOLDER / "kubelet.conf").write_text(yaml.safe_dump(config))

    def report(self) -> None:
        """The node is there, and ready."""
        assert self.client is not None
        if time.monotonic() - self.reported < REPORT_SECONDS and not AWAY.exists():
            return
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        ready = {"type": "Ready", "status": "False" if AWAY.exists() else "True", "reason": "KubeletReady"}
        ready |= {"lastHeartbeatTime": now, "message": "kubelet is posting ready status"}
        version = f"v{self.release.read_text().strip()}"
        size = {"cpu": "4", "memory": "8Gi", "pods": "110"}
        status = {"conditions": [ready], "nodeInfo": {"kubeletVersion": version}, "capacity": size, "allocatable": size}
        path = f"/api/v1/nodes/{self.name}"
        answer = self.client.patch(f"{path}/status", json={"status": status}, headers=MERGE)
        if answer.status_code == httpx.codes.NOT_FOUND:
            metadata = {"name": self.name, "labels": {"kubernetes.io/hostname": self.name}}
            checked(self.client.post("/api/v1/nodes", json={"apiVersion": "v1", "kind": "Node", "metadata": metadata}))
            return
        checked(answer)
        self.reported = time.monotonic()

    def mirror(self) -> None:
        """A pod for every static pod, anew where the manifest is another one."""
        assert self.client is not None
        for name, static in self.pods.items():
            path = f"/api/v1/namespaces/kube-system/pods/{name}-{self.name}"
            answer = self.client.get(path)
            if answer.status_code == httpx.codes.OK:
                there = answer.json()
                if there["metadata"].get("annotations", {}).get(HASH) == static.digest:
                    self.set_phase(there, "Running" if static.runs() else "Pending")
                    continue
                checked(self.client.delete(path, params={"gracePeriodSeconds": "0"}))
            checked(self.client.post("/api/v1/namespaces/kube-system/pods", json=self.mirror_pod(name, static)))

    def mirror_pod(self, name: str, static: StaticPod) -> Object:
        """As the kubelet makes it: owned by its node."""
        assert self.client is not None
        pod: Object = yaml_text.load(static.text)
        node = checked(self.client.get(f"/api/v1/nodes/{self.name}"))["metadata"]["uid"]
        pod["metadata"]["name"] = f"{name}-{self.name}"
        notes = {HASH: static.digest, MIRROR: static.digest, SOURCE: "file"}
        pod["metadata"]["annotations"] = pod["metadata"].get("annotations", {}) | notes
        owner = {"apiVersion": "v1", "kind": "Node", "name": self.name, "uid": node, "controller": True}
        pod["metadata"]["ownerReferences"] = [owner]
        pod["spec"]["nodeName"] = self.name
        pod.pop("status", None)
        return pod

    def end_others(self) -> None:
        """Pods that were given to this node: those of Jobs end well, the others run, and none of them has a program."""
        assert self.client is not None
        listed = checked(self.client.get("/api/v1/pods", params={"fieldSelector": f"spec.nodeName={self.name}"}))
        for pod in listed["items"]:
            owners = [owner["kind"] for owner in pod["metadata"].get("ownerReferences", [])]
            if pod["metadata"].get("deletionTimestamp"):
                space, name = pod["metadata"]["namespace"], pod["metadata"]["name"]
                self.client.delete(f"/api/v1/namespaces/{space}/pods/{name}", params={"gracePeriodSeconds": "0"})
            elif "Node" not in owners:
                self.set_phase(pod, "Succeeded" if "Job" in owners else "Running")

    def set_phase(self, pod: Object, phase: str) -> None:
        """Where it is another one."""
        assert self.client is not None
        if pod.get("status", {}).get("phase") == phase:
            return
        space, name = pod["metadata"]["namespace"], pod["metadata"]["name"]
        status = {"phase": phase, "conditions": [{"type": "Ready", "status": str(phase == "Running")}]}
        path = f"/api/v1/namespaces/{space}/pods/{name}/status"
        self.client.patch(path, json={"status": status}, headers=MERGE)


def checked(answer: httpx.Response) -> Object:
    """What was answered. httpx.HTTPError with the words of the API server where it refused."""
    if answer.is_error:
        raise httpx.HTTPError(f"{answer.request.method} {answer.request.url.path}: {answer.text[:300]}")
    return dict(answer.json())


def client_of(config: Object) -> httpx.Client:
    """The way to the API server of a kubeconfig."""
    user, server = config["users"][0]["user"], config["clusters"][0]["cluster"]
    trust = ssl.create_default_context(cadata=base64.b64decode(server["certificate-authority-data"]).decode())
    if "token" not in user:
        files = [_file(user, "client-certificate"), _file(user, "client-key")]
        trust.load_cert_chain(*files)
    headers = {"authorization": f"Bearer {user['token']}"} if "token" in user else {}
    return httpx.Client(base_url=server["server"], verify=trust, headers=headers, timeout=20, trust_env=False)


def _file(user: Object, key: str) -> str:
    if key in user:
        return str(user[key])
    handle, path = tempfile.mkstemp(dir="/run")
    with os.fdopen(handle, "wb") as file:
        file.write(base64.b64decode(user[f"{key}-data"]))
    return path


class _Health(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        """``/healthz``."""
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, *_: object) -> None:
        """Nothing."""


def main() -> None:
    """Entry point."""
    name, programs, release = sys.argv[1:]
    runtime = container_runtime.serve(Path(programs))
    health = http.server.ThreadingHTTPServer(("127.0.0.1", 10248), _Health)
    threading.Thread(target=health.serve_forever, daemon=True).start()
    try:
        Kubelet(name, Path(programs), Path(release)).serve()
    finally:
        runtime.stop(None)


if __name__ == "__main__":
    main()
