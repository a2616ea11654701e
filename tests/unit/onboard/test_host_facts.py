"""Facts of hosts that kernels, drives and storage clients follow."""

from pathlib import Path

import pytest

from rackwright import catalog, design, spec
from rackwright.onboard import facts

ROOT = Path(__file__).parents[3]


def expanded(path):
    site = spec.load(path).site
    return design.expand(site, catalog.load([*site.catalog]) if site.catalog else catalog.load())


@pytest.fixture(scope="module")
def vendors():
    return expanded(ROOT / "tests" / "roles" / "sites" / "vendors.yaml")


def ask(site_design, name, node):
    nodes = {entry.name: entry for entry in site_design.nodes()}
    return facts.of_node()[name](facts.Context(site_design, {}), nodes[node])


def test_arguments_follow_vendor_and_accelerator(vendors, example):
    assert (ask(vendors, "boot_vendor", "amd-001"), ask(vendors, "boot_accelerator", "amd-001")) == ("amd", "mi300x")
    assert ask(example, "boot_vendor", "train-001") == "nvidia"
    assert ask(example, "boot_vendor", "slurm-01") == ""
    assert ask(example, "boot_rack_scale", "train-001") is False


def test_trays_of_a_rack_scale_system_say_so():
    assert ask(expanded(ROOT / "inventories" / "gb200-pod" / "site.yaml"), "boot_rack_scale", "train-001") is True


def test_instinct_wants_one_numa_node_per_socket(vendors, example):
    assert ask(vendors, "numa_nodes", "amd-001") == 2
    assert ask(example, "numa_nodes", "train-001") == 0


def test_rails_of_roce_are_interfaces_and_devices_of_infiniband_are_not(vendors, example):
    assert ask(example, "roce_interfaces", "train-001") == []
    assert all(not name.startswith("mlx5_") for name in ask(vendors, "roce_interfaces", "ascend-001"))


def test_drives_are_those_of_the_server(example):
    assert (ask(example, "local_drives", "train-001"), ask(example, "local_drive_terabytes", "train-001")) == (8, 3.84)
    assert ask(example, "local_drives", "ufm-01") == 0


def test_tiers_with_a_client_are_mounted():
    result = expanded(ROOT / "tests" / "roles" / "sites" / "kubernetes.yaml")
    mounts = facts.of_site()["storage_mounts"](facts.Context(result, {}))
    assert [mount["kind"] for mount in mounts] == ["nfs", "lustre", "beegfs", "cephfs", "weka"]
    assert mounts[1] == {
        "name": "scratch",
        "kind": "lustre",
        "source": "10.64.0.11@tcp:/scratch",
        "mount": "/scratch",
        "options": "flock",
        "version": "2.16.1",
    }


def test_a_tier_without_a_client_is_not_mounted(example):
    assert facts.of_site()["storage_mounts"](facts.Context(example, {})) == []


def test_nodes_reach_each_other_over_every_network_but_that_of_their_bmcs(example):
    networks = ask(example, "networks", "train-001")
    by_role = {fabric.role: str(fabric.subnet) for fabric in example.site.fabrics if fabric.subnet}
    assert by_role["inband"] in networks
    assert by_role["bmc"] not in networks
    mixed = expanded(ROOT / "inventories" / "mixed-pod" / "site.yaml")
    cluster = mixed.site.control.kubernetes.network
    pods = {str(cluster.pods), str(cluster.services)}
    assert pods <= {*ask(mixed, "networks", "serve-001")}, "pods of other nodes are let in as well"
    assert not pods & {*ask(mixed, "networks", "train-001")}
