"""A host after role kubernetes_node: in the cluster, tainted, and without the token that let it in."""

import json

import pytest

from tests.patience import until

pytestmark = [pytest.mark.twin, pytest.mark.slurm, pytest.mark.kubernetes, pytest.mark.kubectl]


def node(scenario):
    """The node as the API server of the twin has it."""
    return json.loads(scenario.theatre.shell.say(f"kubectl get node {scenario.scene.host} --output=json"))


def test_the_node_registered_itself_with_the_taint_of_the_gate(scenario, host):
    taint = {"key": "rackwright.io/acceptance", "value": "pending", "effect": "NoSchedule"}
    until(
        lambda: node(scenario)["spec"]["taints"] == [taint], lambda: node(scenario)["spec"]
    )  # that of a new node goes
    information = node(scenario)["status"]["nodeInfo"]
    assert information["kubeletVersion"] == "v1.34.2"
    assert information["bootID"] == host.check_output("cat /proc/sys/kernel/random/boot_id")


def test_the_kubelet_runs_with_the_configuration_of_the_site(host):
    assert host.service("kubelet").is_running
    assert (
        host.check_output(
            "python3 -c \"import urllib.request as u; print(u.urlopen('http://127.0.0.1:10248/healthz').read())\""
        )
        == "b'ok'"
    )
    assert (
        "topologyManagerPolicy: restricted"
        in host.file("/etc/kubernetes/kubelet.conf.d/90-rackwright.conf").content_string
    )


def test_its_packages_are_held_at_one_version(host):
    assert {"kubelet", "kubeadm", "kubectl"} <= set(host.check_output("apt-mark showhold").split())


def test_the_token_is_on_the_controller_alone_and_for_its_owner_alone(host, scenario):
    path = scenario.theatre.work / "secrets" / "kubeadm.token"
    assert path.stat().st_mode & 0o777 == 0o600
    token = path.read_text(encoding="ascii").strip()
    assert host.run(f"grep -rlF {token} /etc /var /run /root /tmp /opt").stdout == ""
    assert not host.file("/run/rackwright-kubeadm-join.json").exists
    files = [path for path in scenario.theatre.work.rglob("*") if path.is_file()]
    assert [file for file in files if token.encode() in file.read_bytes()] == [path]


def test_the_identity_of_the_kubelet_is_readable_by_root_alone(host):
    for path in ("/etc/kubernetes/kubelet.conf", "/var/lib/kubelet/pki/kubelet-client-current.pem"):
        assert host.file(path).mode == 0o600


def test_a_node_joins_no_second_time(host):
    output = host.run("kubeadm join --config /dev/null")
    assert output.rc == 1


def test_a_restart_of_the_kubelet_leaves_the_node_as_it_is(host, scenario):
    before = node(scenario)
    host.check_output("systemctl restart kubelet")
    assert host.service("kubelet").is_running
    after = node(scenario)
    assert (after["metadata"]["uid"], after["spec"]) == (before["metadata"]["uid"], before["spec"])
