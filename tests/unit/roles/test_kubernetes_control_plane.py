"""What the role of control servers declares, and what it refuses."""

import subprocess

import pytest
import yaml

SERVERS = [{"name": f"kubernetes-00{number}", "address": f"10.0.1.{number}"} for number in (1, 2, 3)]
ASKED = {
    "kubernetes_control_plane_version": "1.34.2",
    "kubernetes_control_plane_containerd": "2.1.5",
    "kubernetes_control_plane_endpoint": "10.0.0.10:6443",
    "kubernetes_control_plane_endpoint_by": "keepalived",
    "kubernetes_control_plane_servers": SERVERS,
    "kubernetes_control_plane_pods": "10.244.0.0/16",
    "kubernetes_control_plane_services": "10.96.0.0/16",
    "kubernetes_control_plane_name": "kubernetes-002",
    "kubernetes_control_plane_address": "10.0.1.2",
}
HOST = {"addresses": {"10.0.1.2": "bond0"}, "kubernetes_server": ""}
ROLE = "kubernetes_control_plane"


def test_every_server_has_one_configuration_of_the_cluster_and_its_own_address(declared):
    role = declared(ROLE, facts=HOST, **ASKED)
    assert role.refused == ""
    init, cluster, kubelet = yaml.safe_load_all(role.files["/etc/kubernetes/rackwright/kubeadm.yaml"])
    assert init["localAPIEndpoint"] == {"advertiseAddress": "10.0.1.2", "bindPort": 6443}
    assert cluster["controlPlaneEndpoint"] == "10.0.0.10:6443"
    assert {"10.0.0.10", "10.0.1.1", "10.0.1.3", "kubernetes-003"} <= set(cluster["apiServer"]["certSANs"])
    assert kubelet["cgroupDriver"] == "systemd"
    elsewhere = declared(ROLE, facts=HOST, **ASKED, kubernetes_control_plane_etcd=["10.0.2.1:2379"])
    external = list(yaml.safe_load_all(elsewhere.files["/etc/kubernetes/rackwright/kubeadm.yaml"]))[1]["etcd"]
    assert external["external"]["endpoints"] == ["https://10.0.2.1:2379"]
    assert "/usr/local/sbin/rackwright-etcd-restore" not in elsewhere.files


def test_keepalived_keeps_the_address_and_prefers_the_first_server(declared):
    role = declared(ROLE, facts=HOST, **ASKED)
    text = role.files["/etc/keepalived/keepalived.conf"]
    assert "interface bond0" in text
    assert "priority 149" in text
    assert "10.0.1.1" in text.partition("unicast_peer")[2]
    assert "10.0.1.2" not in text.partition("unicast_peer")[2]
    assert "keepalived" in role.packages
    balanced = declared(ROLE, facts=HOST, **{**ASKED, "kubernetes_control_plane_endpoint_by": "load-balancer"})
    assert "keepalived" not in balanced.packages
    assert "/etc/keepalived/keepalived.conf" not in balanced.files


def test_a_kubelet_waits_for_its_api_server(declared):
    up = {**ASKED, "kubernetes_control_plane_version": "1.35.1"}
    role = declared(ROLE, facts={**HOST, "kubernetes_server": "1.34.2"}, **up)
    assert (role.packages["kubeadm"], role.packages["kubelet"]) == ("1.35.1-*", "1.34.2-*")
    after = declared(ROLE, facts={**HOST, "kubernetes_server": "1.35.1"}, **up)
    assert after.packages["kubelet"] == "1.35.1-*"


def test_no_file_of_the_role_holds_a_key(declared):
    texts = "\n".join(declared(ROLE, facts=HOST, **ASKED).files.values())
    assert "secretbox" not in texts
    assert "certificateKey" not in texts


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kubernetes_control_plane_version": "1.34"}, "must be exact"),
        ({"kubernetes_control_plane_version": "1.30.4"}, "from 1.31 on (found 1.30.4)"),
        ({"kubernetes_control_plane_endpoint": "https://10.0.0.10"}, "an address and a port"),
        ({"kubernetes_control_plane_endpoint_by": ""}, "3 servers share one address"),
        ({"kubernetes_control_plane_servers": SERVERS[:2]}, "2 members of etcd"),
        ({"kubernetes_control_plane_name": "other"}, "other is not among kubernetes_control_plane_servers"),
    ],
)
def test_what_cannot_work_is_refused(declared, options, message):
    assert message in declared(ROLE, facts=HOST, **{**ASKED, **options}).refused


def test_a_ca_that_ends_soon_is_named_and_one_of_kubeadm_is_not(declared, tmp_path):
    script = declared(ROLE, facts=HOST, **ASKED).files["/usr/local/libexec/rackwright/ca-days"]
    (tmp_path / "etcd").mkdir()
    for name, days in (("ca", "3650"), ("etcd/ca", "100")):
        make = (
            "openssl req -new -x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:P-256 -subj /CN=ca -keyout /dev/null"
        )
        subprocess.run(
            [*make.split(), "-days", days, "-out", tmp_path / f"{name}.crt"], check=True, capture_output=True
        )
    text = script.replace("/etc/kubernetes/pki", str(tmp_path))
    lines = subprocess.run(["sh", "-c", text], check=True, capture_output=True, text=True).stdout.splitlines()
    assert [line.rpartition("/")[2].partition(": ")[0] for line in lines] == ["ca.crt", "ca.crt"]
    assert [line.rpartition(", ")[2] for line in lines] == ["enough", "too few"]
