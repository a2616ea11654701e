import pytest
import yaml

from tests.unit.roles.conftest import SYSTEMS

ASKED = {
    "kubernetes_node_version": "1.34.2",
    "kubernetes_node_containerd": "2.1.5",
    "kubernetes_node_endpoint": "10.0.0.10:6443",
    "kubernetes_node_ca_sha256": "a" * 64,
    "kubernetes_node_name": "train-001",
    "kubernetes_node_address": "10.0.1.1",
}
DROP_IN = "/etc/kubernetes/kubelet.conf.d/90-rackwright.conf"


@pytest.mark.parametrize("os", SYSTEMS)
def test_packages_and_the_place_of_arguments_follow_the_system(declared, os):
    role = declared("kubernetes_node", os=os, **ASKED)
    pinned = {name: version for name, version in role.packages.items() if version}
    assert pinned == dict.fromkeys(("kubelet", "kubeadm", "kubectl"), "1.34.2-*")
    arguments = "/etc/sysconfig/kubelet" if SYSTEMS[os]["family"] == "redhat" else "/etc/default/kubelet"
    assert "KUBELET_EXTRA_ARGS=--config-dir=/etc/kubernetes/kubelet.conf.d" in role.files[arguments]
    assert arguments in role.units["kubelet"]["restart_on"]


def test_the_kubelet_gets_what_an_accelerator_node_needs(declared):
    mine = yaml.safe_load(declared("kubernetes_node", **ASKED).files[DROP_IN])
    assert mine["cgroupDriver"] == "systemd"
    assert mine["cpuManagerPolicy"] == "static"
    assert mine["topologyManagerPolicy"] == "restricted"
    assert mine["systemReserved"]["cpu"]


def test_fields_of_the_kubelet_can_be_given(declared):
    more = {"maxPods": 64, "cpuManagerPolicy": "none"}
    mine = yaml.safe_load(declared("kubernetes_node", **ASKED, kubernetes_node_kubelet=more).files[DROP_IN])
    assert (mine["maxPods"], mine["cpuManagerPolicy"], mine["failSwapOn"]) == (64, "none", True)


def test_swap_is_switched_off_and_stays_off_where_the_kernel_is_the_nodes_own(declared):
    role = declared("kubernetes_node", **ASKED)
    assert role.units["swap.target"]["masked"] is True
    assert role.commands["Switch swap off"] == ["swapoff", "--all"]
    shared = declared("kubernetes_node", facts={"container": True}, **ASKED)
    assert "swap.target" not in shared.units
    assert "Switch swap off" not in shared.commands


def test_the_kubelet_starts_after_the_node_has_joined(declared):
    role = declared("kubernetes_node", **ASKED)
    assert "kubelet" not in [unit["name"] for unit in role.part("run").get("units", [])]
    assert [unit["name"] for unit in role.part("join")["units"]] == ["kubelet"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kubernetes_node_version": "1.34"}, "must be exact"),
        ({"kubernetes_node_version": "1.30.4"}, "from 1.31 on (found 1.30.4)"),
        ({"kubernetes_node_endpoint": "https://10.0.0.10"}, "an address and a port"),
        ({"kubernetes_node_ca_sha256": "abc"}, "64 hexadecimal digits (found abc)"),
        ({"kubernetes_node_kubelet": {"cgroupDriver": "cgroupfs"}}, "found cgroupDriver cgroupfs"),
        ({"kubernetes_node_reserved": {"memory": "32Gi"}}, "static CPU manager"),
    ],
)
def test_what_cannot_work_is_refused(declared, options, message):
    assert message in declared("kubernetes_node", **{**ASKED, **options}).refused


def test_a_sound_node_is_accepted_with_either_way_to_write_the_hash(declared):
    assert declared("kubernetes_node", **ASKED).refused == ""
    assert declared("kubernetes_node", **{**ASKED, "kubernetes_node_ca_sha256": f"sha256:{'a' * 64}"}).refused == ""


def test_no_file_of_the_role_holds_the_token(declared, tmp_path):
    token = tmp_path / "kubeadm.token"
    token.write_text("abcdef.0123456789abcdef\n")
    role = declared("kubernetes_node", **ASKED, kubernetes_node_token_file=str(token))
    assert "0123456789abcdef" not in str(role.sections)
