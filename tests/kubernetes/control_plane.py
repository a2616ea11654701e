"""A real API server on a real etcd, on ports of this machine, for one session of tests."""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import yaml
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.kubernetes import server_role
from tests.patience import PATIENCE, until
from tests.ports import free_port


class Etcd:
    """One member, without security, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.url = folder / "etcd", f"http://127.0.0.1:{free_port()}"
        self._log, self._peer, self._stack = folder / "etcd.log", free_port(), ExitStack()

    def start(self) -> None:
        """Serve what the folder has."""
        command = [
            "etcd", f"--data-dir={self.folder}", f"--listen-client-urls={self.url}", f"--advertise-client-urls={self.url}",
            f"--listen-peer-urls=http://127.0.0.1:{self._peer}", "--unsafe-no-fsync", "--log-level=warn",
        ]  # fmt: skip
        self._stack.enter_context(process(command, self._log))

    def stop(self) -> None:
        """End, and leave the folder."""
        self._stack.close()


@dataclass(frozen=True)
class ControlPlane:
    """What clients need to reach it."""

    port: int
    token: str
    ca_file: Path
    folder: Path
    etcd: Etcd
    audit_log: Path

    def kubectl(self, *arguments: str, feed: str = "") -> subprocess.CompletedProcess[str]:
        """The real kubectl, as an administrator."""
        reach = [
            f"--server=https://127.0.0.1:{self.port}",
            f"--token={self.token}",
            f"--certificate-authority={self.ca_file}",
        ]
        env = {**os.environ, "KUBECONFIG": "/dev/null", "HOME": str(self.folder)}
        command = ["kubectl", *reach, *arguments]
        return subprocess.run(
            command, input=feed, capture_output=True, text=True, env=env, timeout=PATIENCE, check=False
        )

    def kubeconfig(self) -> str:
        """The way to it as an administrator, as clients take it."""
        cluster = {"server": f"https://127.0.0.1:{self.port}", "certificate-authority": str(self.ca_file)}
        return yaml.safe_dump({
            "apiVersion": "v1", "kind": "Config", "current-context": "here",
            "clusters": [{"name": "here", "cluster": cluster}],
            "users": [{"name": "here", "user": {"token": self.token}}],
            "contexts": [{"name": "here", "context": {"cluster": "here", "user": "here"}}],
        })  # fmt: skip

    def do(self, *arguments: str, feed: str = "") -> str:
        """The same, which must succeed."""
        done = self.kubectl(*arguments, feed=feed)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def define(self, crds: Path) -> None:
        """Serve the kinds of a folder of CustomResourceDefinitions."""
        self.do("apply", "--server-side", f"--filename={crds}")
        wait = ("wait", "--for=condition=Established", f"--filename={crds}", "--timeout=5s")
        until(lambda: self.kubectl(*wait).returncode == 0)  # it fails on an object whose status is still empty


@contextmanager
def running(folder: Path) -> Iterator[ControlPlane]:
    """etcd and kube-apiserver until the block ends; their logs are in `folder`."""
    port, token = free_port(), secrets.token_hex(16)
    certs = folder / "certs"
    tokens, key = folder / "tokens.csv", folder / "service-accounts.key"
    tokens.write_text(f'{token},admin,admin,"system:masters"\n')
    key.write_bytes(
        rsa.generate_private_key(public_exponent=65537, key_size=2048).private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
        )
    )
    etcd, audit = Etcd(folder), folder / "audit.log"
    policy, encryption = folder / "audit-policy.yaml", folder / "encryption.yaml"
    policy.write_text(server_role.files()["/etc/kubernetes/audit/policy.yaml"])
    encryption.write_text(server_role.module().encryption_configuration())
    server_command = [
        "kube-apiserver", f"--etcd-servers={etcd.url}", "--bind-address=127.0.0.1", "--advertise-address=127.0.0.1",
        f"--secure-port={port}", f"--cert-dir={certs}", f"--token-auth-file={tokens}", "--authorization-mode=RBAC",
        "--service-cluster-ip-range=10.96.0.0/16", "--service-account-issuer=https://kubernetes.default.svc",
        f"--service-account-key-file={key}", f"--service-account-signing-key-file={key}",
        "--disable-admission-plugins=ServiceAccount,TaintNodesByCondition",
        f"--audit-policy-file={policy}", f"--audit-log-path={audit}", f"--encryption-provider-config={encryption}",
    ]  # fmt: skip
    with ExitStack() as stack:
        stack.callback(etcd.stop)
        etcd.start()
        server = stack.enter_context(process(server_command, folder / "kube-apiserver.log"))
        plane = ControlPlane(port, token, certs / "apiserver.crt", folder, etcd, audit)
        deadline = time.monotonic() + PATIENCE
        while plane.kubectl("get", "--raw=/readyz").returncode:
            log = (folder / "kube-apiserver.log").read_text()[-2000:]
            assert server.poll() is None, log
            assert time.monotonic() < deadline, log
            time.sleep(0.2)
        yield plane


@contextmanager
def process(
    command: Sequence[str], log: Path, env: Mapping[str, str] | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """A program until the block ends; what it prints goes into `log`."""
    assert shutil.which(command[0]), f"{command[0]} is not on PATH"
    with log.open("wb") as stream:
        process = subprocess.Popen(command, stdout=stream, stderr=stream, stdin=subprocess.DEVNULL, env=env)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
