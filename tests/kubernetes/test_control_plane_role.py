"""What the role of control servers writes, in the hands of the real kubeadm, API server and tools of etcd.

Only the container runtime has a stand-in: `crictl` and `ctr` run the programs of this machine instead of those of an image.
"""

from __future__ import annotations

import base64
import json
import os
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from rackwright.base import yaml_text
from rackwright.compat import kubernetes_images
from tests.kubernetes import server_role
from tests.kubernetes.control_plane import ControlPlane
from tests.patience import PATIENCE, until

pytestmark = [pytest.mark.kubernetes, pytest.mark.kubectl, pytest.mark.twin, pytest.mark.xdist_group("kubernetes")]
CONFIGURATION = "/etc/kubernetes/rackwright/kubeadm.yaml"


def run(words: Sequence[str | Path], programs: Path | None = None) -> subprocess.CompletedProcess[str]:
    path = f"{programs}:{os.environ['PATH']}" if programs else os.environ["PATH"]
    command = [str(word) for word in words]
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        errors="replace",
        env={**os.environ, "PATH": path},
        timeout=PATIENCE,
        check=False,
    )


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The root of a server after the phases of `kubeadm init` that need no kubelet."""
    root = tmp_path_factory.mktemp("server")
    config = root / CONFIGURATION[1:]
    config.parent.mkdir(parents=True)
    config.write_text(server_role.files()[CONFIGURATION])
    for phase in ("certs", "kubeconfig", "control-plane", "etcd"):
        last = "local" if phase == "etcd" else "all"
        done = run(["kubeadm", "init", "phase", phase, last, "--config", CONFIGURATION, "--rootfs", root])
        assert done.returncode == 0, done.stderr
    return root


@pytest.mark.parametrize(
    "options",
    [{}, {"kubernetes_control_plane_etcd": ["10.0.2.1:2379"], "kubernetes_control_plane_images": "mirror:5000/k8s"}],
)
def test_kubeadm_takes_the_configuration(options, tmp_path):
    joining = {
        "endpoint": server_role.ENDPOINT, "token": "abcdef.0123456789abcdef", "ca_sha256": f"sha256:{'a' * 64}", "name": "second", "address": "10.0.1.2",
        "certificate_key": "b" * 64,
    }  # fmt: skip
    founding = server_role.files(**options)[CONFIGURATION]
    with_key = founding.replace("kind: InitConfiguration\n", f"kind: InitConfiguration\ncertificateKey: {'b' * 64}\n")
    for number, text in enumerate((founding, with_key, json.dumps(server_role.module().join_configuration(joining)))):
        path = tmp_path / f"{number}.yaml"
        path.write_text(text)
        done = run(["kubeadm", "config", "validate", "--config", path])
        assert (done.returncode, done.stderr, done.stdout.strip()) == (0, "", "ok")


def test_the_mirror_lists_what_kubeadm_pulls():
    listed = run(["kubeadm", "config", "images", "list", "--kubernetes-version", "v1.34.2"])
    assert kubernetes_images.of_servers("1.34.2") == listed.stdout.split()


def test_kubeadm_writes_what_the_role_reads(root):
    kubernetes = root / "etc/kubernetes"
    assert "server: https://10.0.1.10:6443\n" in (kubernetes / "admin.conf").read_text()
    text = (kubernetes / "manifests/kube-apiserver.yaml").read_text()
    assert (
        re.search(r"image: *\S+/kube-apiserver:v([0-9.]+)", text)[1] == "1.34.2"
    )  # as node_facts and the module read it
    pod = yaml_text.load(text)["spec"]
    command = pod["containers"][0]["command"]
    for option in (
        "audit-policy-file=/etc/kubernetes/audit/policy.yaml",
        "encryption-provider-config=/etc/kubernetes/encryption/config.yaml",
    ):
        assert f"--{option}" in command
    mounts = {mount["mountPath"] for mount in pod["containers"][0]["volumeMounts"]}
    assert {"/etc/kubernetes/audit", "/etc/kubernetes/encryption", "/var/log/kubernetes/audit"} <= mounts
    etcd = yaml_text.load((kubernetes / "manifests/etcd.yaml").read_text())["spec"]
    assert {mount["mountPath"] for mount in etcd["containers"][0]["volumeMounts"]} == {
        "/var/lib/etcd",
        "/etc/kubernetes/pki/etcd",
    }
    for name in ("ca.crt", "healthcheck-client.crt", "healthcheck-client.key"):
        assert (kubernetes / "pki/etcd" / name).is_file()


def test_certificates_are_renewed_when_they_end_soon_and_only_then(root, tmp_path):
    served = root / "etc/kubernetes/pki/apiserver.crt"
    inside = f'for word; do shift; set -- "$@" "${{word#{root}}}"; done; exec {_path("kubeadm")} --rootfs {root} "$@"'
    server_role.program(tmp_path / "bin", "kubeadm", inside)
    server_role.program(tmp_path / "bin", "kubectl", "echo ok")
    server_role.program(tmp_path / "bin", "crictl", f'echo "$*" >> {tmp_path}/crictl; test "$1" = stop || echo "id-$7"')
    path = "/usr/local/libexec/rackwright/certificates"
    before, authority = served.read_bytes(), (root / "etc/kubernetes/pki/ca.crt").read_bytes()
    done = run(["sh", server_role.script(path, root)], tmp_path / "bin")
    assert (done.returncode, done.stdout, served.read_bytes()) == (0, "", before)
    done = run(["sh", server_role.script(path, root, kubernetes_control_plane_renew_days=400)], tmp_path / "bin")
    assert done.returncode == 0, done.stderr
    assert "apiserver.crt" in done.stdout
    assert served.read_bytes() != before
    assert (root / "etc/kubernetes/pki/ca.crt").read_bytes() == authority
    assert (tmp_path / "crictl").read_text().count("stop id-") == 4


def _path(name: str) -> str:
    return run(["sh", "-c", f"command -v {name}"]).stdout.strip()


def test_secrets_are_encrypted_in_etcd_and_their_content_is_in_no_log(plane: ControlPlane):
    plane.do("create", "secret", "generic", "sealed", "--namespace=default", "--from-literal=word=plain-as-day")
    raw = run(
        ["etcdctl", f"--endpoints={plane.etcd.url}", "get", "/registry/secrets/default/sealed", "--print-value-only"]
    ).stdout
    assert raw.startswith("k8s:enc:secretbox:v1:key1:")
    assert "plain-as-day" not in raw
    readable = json.loads(plane.do("get", "secret", "sealed", "--namespace=default", "--output=json"))
    assert base64.b64decode(readable["data"]["word"]) == b"plain-as-day"
    plane.do("create", "namespace", "audited")
    events = [json.loads(line) for line in plane.audit_log.read_text().splitlines()]
    level = {
        (event["objectRef"]["resource"], event["objectRef"].get("name")): event["level"]
        for event in events
        if event["verb"] == "create" and "objectRef" in event
    }
    assert level["secrets", "sealed"] == "Metadata"
    assert level["namespaces", "audited"] == "Request"
    assert base64.b64encode(b"plain-as-day").decode() not in plane.audit_log.read_text()
    assert not [event for event in events if event.get("objectRef", {}).get("resource") == "leases"]
    plane.do("delete", "secret", "sealed", "--namespace=default")


def test_a_snapshot_brings_the_cluster_back(plane: ControlPlane, root: Path, tmp_path: Path):
    bin_, manifests = tmp_path / "bin", root / "etc/kubernetes/manifests"
    without = f"--endpoints={plane.etcd.url}"
    server_role.program(bin_, "crictl", f"""\
