import stat
from dataclasses import replace

import pytest

from rackwright import onboard
from rackwright.base.errors import ProblemsError
from rackwright.model.control import AddOn, Kubernetes
from rackwright.onboard import facts, kubeadm
from rackwright.twin.kubernetes.ca import ClusterAuthority

SITE = Kubernetes(endpoint="10.0.0.10:6443", ca_sha256="a" * 64)
GIVEN = {"RACKWRIGHT_KUBEADM_TOKEN": "abcdef.0123456789abcdef\n"}


def test_a_token_of_the_environment_becomes_a_file_of_its_owner_alone(workspace):
    path = kubeadm.kubeadm_files(SITE, workspace, GIVEN)["kubeadm_token"]
    assert path.read_text() == "abcdef.0123456789abcdef\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.parent == workspace.folder("secrets")


def test_the_name_of_the_variable_is_the_sites(workspace):
    second = SITE.model_copy(update={"token_env": "OTHER"})
    assert kubeadm.kubeadm_files(second, workspace, GIVEN) == {}
    assert "kubeadm_token" in kubeadm.kubeadm_files(second, workspace, {"OTHER": "abcdef.0123456789abcdef"})


def test_a_token_that_is_not_given_any_more_leaves_no_file(workspace):
    path = kubeadm.kubeadm_files(SITE, workspace, GIVEN)["kubeadm_token"]
    assert kubeadm.kubeadm_files(SITE, workspace, {}) == {}
    assert not path.exists()


def test_what_is_no_token_is_refused_and_not_repeated(workspace):
    with pytest.raises(ProblemsError) as refused:
        kubeadm.kubeadm_files(SITE, workspace, {"RACKWRIGHT_KUBEADM_TOKEN": "my-secret"})
    (problem,) = refused.value.problems
    assert problem.path == "RACKWRIGHT_KUBEADM_TOKEN"
    assert "my-secret" not in str(problem)


def test_an_interrupted_attempt_is_in_nobodys_way(workspace):
    (workspace.folder("secrets") / ".kubeadm.token.new").write_text("half")
    assert kubeadm.kubeadm_files(SITE, workspace, GIVEN)["kubeadm_token"].read_text().startswith("abcdef")


@pytest.fixture
def clustered(example):
    """The example site with its nodes in Kubernetes."""
    control = example.site.control.model_copy(update={"kubernetes": SITE, "slurm": None})
    pools = [pool.model_copy(update={"scheduler": "kubernetes"}) for pool in example.site.pools]
    versions = {"containerd": "2.1.5", "kubernetes": "1.34.2", "gpu_operator": "26.7.0", "dcgm_exporter": "4.8.3"}
    software = example.site.software.model_copy(update=versions)
    site = example.site.model_copy(update={"control": control, "pools": pools, "software": software})
    return replace(example, site=site)


def test_a_site_with_slurm_alone_has_no_token(example, workspace):
    assert list(onboard.secret_files(example, workspace, GIVEN)) == ["munge_key"]


def test_paths_enter_the_inventory_and_the_token_does_not(clustered, workspace, access):
    files = onboard.secret_files(clustered, workspace, GIVEN)
    result = facts.of_site()["kubernetes_token_file"](facts.Context(clustered, files))
    assert result == str(files["kubeadm_token"].absolute())
    assert facts.of_site()["kubernetes_endpoint"](facts.Context(clustered, files)) == "10.0.0.10:6443"


def test_the_ca_is_the_sites_unless_another_cluster_stands_in(clustered, tmp_path):
    pin = facts.of_site()["kubernetes_ca_sha256"]
    assert pin(facts.Context(clustered, {})) == "a" * 64
    second = ClusterAuthority(tmp_path, "127.0.0.1")
    result = pin(facts.Context(clustered, {"kubernetes_ca": second.file}))
    assert len(result) == 64
    assert result != "a" * 64


def test_what_nodes_carry_is_told_by_pool(clustered, example):
    carried = facts.of_site()["kubernetes_carried"]
    nodes = [replace(node, scheduler="kubernetes") for node in clustered.nodes("accelerator")]
    fake = type("Fake", (), {"site": clustered.site, "nodes": lambda _self, _role: nodes})()
    (pool,) = carried(facts.Context(fake, {})).values()
    assert pool["driver"] == clustered.site.software.driver
    assert pool["dcgm_exporter"] == "4.8.3"
    assert pool["doca"] == ""
    assert carried(facts.Context(example, {})) == {}


def test_the_operator_brings_no_second_device_plugin(clustered):
    brings = facts.of_site()["operator_device_plugin"]
    assert brings(facts.Context(clustered, {}))
    shared = clustered.site.control.kubernetes.model_copy(update={"addons": {"hami": AddOn(version="2.10.0")}})
    control = clustered.site.control.model_copy(update={"kubernetes": shared})
    site = clustered.site.model_copy(update={"control": control})
    assert not brings(facts.Context(replace(clustered, site=site), {}))
