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


@dataclass(frozen=True)
class ServerFiles:
    """What an API server starts with, in a folder."""

    folder: Path

    def write(self, encryption: str) -> None:
        """An account, a key for accounts of services, the audit policy of the role, and the keys of secrets."""
        self.tokens.write_text(f'{secrets.token_hex(16)},admin,admin,"system:masters"\n')
        pem, key = serialization.Encoding.PEM, rsa.generate_private_key(public_exponent=65537, key_size=2048)
        private = (serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption())
        self.accounts.write_bytes(key.private_bytes(pem, *private))
        self.trusted.write_bytes(key.public_key().public_bytes(pem, serialization.PublicFormat.SubjectPublicKeyInfo))
        self.policy.write_text(server_role.files()["/etc/kubernetes/audit/policy.yaml"])
        self.encryption.write_text(encryption)

    @property
    def tokens(self) -> Path:
        """Accounts of people."""
        return self.folder / "tokens.csv"

    @property
    def token(self) -> str:
        """That of an administrator."""
        return self.tokens.read_text().partition(",")[0]

    @property
    def accounts(self) -> Path:
        """Signs tokens of service accounts."""
        return self.folder / "service-accounts.key"

    @property
    def trusted(self) -> Path:
        """Public keys that verify them."""
        return self.folder / "service-accounts.pub"

    @property
    def policy(self) -> Path:
        """Of the audit log."""
        return self.folder / "audit-policy.yaml"

    @property
    def audit_log(self) -> Path:
        """Who changed what."""
        return self.folder / "audit.log"

    @property
    def encryption(self) -> Path:
        """Keys of secrets."""
        return self.folder / "encryption.yaml"

    @property
    def authority(self) -> Path:
        """What clients trust, once it has started."""
        return self.folder / "certs" / "apiserver.crt"

    def command(self, etcd: str, port: int, prefix: str = "/registry") -> list[str]:
        """`prefix`: of its keys in etcd."""
        return [
            "kube-apiserver", f"--etcd-servers={etcd}", f"--etcd-prefix={prefix}", "--bind-address=127.0.0.1", "--advertise-address=127.0.0.1",
            f"--secure-port={port}", f"--cert-dir={self.authority.parent}", f"--token-auth-file={self.tokens}", "--authorization-mode=RBAC",
            "--service-cluster-ip-range=10.96.0.0/16", "--service-account-issuer=https://kubernetes.default.svc",
            f"--service-account-key-file={self.trusted}", f"--service-account-signing-key-file={self.accounts}",
            "--disable-admission-plugins=ServiceAccount,TaintNodesByCondition", "--allow-privileged",
            f"--audit-policy-file={self.policy}", f"--audit-log-path={self.audit_log}", f"--encryption-provider-config={self.encryption}",
        ]  # fmt: skip


@contextmanager
def running(folder: Path) -> Iterator[ControlPlane]:
    """etcd and kube-apiserver until the block ends; their logs are in `folder`."""
    port, etcd, files = free_port(), Etcd(folder), ServerFiles(folder)
    keys = server_role.module().kubernetes
    files.write(keys.encryption_configuration({"key1": keys.new_key()}))
    with ExitStack() as stack:
        stack.callback(etcd.stop)
        etcd.start()
        server = stack.enter_context(process(files.command(etcd.url, port), folder / "kube-apiserver.log"))
        plane = ControlPlane(port, files.token, files.authority, folder, etcd, files.audit_log)
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