case $1 in
ps) name=${{6#^}}; test -e {manifests}/${{name%$}}.yaml && echo id; exit 0 ;;
exec) shift 2; for word; do shift; case $word in --cacert*|--cert*|--key*) ;; --endpoints*) set -- "$@" {without} ;; *) set -- "$@" "$word" ;; esac; done; exec "$@" ;;
esac""")  # fmt: skip
    server_role.program(bin_, "ctr", 'while [ "$1" != etcdutl ]; do shift; done; exec "$@"')
    plane.do("create", "configmap", "kept", "--namespace=default", "--from-literal=a=b")
    saved = run(["sh", server_role.script("/usr/local/libexec/rackwright/etcd-snapshot", root)], bin_)
    assert saved.returncode == 0, saved.stderr
    (snapshot,) = (root / "var/backups/etcd").glob("*.db")
    assert snapshot.stat().st_mode & 0o77 == 0
    plane.do("create", "configmap", "later", "--namespace=default")
    plane.do("delete", "configmap", "kept", "--namespace=default")
    restore = server_role.script("/usr/local/sbin/rackwright-etcd-restore", root)
    assert run(["sh", restore, "nothing.db"], bin_).returncode == 2
    assert run(["sh", restore, "--stop"], bin_).stdout == "the control plane of this server is stopped\n"
    plane.etcd.stop()  # as the kubelet does when the manifest is gone
    plane.etcd.folder.rename(plane.etcd.folder.with_suffix(".before"))
    restored = run(["sh", restore, snapshot], bin_)
    assert restored.returncode == 0, restored.stderr
    assert sorted(path.name for path in manifests.iterdir()) == [
        "etcd.yaml", "kube-apiserver.yaml", "kube-controller-manager.yaml", "kube-scheduler.yaml",
    ]  # fmt: skip
    (root / "var/lib/etcd").rename(plane.etcd.folder)
    plane.etcd.start()
    until(lambda: plane.kubectl("get", "configmap", "kept", "--namespace=default").returncode == 0)
    until(lambda: plane.kubectl("get", "configmap", "later", "--namespace=default").returncode != 0)
    plane.do("create", "configmap", "after", "--namespace=default")
    plane.do("delete", "configmap", "after", "kept", "--namespace=default")
