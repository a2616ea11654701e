"""Facts of RDMA and of exporters, and which nodes get the roles that need them."""

from dataclasses import replace

import pytest

from rackwright.onboard import facts, plan
from rackwright.onboard.traits import traits


@pytest.fixture
def node(example):
    return example.nodes("accelerator")[0]


def test_rdma_devices_are_in_rail_order_and_network_interfaces_are_none(example, node):
    found = facts.of_node()["rdma_devices"](facts.Context(example, {}), node)
    compute = [one for one in found if one["role"] == "compute"]
    assert [one["rail"] for one in compute] == list(range(8))
    assert [one["name"] for one in compute][:2] == ["mlx5_0", "mlx5_3"]
    assert {one["role"] for one in found} == {"compute", "storage"}


def with_bill(example, **fields):
    software = example.site.software.model_copy(update=fields)
    return replace(example, site=example.site.model_copy(update={"software": software}))


def test_doca_is_for_nvidias_adapters_alone(example, node):
    asked = facts.Context(with_bill(example, doca="3.2.1"), {})
    doca = facts.of_node()["doca"]
    assert doca(asked, node) == "3.2.1"
    ports = [port.model_copy(update={"adapter": "Pollara 400"}) for port in node.server.ports]
    other = replace(node, server=node.server.model_copy(update={"ports": ports}))
    assert doca(asked, other) == ""
    assert doca(facts.Context(example, {}), node) == ""


def test_exporters_of_accelerators_are_for_nodes_that_have_them(example, node):
    asked = facts.Context(with_bill(example, dcgm_exporter="4.8.3", vendor_exporter="1.4.0"), {})
    controller = example.nodes("slurm")[0]
    found = {name: facts.of_node()[name] for name in ("dcgm_exporter", "vendor_exporter", "exporter_vendor")}
    assert [fact(asked, node) for fact in found.values()] == ["4.8.3", "", "nvidia"]
    assert [fact(asked, controller) for fact in found.values()] == ["", "", ""]


def test_a_bill_that_names_an_exporter_gives_nodes_the_role(example, node):
    bill = with_bill(example, node_exporter="1.9.1").site.software.bill(node.pool)
    assert traits(example, node, bill)["exporters"] is True
    assert traits(example, node, example.site.software.bill(node.pool))["exporters"] is False


def test_a_server_sku_does_not_decide_for_a_scheduler(example, node):
    bill = example.site.software.bill(node.pool)
    names = {role.name for role in plan.applying(example, node, bill)}
    moved = {role.name for role in plan.applying(example, replace(node, scheduler="kubernetes"), bill)}
    assert "slurm_node" in names
    assert "slurm_node" not in moved
    assert "kubernetes_node" in moved
