"""A site that grows: what stands is written down, included, and compared with the larger design."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rackwright import catalog, design, export, spec
from rackwright.base import yaml_text
from rackwright.design.rules import run_rules
from rackwright.design.rules.structure import existing as rule
from rackwright.export import ExportRequest
from rackwright.model.design import Design
from rackwright.model.existing import Existing
from rackwright.model.site import Site
from rackwright.spec.crosscheck import existing, existing_parts, facility
from tests import build
from tests.examples import examples

CATALOG = catalog.load()
SITES = Path(__file__).parents[2] / "sites" / "users"
FIRST = 24
"""Nodes of the first stage, of a scalable unit of 32."""


def site_data(count: int, standing: dict[str, Any] | None = None) -> dict[str, Any]:
    data: dict[str, Any] = yaml_text.load(build.EXAMPLE.read_text())
    data["pools"][0]["count"] = count
    return data | {"existing": standing or {}}


def expanded(data: dict[str, Any]) -> Design:
    return design.expand(Site.model_validate(data), CATALOG)


@pytest.fixture(scope="module")
def standing() -> dict[str, Any]:
    return recorded(expanded(site_data(FIRST)))


def outcomes(of: Design) -> dict[str, tuple[str, str]]:
    verdicts = [verdict for verdict in run_rules(of, ("structure",)) if verdict.check == "design.existing"]
    return {verdict.target: (str(verdict.outcome.value), verdict.observed) for verdict in verdicts}


def test_growing_within_a_unit_moves_nothing(standing: dict[str, Any]) -> None:
    assert outcomes(expanded(site_data(31, standing))) == {
        "racks": ("pass", "0 of 8 would change"),
        "devices": ("pass", "0 of 45 would change"),
        "addresses": ("pass", "0 of 96 would change"),
        "cables": ("pass", "0 of 643 would change"),
    }


def test_a_second_unit_moves_no_device_and_no_address_and_few_cables(standing: dict[str, Any]) -> None:
    verdicts = {
        verdict.target: verdict
        for verdict in run_rules(expanded(site_data(33, standing)), ("structure",))
        if verdict.check == "design.existing"
    }
    assert {target: verdict.outcome.value for target, verdict in verdicts.items()} == {
        "racks": "pass", "devices": "pass", "addresses": "pass", "cables": "fail",
    }  # fmt: skip
    says = verdicts["cables"].says
    # half of 8 x 32 uplinks of compute, the links of two pairs of leaves that get spines, and four of subnet managers in ports of train-032
    assert verdicts["cables"].observed == f"{128 + 25 + 17 + 4} of 643 would change"
    assert "ufm-01:mlx5_0 to compute-leaf-01:32 is plugged, and ufm-01:mlx5_0 would go to compute-leaf-09:32" in says
    assert "compute from 4 to 8 spines, storage from 0 to 2 spines" in says


TABLES = ("racks", "devices", "cables", "addresses", "ports", "circuits", "psus", "node_table")


def plain(data: dict[str, Any]) -> Design:
    """The tables of the site alone."""
    return design.expand(Site.model_validate(data), CATALOG, ())


def recorded(of: Design) -> dict[str, Any]:
    parts = [yaml_text.load(file.text()) for file in export.export(of, "existing", ExportRequest())]
    return parts[0]["existing"] | parts[1]["existing"]


def moved(of: Design) -> list[str]:
    """What would change, cables aside."""
    return [*rule._racks(of), *rule._devices(of), *rule._addresses(of, list(of.site.existing.addresses))]


def slots_taken_twice(of: Design) -> int:
    rows = of.devices.select("rack", "unit", "rack_units").iter_rows()
    units = [(rack, at) for rack, unit, height in rows for at in range(unit, unit + height)]
    return len(units) - len(set(units))


def ends_twice(of: Design) -> int:
    ends = [*of.cables.select("a_device", "a_port").rows(), *of.cables.select("b_device", "b_port").rows()]
    return len(ends) - len(set(ends))


@given(st.integers(1, 40), st.integers(0, 23), st.sampled_from([2, 4]))
@examples(8, dear=True)
def test_growth_keeps_every_slot_and_address(first: int, more: int, per_rack: int) -> None:
    def sized(count: int, standing: dict[str, Any], servers_per_rack: int = 4) -> Design:
        data = site_data(count, standing)
        data["pools"][0] |= {"scalable_unit": 16, "servers_per_rack": servers_per_rack}
        data["facility"]["halls"][0]["rows"] = 8
        return plain(data)

    before = sized(first, {})
    standing = recorded(before)
    same = sized(first, standing)
    assert [name for name in TABLES if not getattr(same, name).equals(getattr(before, name))] == []
    grown = sized(first + more, standing, per_rack)
    assert moved(grown) == []
    assert [cable for cable in rule._cables(grown) if cable.startswith("train-")] == []
    assert ends_twice(grown) == 0
    assert slots_taken_twice(grown) == 0
    assert grown.addresses["address"].is_unique().all()
    assert moved(sized(first + more + 9, recorded(grown))) == []


def test_a_pool_in_front_of_another_grows_around_it() -> None:
    loaded = spec.load(SITES / "h100-beside-l40s.yaml")
    before = design.expand(loaded.site, loaded.catalog, ())
    site = loaded.site.model_copy(update={"existing": Existing.model_validate(recorded(before))})
    pools = [site.pools[0].model_copy(update={"count": 40}), site.pools[1]]
    grown = design.expand(site.model_copy(update={"pools": pools}), loaded.catalog, ())
    assert moved(grown) == []
    assert grown.addresses["address"].is_unique().all()
    without = design.expand(loaded.site.model_copy(update={"pools": pools}), loaded.catalog, ())
    assert without.node("serve-001").inband_address != before.node("serve-001").inband_address


def test_links_that_come_with_a_rack_are_not_listed() -> None:
    loaded = spec.load(SITES / "nvl72.yaml")
    of = design.expand(loaded.site, loaded.catalog, ())
    inside = of.cables.filter(kind="nvlink").height
    assert inside
    assert len(recorded(of)["cables"]) == of.cables.height - inside


def test_one_management_switch_for_the_site_stays_one_group() -> None:
    loaded = spec.load(SITES / "amps-32-700-kg.yaml")
    before = design.expand(loaded.site, loaded.catalog, ())
    pools = [loaded.site.pools[0].model_copy(update={"count": 32})]
    existing_site = {"existing": Existing.model_validate(recorded(before)), "pools": pools}
    grown = design.expand(loaded.site.model_copy(update=existing_site), loaded.catalog, ())
    assert [cable for cable in rule._cables(grown) if cable.startswith("train-")] == []
    switches = grown.devices.filter(role="management")["device"]
    assert sorted(switches) == ["oob-site-switch-01", "oob-site-switch-02"]


def test_a_cable_on_another_port_of_its_leaf_stays_there(standing: dict[str, Any]) -> None:
    cables = [
        cable | ({"b": "compute-leaf-01:2"} if cable["a"] == "train-001:mlx5_0" else {})
        for cable in standing["cables"]
        if cable["a"] != "train-002:mlx5_0"
    ]
    wired = plain(site_data(FIRST, standing | {"cables": cables}))
    ends = dict(wired.cables.select("cable", "b_port").filter(wired.cables["b_device"] == "compute-leaf-01").rows())
    assert (ends["train-001:mlx5_0"], ends["train-002:mlx5_0"]) == ("2", "1")
    assert [*rule._cables(wired)] == []
    assert ends_twice(wired) == 0


def test_what_is_gone_keeps_its_slot_and_address(standing: dict[str, Any]) -> None:
    assert "train-024 is no device of the design" in moved(plain(site_data(FIRST - 1, standing)))
    others = [device for device in standing["devices"] if device["device"] != "train-024"]
    (gone,) = [device for device in standing["devices"] if device["device"] == "train-024"]
    replaced = plain(site_data(FIRST, standing | {"devices": [*others, gone | {"device": "loan-001"}]}))
    node = replaced.node("train-024")
    assert (node.rack, node.unit) != (gone["rack"], gone["unit"])
    assert not set(gone["addresses"]) & set(replaced.addresses["address"])
    assert slots_taken_twice(replaced) == 0


def test_a_rack_keeps_its_place_and_that_of_a_rack_that_is_no_longer_planned_stays_empty(
    standing: dict[str, Any],
) -> None:
    gone = {"rack": "store-r01", "hall": "hall-1", "row": 1, "position": 1}
    first = {"rack": "train-r01", "hall": "hall-1", "row": 2, "position": 3}
    grown = expanded(site_data(FIRST, {"racks": [gone, first]}))
    places = {rack: place for rack, *place in grown.racks.select("rack", "hall", "row", "position").iter_rows()}
    assert places["train-r01"] == ["hall-1", 2, 3]
    assert ["hall-1", 1, 1] not in places.values()
    assert outcomes(grown) == {"racks": ("fail", "1 of 2 would change")}


def test_what_is_not_there_at_all_is_named() -> None:
    listed = {
        "devices": [
            {"device": "train-001", "sku": "dgx-a100", "rack": "train-r01", "unit": 1, "addresses": ["10.9.9.9"]}
        ],
        "cables": [{"a": "train-001:mlx5_99", "b": "compute-leaf-01:1"}],
    }
    says = [
        v.says for v in run_rules(expanded(site_data(FIRST, listed)), ("structure",)) if v.check == "design.existing"
    ]
    assert "train-001 is a dgx-a100 in train-r01 U1, and would be a dgx-h100 in train-r01 U1" in says[0]
    assert "10.9.9.9 is an address of train-001, and would be nobody's" in says[1]
    assert "train-001:mlx5_99 would have none" in says[2]


@pytest.mark.parametrize(
    ("listed", "paths"),
    [
        ({"devices": [("a", "a-r01", 47, [])]}, ["existing.devices[0].unit"]),
        ({"devices": [("a", "a-r01", 1, ["192.0.2.1"])]}, ["existing.devices[0].addresses[0]"]),
        ({"devices": [("a", "a-r01", 1, ["host-7"])]}, ["existing.devices[0].addresses[0]"]),
        ({"devices": [("a", "a-r01", 1, ["10.64.4.40"])], "plant": [("b-pdu", "10.64.4.40")]}, ["existing.plant[0]"]),
        ({"devices": [("a", "a-r01", 1, [])], "cables": [("a:mlx5_99", "b:1")]}, ["existing.cables[0].a"]),
        ({"racks": [("a-r01", 1, 1), ("b-r01", 1, 1)]}, ["existing.racks[1]"]),
        ({"racks": [("a-r01", 9, 1)]}, ["existing.racks[0].row"]),
        ({"devices": [("a", "a-r01", 1, []), ("b", "a-r01", 8, [])]}, ["existing.devices[1]"]),
        ({"devices": [("a", "a-r01", 1, ["10.64.4.40"]), ("b", "a-r01", 20, ["10.64.4.40"])]}, ["existing.devices[1]"]),
        ({"devices": [("a", "a-r01", 1, []), ("a", "a-r01", 20, [])]}, ["existing.devices[1]"]),
        ({"cables": [("a:1", "b:1"), ("c:1", "b:1")]}, ["existing.cables[1]"]),
    ],
)  # fmt: skip
def test_entries_that_overlap_are_refused(listed: dict[str, Any], paths: list[str]) -> None:
    kinds = {
        "racks": ("rack", "row", "position"),
        "devices": ("device", "rack", "unit", "addresses"),
        "plant": ("device", "address"),
        "cables": ("a", "b"),
    }
    constant = {"racks": {"hall": "hall-1"}, "devices": {"sku": "dgx-h100"}, "plant": {}, "cables": {}}
    entries = {
        kind: [dict(zip(kinds[kind], values, strict=True)) | constant[kind] for values in rows]
        for kind, rows in listed.items()
    }
    site = Site.model_validate(site_data(FIRST, entries))
    problems = [
        *existing.check(site, CATALOG), *existing_parts.check(site, CATALOG), *facility.places(site, CATALOG)
    ]  # fmt: skip
    assert [problem.path for problem in problems] == paths


def test_a_part_that_the_catalog_lacks_is_named_once() -> None:
    devices = [{"device": f"a-{i}", "sku": "dgx-h10", "rack": "a-r01", "unit": i} for i in (1, 2)]
    problems = [*existing_parts.check(Site.model_validate(site_data(FIRST, {"devices": devices})), CATALOG)]
    assert [(problem.path, problem.found) for problem in problems] == [("existing.devices[0].sku", "dgx-h10")]
    assert "dgx-h100" in problems[0].next_step
