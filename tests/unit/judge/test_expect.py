"""The cable plan turned round once, as checks of the network read it."""

from dataclasses import replace

import polars as pl
import pytest

from rackwright import catalog, design, spec
from rackwright.base import yaml_text
from rackwright.judge.expect import _switch_ports, cabling, expect
from tests import build


def test_a_cable_between_switches_is_known_from_both_ends() -> None:
    plan = cabling(build.site_design())
    rows = plan.wiring.switch_ports.filter(pl.col("far_switch").is_not_null())
    far = {(row["switch"], row["number"]): (row["far_switch"], row["far_number"]) for row in rows.to_dicts()}
    [first] = rows.filter((pl.col("switch") == "compute-leaf-01") & (pl.col("number") == 33)).to_dicts()
    assert (first["cable"], first["gbps"]) == ("compute-leaf-01:33", 400)
    assert far["compute-leaf-01", 33] == ("compute-spine-01", 1)
    assert all(far[near] == end for end, near in far.items())
    assert len(far) == 2 * (256 + 25)
    assert not set(far) & set(plan.owners)


def test_a_cable_to_a_machine_is_known_from_its_switch() -> None:
    plan = cabling(build.site_design())
    rows = plan.wiring.switch_ports.filter(pl.col("far_switch").is_null())
    assert set(rows.select("switch", "number").iter_rows()) == set(plan.owners)


def test_ethernet_ports_have_owners_by_name() -> None:
    plugs = cabling(build.site_design()).wiring.plugs
    assert plugs["inband-leaf-01", "swp1"] == ("train-001", "enp41s0f1np1")
    assert plugs["oob-switch-01", "swp1"] == ("train-001", "bmc")
    assert not any(switch.startswith(("compute", "storage")) for switch, _ in plugs)


def test_machines_for_subnet_managers_are_known_by_fabric() -> None:
    assert cabling(build.site_design()).wiring.managers == {
        "compute": ("ufm-01", "ufm-02"),
        "storage": ("ufm-01", "ufm-02"),
    }


def test_declared_partitions_are_those_of_fabric_and_pool() -> None:
    assert cabling(build.site_design()).wiring.partitions == {}
    data = yaml_text.load(build.EXAMPLE.read_text())
    data["fabrics"][0]["partition_key"] = 0x12
    site = spec.load(build.EXAMPLE).site.model_validate(data)
    plan = cabling(design.expand(site, catalog.load()))
    assert plan.wiring.partitions == {("compute", "train"): 0x12}


def test_a_link_knows_its_cable() -> None:
    [link] = [link for link in cabling(build.site_design()).links["train-001"] if link.port == "mlx5_5"]
    assert link.sku == "mma4z00-flt"
    assert link.meters > 0
    assert link == next(link for link in build.site_design().links("train-001") if link.port == "mlx5_5")


def test_a_switch_port_is_planned_once() -> None:
    cable = {"cable": "a", "fabric": "compute", "kind": "leaf_spine", "gbps": 400, "a_device": "leaf", "a_number": 1}
    second_cable = {**cable, "cable": "b", "b_device": "spine", "b_number": 2}
    rows = _switch_ports(pl.DataFrame([{**cable, "b_device": "spine", "b_number": 1}, second_cable]))
    ports = sorted(rows.select("switch", "number", "cable").iter_rows())
    assert ports == [("leaf", 1, "b"), ("spine", 1, "a"), ("spine", 2, "b")]


