from __future__ import annotations

import pytest

from rackwright.report import build, site


@pytest.fixture
def built(make):
    return lambda **changes: build.build_report(make(**changes), lambda _check: "")


def test_a_small_site_is_drawn_whole(built):
    report = built()
    assert [rack.rack for rack in report.racks] == ["r1", "r2", "m1"]
    assert report.racks_left_out == 0
    assert [group.name for group in report.fabrics[0].groups] == ["r1", "r2"]
    assert list(report.fabrics[0].tiers) == ["leaf", "spine"]


def test_of_a_large_site_only_what_was_covered_is_drawn(built, monkeypatch):
    monkeypatch.setattr(site, "MOST_RACKS", 2)
    report = built(nodes=("train-003",), decisions=())
    assert [rack.rack for rack in report.racks] == ["r2"]
    assert report.racks_left_out == 2


def test_of_a_large_fabric_the_covered_racks_and_the_switches_above_them_are_drawn(built, monkeypatch):
    monkeypatch.setattr(site, "MOST_NODES", 3)
    fabric = built(nodes=("train-003",), decisions=()).fabrics[0]
    assert [group.name for group in fabric.groups] == ["r2"]
    assert fabric.groups_left_out == 1
    assert {bundle.a for bundle in fabric.bundles} == {"r2", "compute-leaf-01", "compute-leaf-02"}
    assert fabric.tiers["spine"] == ["compute-spine-01"]


def test_every_planned_cable_of_a_fabric_that_is_drawn_whole_is_in_a_bundle(built, design):
    fabric = built().fabrics[0]
    assert sum(bundle.cables for bundle in fabric.bundles) == design.cables.height
