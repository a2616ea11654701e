import dataclasses
import json

import pytest

from rackwright import onboard


def test_groups_are_the_roles_that_say_they_are_for_a_node(inventory):
    assert inventory.groups["nvidia_driver"] == ["train-001", "train-002"]
    assert inventory.groups["slurm_node"] == ["train-001", "train-002"]
    assert inventory.groups["slurm_controller"] == ["slurm-01"]
    assert inventory.groups["base"] == ["train-001", "train-002", "slurm-01", "ufm-01"]


def test_hosts_are_reached_at_their_inband_address_with_the_rails_of_their_sku(inventory, example):
    node = example.node("train-001")
    host = inventory.hosts["train-001"]
    assert host["ansible_host"] == node.inband_address
    assert host["nccl_ib_hca"] == [name for port in node.server.ports if port.role == "compute" for name in port.names]
    assert "mlx5_1" not in host["nccl_ib_hca"]  # a storage port


def test_versions_are_those_of_the_software_bill(inventory, example):
    bill, host = example.site.software, inventory.hosts["train-001"]
    assert host["nvidia_driver_version"] == bill.driver
    assert host["nvidia_fabric_version"] == bill.fabric_manager
    assert host["dcgm_version"] == bill.dcgm
    assert host["nccl_cuda"] == host["cuda_version"] == bill.cuda
    assert inventory.variables["base_apt_mirror"] == bill.apt_mirror
    assert "nvidia_driver_version" not in inventory.hosts["slurm-01"]


def test_site_wide_files_cover_the_whole_design_whatever_nodes_are_onboarded(inventory, example):
    assert set(inventory.variables["base_hosts"]) == {node.name for node in example.nodes()}
    assert len(inventory.variables["slurm_config_sets"][0]["nodes"]) == 31


def test_an_unknown_host_key_is_refused_and_paths_with_blanks_survive(inventory, access):
    words = inventory.variables["ansible_ssh_common_args"]
    assert f"'UserKnownHostsFile={access.known_hosts}'" in words
    assert "StrictHostKeyChecking" not in words  # Ansible's own switch decides: see settings.environment


@pytest.mark.parametrize(("user", "become"), [("root", False), ("ops", True)])
def test_an_account_without_privileges_becomes_root(example, access, workspace, user, become):
    account = dataclasses.replace(access, ssh_user=user)
    variables = onboard.inventory(
        example, ["train-001"], account, {"munge_key": onboard.munge_key(workspace)}
    ).variables
    assert (variables["ansible_user"], variables["ansible_become"]) == (user, become)


def test_no_secret_enters_the_inventory(inventory, workspace):
    text = json.dumps(inventory.model_dump())
    key = onboard.munge_key(workspace).read_bytes()
    assert "bmc-password" not in text
    assert key.hex() not in text
    assert inventory.variables["slurm_config_munge_key_file"].endswith("secrets/munge.key")


def test_a_node_that_the_design_lacks_is_an_error(example, access, workspace):
    with pytest.raises(KeyError):
        onboard.inventory(example, ["train-999"], access, {"munge_key": onboard.munge_key(workspace)})
