"""A host after role kubernetes_control_plane: the first server of a cluster, with its keys for root alone and no token left."""

import json

import pytest

from tests.patience import until

pytestmark = [pytest.mark.twin, pytest.mark.slurm, pytest.mark.kubernetes, pytest.mark.kubectl]
ENCRYPTION = "/etc/kubernetes/encryption/config.yaml"


def test_the_server_is_in_the_cluster_as_one_of_its_control_plane(scenario):
    def node():
        return json.loads(scenario.theatre.shell.say(f"kubectl get node {scenario.scene.host} --output=json"))

    assert "node-role.kubernetes.io/control-plane" in node()["metadata"]["labels"]
    until(lambda: node()["status"]["nodeInfo"]["kubeletVersion"] == "v1.34.2", node)


def test_its_services_run_and_its_timers_are_set(host):
    assert host.service("kubelet").is_running
    assert host.service("keepalived").is_running
    for timer in ("rackwright-certificates.timer", "rackwright-etcd-snapshot.timer"):
        assert host.service(timer).is_enabled
    assert "10.65.0.3" in host.file("/etc/keepalived/keepalived.conf").content_string


def test_keys_are_for_root_alone_and_on_the_server_alone(host, scenario):
    for path in (ENCRYPTION, "/etc/kubernetes/admin.conf", "/etc/kubernetes/kubelet.conf"):
        assert host.file(path).mode == 0o600
    key = host.check_output(f"sed -n 's/.*secret: \\([^}}]*\\)}}.*/\\1/p' {ENCRYPTION}").strip()
    assert len(key) == 44
    written = [path for path in scenario.theatre.work.rglob("*") if path.is_file()]
    assert not [path for path in written if key.encode() in path.read_bytes()]
    assert host.run("ls /run/rackwright-kubernetes").stdout == ""


def test_the_token_of_its_kubelet_is_gone(scenario):
    names = scenario.theatre.shell.say("kubectl get secrets --namespace=kube-system --output=name").split()
    assert len([name for name in names if "bootstrap-token-" in name]) == 1  # that of the twin


def test_a_cluster_is_founded_once(host):
    refused = host.run("kubeadm init --config /etc/kubernetes/rackwright/kubeadm.yaml")
    assert refused.rc == 1
    assert "kube-apiserver.yaml already exists" in refused.stderr
