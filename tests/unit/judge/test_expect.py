"""The cable plan turned round once, as checks of the network read it."""

import polars as pl
import yaml

from rackwright import catalog, design, spec
from rackwright.judge.expect import _switch_ports, cabling
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
    data = yaml.safe_load(build.EXAMPLE.read_text())
    data["fabrics"][0]["partition_key"] = 0x12
    site = spec.load(build.EXAMPLE).site.model_validate(data)
    plan = cabling(design.expand(site, catalog.load()))
    assert plan.wiring.partitions == {("compute", "train"): 0x12}


def test_a_link_knows_its_cable() -> None:
    [link] = [link for link in cabling(build.site_design()).links["train-001"] if link.port == "mlx5_5"]
    assert link.sku == "mma4z00"
    assert link.meters > 0
    assert link == next(link for link in build.site_design().links("train-001") if link.port == "mlx5_5")


def test_a_switch_port_is_planned_once() -> None:
    cable = {"cable": "a", "fabric": "compute", "kind": "leaf_spine", "gbps": 400, "a_device": "leaf", "a_number": 1}
    second_cable = {**cable, "cable": "b", "b_device": "spine", "b_number": 2}
    rows = _switch_ports(pl.DataFrame([{**cable, "b_device": "spine", "b_number": 1}, second_cable]))
    ports = sorted(rows.select("switch", "number", "cable").iter_rows())
    assert ports == [("leaf", 1, "b"), ("spine", 1, "a"), ("spine", 2, "b")]
