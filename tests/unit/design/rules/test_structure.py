"""Rules of racks: pass on the example, fail or degrade on a rack that is too full, heavy, deep or blows backwards."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest

from rackwright.design import rules
from rackwright.design.rules.structure.equal_racks import group_equal_racks
from rackwright.model.verdict import Outcome


def verdicts(design, rule):
    return {verdict.target: verdict for verdict in rules.run_rules(design) if verdict.check == f"design.{rule}"}


def with_parts(design, table, sku, **change):
    parts = getattr(design, table)
    return replace(design, **{table: parts | {sku: parts[sku].model_copy(update=change)}})


def powered(design, sku, part, rack="train-r01", count=3):
    """The design with `count` mounted parts in the table of power."""
    empty = design.power.clear()
    row = dict.fromkeys(empty.columns) | {"kind": part.kind, "rack": rack, "sku": sku}
    rows = pl.DataFrame([row | {"element": f"e{i}"} for i in range(count)], schema=empty.schema)
    return replace(design, power=pl.concat([empty, rows]), plant_parts=design.plant_parts | {sku: part})


@pytest.fixture
def fitted(example, parts_catalog):
    """The example with every number that parts may lack, and its switches turned to the hot aisle."""
    design = with_parts(example, "rack_parts", "rack-48u-1200", weight_kg=150.0)
    for sku in design.switches:
        design = with_parts(design, "switches", sku, depth_mm=660)
    for sku in design.servers:
        design = with_parts(design, "servers", sku, depth_mm=900)
    return turned(replace(design, power=design.power.clear()), "rear")


def turned(design, face, *names):
    fabrics = [
        fabric.model_copy(update={"ports_face": face}) if not names or fabric.name in names else fabric
        for fabric in design.site.fabrics
    ]
    return replace(design, site=design.site.model_copy(update={"fabrics": fabrics}))


STRUCTURE = ("rack_units", "rack_overlap", "rack_weight", "rack_place", "floor_load", "rack_depth", "airflow_direction")


@pytest.mark.parametrize("rule", STRUCTURE)
def test_a_fitted_design_passes(fitted, rule):
    by_target = verdicts(fitted, rule)
    assert {entry.outcome for entry in by_target.values()} == {Outcome.PASS}
    assert all(entry.says.endswith(".") and entry.next_step == "" for entry in by_target.values())


def test_equal_racks_are_one(fitted):
    kinds = {kind.rack: kind for kind in group_equal_racks(fitted)}
    assert (kinds["train-r01"].count, kinds["train-r08"].count) == (7, 1)
    assert sum(kind.count for kind in kinds.values()) == len(fitted.racks)
    assert kinds["train-r01"].named == "Rack train-r01 (and 6 equal racks)"
    assert kinds["train-r08"].named == "Rack train-r08"
    assert [row["device"] for row in kinds["train-r08"].devices] == ["train-029", "train-030", "train-031"]


def test_a_rack_that_differs_stands_alone(fitted):
    second = pl.when(pl.col("device") == "train-005").then(33).otherwise(pl.col("unit")).cast(pl.Int32).alias("unit")
    kinds = {
        kind.rack: kind.count
        for kind in group_equal_racks(replace(fitted, devices=fitted.devices.with_columns(second)))
    }
    assert (kinds["train-r01"], kinds["train-r02"]) == (6, 1)


@pytest.mark.parametrize(("limit", "outcome"), [(522, Outcome.PASS), (521, Outcome.FAIL)])
def test_the_limit_of_the_rack_leaves_its_own_weight_out(fitted, limit, outcome):
    verdict = verdicts(with_parts(fitted, "rack_parts", "rack-48u-1200", max_weight_kg=limit), "rack_weight")[
        "train-r01"
    ]
    assert verdict.outcome is outcome
    assert verdict.source == "SKU rack-48u-1200 max_weight_kg"


def on_floor(design, limit):
    facility = design.site.facility
    halls = [hall.model_copy(update={"floor_load_kg_per_rack": limit}) for hall in facility.halls]
    site = design.site.model_copy(update={"facility": facility.model_copy(update={"halls": halls})})
    return verdicts(replace(design, site=site), "floor_load")


def test_the_floor_carries_the_rack_too(fitted):
    assert on_floor(fitted, 672)["train-r01"].outcome is Outcome.PASS
    result = on_floor(fitted, 671)["train-r01"]
    assert (result.outcome, result.source) == (Outcome.FAIL, "site hall hall-1")
    assert result.observed == "671.8 kg (150 kg of it the rack)"
    assert "train-r08" in on_floor(fitted, 671)


def test_pdus_weigh_on_rack_and_floor(fitted, parts_catalog):
    part = next(iter(parts_catalog.pdus.values())).model_copy(update={"weight_kg": 20.0})
    heavier = powered(fitted, part.sku, part)
    verdict = verdicts(heavier, "rack_weight")["train-r01"]
    assert verdict.observed == "581.8 kg, 60 kg of it power"
    assert on_floor(heavier, 731)["train-r01"].outcome is Outcome.FAIL
    assert on_floor(heavier, 732)["train-r01"].outcome is Outcome.PASS
    assert verdicts(heavier, "rack_weight")["train-r02"].observed == "521.8 kg of equipment"


def test_power_shelves_take_units(fitted, parts_catalog):
    part = next(iter(parts_catalog.power_shelves.values())).model_copy(update={"rack_units": 8, "weight_kg": 10.0})
    verdict = verdicts(powered(fitted, part.sku, part), "rack_units")["train-r01"]
    assert verdict.outcome is Outcome.FAIL
    assert verdict.says.startswith(
        "Rack train-r01 holds 56U in 4 devices and 24U of power shelves; expected at most 48U"
    )


def test_a_rack_of_unknown_weight_is_one_inconclusive_per_model(fitted):
    light = with_parts(fitted, "rack_parts", "rack-48u-1200", weight_kg=0.0)
    (result,) = verdicts(light, "floor_load").values()
    assert (result.outcome, result.target) == (Outcome.INCONCLUSIVE, "train-r01")
    assert "up to 978.2 kg pass" in result.next_step
    assert on_floor(light, 500)["train-r01"].outcome is Outcome.FAIL


@pytest.mark.parametrize(("depth", "outcome"), [(1048, Outcome.PASS), (1049, Outcome.FAIL), (0, Outcome.INCONCLUSIVE)])
def test_depth_with_room_for_cables(fitted, depth, outcome):
    by_target = verdicts(with_parts(fitted, "servers", "dgx-h100", depth_mm=depth), "rack_depth")
    entry = by_target["dgx-h100 in rack-48u-1200"]
    assert entry.outcome is outcome
    assert bool(entry.next_step) == (outcome is not Outcome.PASS)
    assert "31 of them" in entry.says


def test_switches_beside_servers_blow_backwards(fitted):
    by_target = verdicts(turned(fitted, None), "airflow_direction")
    assert {entry.outcome for target, entry in by_target.items() if target.startswith("train")} == {Outcome.PASS}
    assert by_target["fabric-r01"].outcome is Outcome.PASS
    assert "switches alone that blow out at their ports" in by_target["fabric-r01"].says
    mixed = by_target["site-r01"]
    assert mixed.outcome is Outcome.DEGRADED
    assert "from rear to front beside" in mixed.says
    assert "ports_face: rear in fabric oob" in mixed.next_step


def test_ports_to_the_cold_aisle_blow_hot_air_there(fitted):
    verdict = verdicts(turned(fitted, "front", "compute"), "airflow_direction")["fabric-r01"]
    assert verdict.outcome is Outcome.DEGRADED
    assert "leaf-0" in verdict.says
    assert "ports_face: rear in fabric compute" in verdict.next_step


def test_the_other_airflow_is_mounted_the_other_way(fitted):
    design = fitted
    for sku in design.switches:
        design = with_parts(design, "switches", sku, airflow="front-to-rear")
    assert "ports_face: front" in verdicts(design, "airflow_direction")["fabric-r01"].next_step
    assert verdicts(turned(design, "front"), "airflow_direction")["site-r01"].outcome is Outcome.PASS


def test_servers_that_blow_backwards(fitted):
    verdict = verdicts(with_parts(fitted, "servers", "dgx-h100", airflow="rear-to-front"), "airflow_direction")[
        "train-r01"
    ]
    assert verdict.outcome is Outcome.DEGRADED
    assert verdict.next_step == "order servers that move air from front to rear"


def test_racks_without_fans_are_not_judged(fitted):
    design = with_parts(fitted, "servers", "dgx-h100", airflow="none")
    assert "train-r01" not in verdicts(design, "airflow_direction")


def test_a_device_too_heavy_for_its_units(fitted):
    assert verdicts(fitted, "unit_weight")[fitted.site.site].outcome is Outcome.NOT_RUN
    strong = with_parts(fitted, "rack_parts", "rack-48u-1200", max_kg_per_unit=40)
    assert {verdict.outcome for verdict in verdicts(strong, "unit_weight").values()} == {Outcome.PASS}
    verdict = verdicts(with_parts(fitted, "rack_parts", "rack-48u-1200", max_kg_per_unit=16.2), "unit_weight")[
        "train-r01"
    ]
    assert verdict.outcome is Outcome.FAIL
    assert verdict.observed == "16.3 kg a rack unit of train-004"  # 130.45 kg on 8U