def test_an_expectation_holds_what_the_design_promises_of_its_node() -> None:
    plan, limits, fleet = build.site_design(), build.limit_table(), build.limit_table()
    dates = {"train-002": "2026-11-20T23:00:00+00:00"}
    names = ["slurm-01", "train-002", "train-001"]
    first, second, head = expect(plan, dates, limits, names, fleet, must=["slurm-01"])
    assert [expectation.node.name for expectation in (first, second, head)] == ["train-001", "train-002", "slurm-01"]
    assert (str(second.as_of), first.as_of) == ("2026-11-20", head.as_of)
    assert second.limits is limits
    assert second.baselines is fleet
    assert second.storage == tuple(plan.site.storage)
    assert second.software == plan.site.software.bill("train")
    assert second.software is first.software
    assert second.places == {"rack": "train-r01", "row": "hall-1 1", "cooling loop": "hall-1-air"}
    assert second.owners["compute-leaf-01", 2] == ("train-002", "mlx5_0")
    assert second.wiring is first.wiring
    assert second.wiring.transports == {fabric.name: fabric.transport for fabric in plan.site.fabrics}
    assert second.wiring.switches == {switch for switch, _ in second.owners}
    assert second.wiring.parts == plan.cable_parts
    assert head.owners is first.owners
    assert [link.port for link in head.links] == ["ens1f0np0", "ens1f1np1", "bmc"]


def test_nodes_that_must_be_in_the_design_are_named_in_order() -> None:
    plan, limits = build.site_design(), build.limit_table()
    assert expect(plan, {}, limits, ["train-999"]) == []
    with pytest.raises(KeyError, match="x1, x2"):
        expect(plan, {}, limits, ["x2", "train-001"], must=["x2", "train-001", "x1"])


def test_switch_ports_are_those_of_infiniband_fabrics() -> None:
    cable = {
        "cable": "a",
        "fabric": "compute",
        "gbps": 400,
        "a_device": "n",
        "a_number": 1,
        "b_device": "leaf",
        "b_number": 7,
    }
    trunk = {**cable, "cable": "b", "a_device": "leaf", "a_number": 33, "b_device": "spine", "b_number": 4, "gbps": 800}
    rows = _switch_ports(pl.DataFrame([{**cable, "kind": "node_leaf"}, {**trunk, "kind": "leaf_spine"}]))
    assert rows.rows() == [
        ("leaf", 7, "a", "compute", 400, None, None),
        ("leaf", 33, "b", "compute", 800, "spine", 4),
        ("spine", 4, "b", "compute", 800, "leaf", 33),
    ]


def test_links_stand_in_the_order_of_fabrics_and_ports() -> None:
    links = cabling(build.site_design()).links["train-001"]
    assert [(link.fabric, link.port) for link in links[:2]] == [("compute", "mlx5_0"), ("compute", "mlx5_3")]
    assert [link.fabric for link in links] == ["compute"] * 8 + ["inband"] * 2 + ["oob"] + ["storage"] * 2
    first = links[0]
    assert (first.cable, first.remote_device, first.remote_port, first.remote_number, first.gbps) == (
        "train-001:mlx5_0",
        "compute-leaf-01",
        "1",
        1,
        400,
    )


def test_a_cable_without_a_part_has_no_name_and_no_length() -> None:
    plan = build.site_design()
    cables = plan.cables.with_columns(
        sku=pl.lit(None, dtype=pl.String), length_meters=pl.lit(None, dtype=plan.cables["length_meters"].dtype)
    )
    [link, *_] = cabling(replace(plan, cables=cables)).links["train-001"]
    assert (link.sku, link.meters) == ("", 0.0)


def test_a_partition_of_every_pool_has_an_empty_name() -> None:
    rows = [("compute", None, 5), ("compute", "train", 6), ("storage", "train", None)]
    networks = pl.DataFrame(rows, schema=("fabric", "pool", "partition_key"), orient="row")
    plan = cabling(replace(build.site_design(), networks=networks))
    assert plan.wiring.partitions == {("compute", ""): 5, ("compute", "train"): 6}


def test_a_pool_is_not_judged_by_versions_that_its_accelerators_cannot_use():
    loaded = spec.load(build.EXAMPLE.parents[1] / "mixed-pod" / "site.yaml")
    plan = design.expand(loaded.site, loaded.catalog)
    by_node = {
        each.node.name: each.software for each in expect(plan, {}, build.limit_table(), ["train-001", "serve-001"])
    }
    assert (by_node["train-001"].driver, by_node["train-001"].amdgpu) == ("580.173.02", "")
    assert (by_node["serve-001"].driver, by_node["serve-001"].amdgpu) == ("", "30.30.2")
