"""Lanes of split ports: what an operating system shows of a server whose ports are split."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rackwright import catalog
from rackwright.catalog import Catalog
from rackwright.design import sizing
from rackwright.model import lanes
from rackwright.model.sku import Server

SERVERS = catalog.load().servers


def names(server: Server, role: str) -> list[str]:
    return [name for group in server.ports if group.role == role for name in group.names]


def test_the_kernel_counts_the_functions_of_split_adapters() -> None:
    """The adapters mlx5_0 to mlx5_3 take eight numbers, so that the storage adapter behind them is no longer mlx5_4."""
    split = lanes.split(SERVERS["dgx-b300"], {"compute": 2})
    assert names(SERVERS["dgx-b300"], "compute")[:5] == ["mlx5_0", "mlx5_1", "mlx5_2", "mlx5_3", "mlx5_6"]
    assert names(split, "compute") == [f"mlx5_{number}" for number in (*range(8), *range(10, 18))]
    assert names(split, "storage") == ["mlx5_8", "mlx5_18"]
    assert names(split, "inband") == names(SERVERS["dgx-b300"], "inband")
    compute = next(group for group in split.ports if group.role == "compute")
    assert (compute.count, compute.gbps, compute.per_rail, compute.lanes) == (16, 400, 2, 2)


@given(sku=st.sampled_from(sorted(SERVERS)), compute=st.sampled_from([1, 2, 4]), storage=st.sampled_from([1, 2]))
def test_lanes_keep_the_bandwidth_and_have_names_of_their_own(sku: str, compute: int, storage: int) -> None:
    bought = SERVERS[sku]
    split = lanes.split(bought, {"compute": compute, "storage": storage})
    every = [name for group in split.ports for name in group.names]
    assert len(set(every)) == len(every)
    for before, after in zip(bought.ports, split.ports, strict=True):
        into = {"compute": compute, "storage": storage}.get(before.role, 1)
        assert len(after.names) == after.count == before.count * into
        assert after.gbps * into <= before.gbps < (after.gbps + 1) * into
        assert after.count // after.per_rail == before.count // before.per_rail


def test_whole_ports_are_shown_as_they_are() -> None:
    assert all(lanes.split(server, {"compute": 1}) is server for server in SERVERS.values())


@pytest.fixture(scope="module")
def parts() -> Catalog:
    return catalog.load()


def test_nodes_of_a_design_have_the_lanes_and_its_skus_whole_ports(parts: Catalog) -> None:
    design = sizing.size_site(sizing.SizeRequest(16, "dgx-b300", "roce-dual-plane"), parts).design
    node = design.nodes("accelerator")[0]
    assert names(design.servers["dgx-b300"], "compute")[-1] == "mlx5_9"
    cabled = {link.port: link.remote_device for link in design.links(node.name) if link.fabric == "compute"}
    assert list(cabled) == names(node.server, "compute")
    planes = [cabled[name].split("-leaf")[0] for name in names(node.server, "compute")]
    assert planes == ["compute-p1", "compute-p2"] * 8, "the lanes of a port lead to different planes"


def test_only_adapters_that_are_known_to_split_are_split(parts: Catalog) -> None:
    able = {sku: parts.servers[sku].ports[0] for sku in ("dgx-b300", "mi355x-dlc-4u", "dgx-h100", "gaudi3-8u")}
    assert [parts.splits(group, 2) for group in able.values()] == [True, True, False, False]
    assert all(parts.splits(group, 1) for group in able.values())
    assert not parts.splits(able["dgx-b300"], 3)
