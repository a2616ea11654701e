from dataclasses import replace

import polars as pl
import pytest

from rackwright.collect import collector
from rackwright.collect.plan import plan_requests
from tests.build import site_design

NAMES = ("bmc", "clock", "fabric", "host", "nvml", "packages", "scheduler", "services")
LIBRARY = {name: collector.library()[name] for name in NAMES}


@pytest.fixture(scope="module")
def requests():
    return plan_requests(site_design(), ["train-001", "train-002", "slurm-01", "ufm-01"], LIBRARY)


def ids(requests, node):
    return {ask.id for ask in requests.asks[node]}


def test_every_machine_is_asked_what_its_role_owes(requests):
    assert ids(requests, "train-001") == {"clock", "host", "nvml", "packages", "services"}
    assert ids(requests, "slurm-01") == {"clock", "host", "packages", "scheduler", "services"}
    assert ids(requests, "ufm-01") == {"clock", "host", "services", "fabric:compute", "fabric:storage"}


def test_what_is_owed_covers_records_that_others_are_asked_for(requests):
    assert set(requests.owed["train-001"]) == {
        "bmc",
        "clock",
        "fabric",
        "host",
        "nvml",
        "packages",
        "scheduler",
        "services",
    }
    assert set(requests.owed["slurm-01"]) == {"bmc", "clock", "host", "packages", "services"}


def test_addresses_and_adapters_come_from_the_design(requests):
    assert requests.hosts["slurm-01"] == site_design().node("slurm-01").inband_address
    assert requests.bmcs["train-002"] == site_design().node("train-002").bmc_address
    assert requests.adapters["train-001"]["mlx5_0"] == "compute"
    assert requests.adapters["train-001"]["mlx5_1"] == "storage"
    assert "enp41s0f1np1" not in requests.adapters["train-001"]


def test_subnet_manager_and_scheduler_are_asked_even_when_they_are_not_chosen():
    requests = plan_requests(site_design(), ["train-003"], LIBRARY)
    assert ids(requests, "ufm-01") == {"fabric:compute", "fabric:storage"}
    assert ids(requests, "slurm-01") == {"scheduler"}
    assert list(requests.owed) == ["train-003"]
    assert list(requests.bmcs) == ["train-003"]


def test_without_accelerator_nodes_nobody_is_asked_for_the_site():
    requests = plan_requests(site_design(), ["slurm-01"], LIBRARY)
    assert ids(requests, "slurm-01") == {"clock", "host", "packages", "services"}
    assert "ufm-01" not in requests.asks


def test_a_node_that_the_design_does_not_have_is_an_error():
    with pytest.raises(KeyError, match="train-999"):
        plan_requests(site_design(), ["train-999"], LIBRARY)


def commands(requests, identity):
    return {node: ask.command for node, asks in requests.asks.items() for ask in asks if ask.id == identity}


def test_a_subnet_is_read_through_the_subnet_managers_own_adapter(requests):
    assert commands(requests, "fabric:compute") == {"ufm-01": ("ibnetdiscover", "-C", "mlx5_0")}


def test_a_subnet_without_a_subnet_manager_of_ours_is_read_by_two_of_its_nodes():
    design = site_design()
    unplugged = pl.col("device").is_in([node.name for node in design.nodes("ufm")]) & (pl.col("fabric") == "storage")
    blind = replace(design, ports=design.ports.filter(~unplugged))
    requests = plan_requests(blind, ["train-001", "train-002", "train-003", "ufm-01"], LIBRARY)
    assert commands(requests, "fabric:storage") == dict.fromkeys(
        ("train-001", "train-002"), ("ibnetdiscover", "-C", "mlx5_1")
    )


def test_a_command_names_its_node_and_only_nodes_of_its_scheduler_owe_it():
    entry = replace(collector.library()["kubelet"], schedulers=("slurm",))
    requests = plan_requests(site_design(), ["train-002"], {"kubelet": entry})
    [ask] = requests.asks["train-002"]
    assert ask.command[ask.command.index("node") + 1] == "train-002"
    elsewhere = plan_requests(site_design(), ["train-002"], {"kubelet": collector.library()["kubelet"]})
    assert not elsewhere.asks
    assert elsewhere.owed["train-002"] == ()
