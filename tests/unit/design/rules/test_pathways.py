"""Trays, bends and pulls: how full, how tight, how hard."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import get_args

import polars as pl
import pytest

from rackwright import design as designs
from rackwright import spec
from rackwright.catalog import pathway_practice
from rackwright.design.rules.cabling import bend_radius, bundle_pull, tray_fill
from rackwright.design.tray_load import tray_loads
from rackwright.model.facility import CableTray
from rackwright.model.sku import Cable
from rackwright.model.verdict import Outcome

TWO_HALLS = Path(__file__).resolve().parents[3] / "sites" / "users" / "two-halls.yaml"


@pytest.fixture(scope="module")
def two_halls():
    loaded = spec.load(TWO_HALLS)
    return designs.expand(loaded.site, loaded.catalog, designs.assemble.FABRICS)


def judged(rule, design):
    return dict(rule.judge(design))


def with_parts(design, **fields):
    """`design` with `fields` of all its cable parts."""
    return replace(design, cable_parts={k: part.model_copy(update=fields) for k, part in design.cable_parts.items()})


def with_tray(design, **fields):
    """`design` with the tray `fields` in all its halls."""
    tray = CableTray(**{"width_mm": 610, "depth_mm": 102} | fields)
    facility = design.site.facility
    halls = [hall.model_copy(update={"cable_tray": tray}) for hall in facility.halls]
    site = design.site.model_copy(update={"facility": facility.model_copy(update={"halls": halls})})
    return replace(design, site=site)


def longer(design, times):
    return replace(design, cables=design.cables.with_columns(pl.col("routed_meters") * times))


def test_the_example_can_be_cabled(example):
    for rule in (tray_fill, bend_radius, bundle_pull):
        findings = judged(rule, example)
        assert findings
        assert {finding.outcome for finding in findings.values()} == {Outcome.PASS}, rule.__name__


def sections_by_hand(design):
    """Square millimetres of every section: by hall, row and position above rows; by hall, position and row across."""
    above, across = Counter(), Counter()
    places = {row["rack"]: row for row in design.racks.iter_rows(named=True)}
    rack = dict(design.devices.select("device", "rack").iter_rows())
    for cable in design.cables.iter_rows(named=True):
        part = design.cable_parts[cable["sku"]]
        mm2 = math.pi / 4 * part.diameter_mm**2 / (part.links if part.splits == 1 else 1)
        a, b = (places[rack[cable[f"{end}_device"]]] for end in "ab")
        if a["rack"] == b["rack"]:
            continue
        near, far = (a["position"], b["position"]), (a["row"], b["row"])
        if a["hall"] == b["hall"]:
            above.update({(a["hall"], a["row"], at): mm2 for at in range(min(near), max(near))})
            across.update({(a["hall"], b["position"], at): mm2 for at in range(min(far), max(far))})
        else:
            for end in (a, b):
                above.update({(end["hall"], end["row"], at): mm2 for at in range(end["position"])})
                across.update({(end["hall"], 0, at): mm2 for at in range(1, end["row"])})
    return above, across


@pytest.mark.parametrize("name", ["example", "two_halls"])
def test_loads_are_those_of_counting_cable_by_cable(name, request):
    design = request.getfixturevalue(name)
    above, across = sections_by_hand(design)
    for load in tray_loads(design):
        mine = [mm2 for (hall, *_), mm2 in [*above.items(), *across.items()] if hall == load.hall]
        assert load.square_mm == pytest.approx(max(mine), rel=0.01)  # odd links of twin cables take one more


@pytest.mark.parametrize(
    ("tray", "outcome", "says"),
    [
        ({"width_mm": 100, "depth_mm": 50}, Outcome.FAIL, "of 1 tray of 100 x 50 mm"),
        ({"width_mm": 100, "depth_mm": 90}, Outcome.DEGRADED, "at most 50%, and 40% when planned"),
        ({"width_mm": 100, "depth_mm": 50, "count": 3}, Outcome.PASS, "of 3 trays"),
    ],
)
def test_a_tray_is_judged_by_its_share(example, tray, outcome, says):
    finding = judged(tray_fill, with_tray(example, **tray))["hall-1"]
    assert finding.outcome is outcome
    assert says in finding.says
    assert ("facility.halls.cable_tray" in finding.next_step) is (outcome is not Outcome.PASS)


def test_a_tray_that_nobody_declared_never_fails(example):
    finding = judged(tray_fill, with_parts(example, diameter_mm=30))["hall-1"]
    assert finding.outcome is Outcome.INCONCLUSIVE
    assert "a usual size is assumed" in finding.says
    assert finding.next_step.startswith("plan ")


def test_a_cable_without_a_diameter_is_no_pass(example):
    finding = judged(tray_fill, with_parts(example, diameter_mm=None))["hall-1"]
    assert finding.outcome is Outcome.INCONCLUSIVE
    assert "no diameter is known of cat6, " in finding.says
    assert "diameter_mm under catalog" in finding.next_step


def test_a_cable_that_cannot_turn_behind_its_device_is_refused(example):
    finding = judged(bend_radius, with_parts(example, bend_radius_mm=200))["dgx-h100 in rack-48u-1200"]
    assert finding.outcome is Outcome.FAIL
    assert (
        "at most 179.5 mm" in finding.says
    )  # 1,200 mm less 897 mm of the server, 63.5 mm to the door, 60 mm of the plug
    assert "by 20.5 mm or more" in finding.next_step


def test_a_cable_without_a_bend_radius_is_no_pass(example):
    findings = judged(bend_radius, with_parts(example, bend_radius_mm=None))
    assert {finding.outcome for finding in findings.values()} == {Outcome.INCONCLUSIVE}
    assert all("bend_radius_mm under catalog" in finding.next_step for finding in findings.values())


def test_tension_is_weight_friction_length_and_corners():
    straight = 0.049 * 9.80665 * 0.5 * 100
    practice = pathway_practice.load().pull
    assert practice.newtons(49, 100, 0) == pytest.approx(straight)
    assert practice.newtons(49, 100, 2) == pytest.approx(straight * math.e ** (math.pi / 2))


def test_every_medium_is_pulled_or_laid():
    practice = pathway_practice.load().pull
    media = [medium for kind in (*practice.pulled, practice.laid) for medium in kind.media]
    assert sorted(media) == sorted(get_args(Cable.model_fields["medium"].annotation))


@pytest.mark.parametrize(
    ("section", "outcome"), [(None, Outcome.INCONCLUSIVE), (2000, Outcome.FAIL), (100, Outcome.PASS)]
)
def test_a_long_bundle_is_pulled_in_sections(two_halls, section, outcome):
    design = longer(two_halls, 40)
    finding = judged(bundle_pull, with_tray(design, pull_section_meters=section) if section else design)["multimode"]
    assert finding.outcome is outcome
    assert finding.says.startswith("Bundle oob site-r01/fabric-r02 #1 is 198")
    assert ("pull_section_meters" in finding.next_step) is (outcome is not Outcome.PASS)


def test_a_copper_cable_is_laid_by_hand(two_halls):
    assert judged(bundle_pull, two_halls)["copper"].outcome is Outcome.PASS
    finding = judged(bundle_pull, longer(two_halls, 2))["copper"]
    assert finding.outcome is Outcome.FAIL
    assert "laid by hand" in finding.says
