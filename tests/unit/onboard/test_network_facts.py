"""Facts of RDMA and of exporters, and which nodes get the roles that need them."""

from dataclasses import replace

import pytest

from rackwright.onboard import facts, plan
from rackwright.onboard.traits import traits


@pytest.fixture
def node(example):
    return example.nodes("accelerator")[0]


def test_rdma_devices_are_in_rail_order_and_network_interfaces_are_none(example, node):
    result = facts.of_node()["rdma_devices"](facts.Context(example, {}), node)
    compute = [entry for entry in result if entry["role"] == "compute"]
    assert [entry["rail"] for entry in compute] == list(range(8))
    assert [entry["name"] for entry in compute][:2] == ["mlx5_0", "mlx5_3"]
    assert {entry["role"] for entry in result} == {"compute", "storage"}


def with_bill(example, **fields):
    software = example.site.software.model_copy(update=fields)
    return replace(example, site=example.site.model_copy(update={"software": software}))


def test_doca_is_for_nvidias_adapters_alone(example, node):
    requested = facts.Context(with_bill(example, doca="3.2.1"), {})
    doca = facts.of_node()["doca"]
    assert doca(requested, node) == "3.2.1"
    ports = [port.model_copy(update={"adapter": "Pollara 400"}) for port in node.server.ports]
    second = replace(node, server=node.server.model_copy(update={"ports": ports}))
    assert doca(requested, second) == ""
    assert doca(facts.Context(example, {}), node) == ""


def test_exporters_of_accelerators_are_for_nodes_that_have_them(example, node):
    requested = facts.Context(with_bill(example, dcgm_exporter="4.8.3", vendor_exporter="1.4.0"), {})
    controller = example.nodes("slurm")[0]
    by_name = {name: facts.of_node()[name] for name in ("dcgm_exporter", "vendor_exporter", "exporter_vendor")}
    assert [fact(requested, node) for fact in by_name.values()] == ["4.8.3", "", "nvidia"]
    assert [fact(requested, controller) for fact in by_name.values()] == ["", "", ""]


def test_a_bill_that_names_an_exporter_gives_nodes_the_role(example, node):
    bill = with_bill(example, node_exporter="1.9.1").site.software.bill(node.pool)
    assert traits(example, node, bill)["exporters"] is True
    assert traits(example, node, example.site.software.bill(node.pool))["exporters"] is False


def test_a_server_sku_does_not_decide_for_a_scheduler(example, node):
    bill = example.site.software.bill(node.pool)
    names = {role.name for role in plan.node_roles(example, node, bill)}
    moved = {role.name for role in plan.node_roles(example, replace(node, scheduler="kubernetes"), bill)}
    assert "slurm_node" in names
    assert "slurm_node" not in moved
    assert "kubernetes_node" in moved
