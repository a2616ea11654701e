"""Rules of cooling: pass on the wet site, fail on one that is short by as little as a watt or a litre."""

from __future__ import annotations

import pytest

from rackwright.design import rules
from rackwright.model.verdict import Outcome
from tests.unit.design.cooling.parts import cdu, coolant, crah, swap, wet_server

NAMES = (
    "cdu_capacity", "pump_loss", "crah_capacity", "coolant_supply", "coolant_freeze", "facility_water", "loop_pressure",
    "leak_detection", "supply_air",
)  # fmt: skip


def verdicts(design, rule):
    return {verdict.target: verdict for verdict in rules.run_rules(design) if verdict.check == f"design.{rule}"}


def bad(design):
    names = {f"design.{name}" for name in (*NAMES, "containment")}
    return [
        verdict
        for verdict in rules.run_rules(design)
        if verdict.check in names and verdict.outcome not in ("pass", "not_run")
    ]


@pytest.mark.parametrize("rule", NAMES)
def test_the_wet_site_passes(cooled, rule):
    assert {verdict.outcome for verdict in verdicts(cooled(), rule).values()} == {Outcome.PASS}


@pytest.mark.parametrize("rule", NAMES)
def test_every_sentence_is_whole(cooled, rule):
    for verdict in verdicts(cooled(), rule).values():
        assert verdict.says.endswith(".")
        assert verdict.source
        assert "None" not in verdict.says
        assert "inf" not in verdict.says


def liters(design):
    return float(design.racks["coolant_liters_per_minute"].sum())


def test_short_by_one_litre_is_one_finding(cooled, wet):
    need = liters(cooled())
    swap(wet, cdu(liters_per_minute=need - 1))
    (result,) = bad(cooled())
    assert (result.check, result.target, result.outcome) == ("design.cdu_capacity", "hall-1-coolant", Outcome.FAIL)
    assert result.says == (
        "hall-1-coolant carries 100.0 kW and 95 L/min with 1 of 2 CDUs, short by 1 L/min; "
        "expected at least 64.0 kW and 96 L/min for 4 racks (SKU test-cdu at 4 K approach)."
    )
    assert result.next_step == (
        "raise the count of test-cdu in hall-1 to 3 (facility.liquid.cdus), or move racks to another hall"
    )


def test_short_by_one_watt_is_one_finding(cooled, wet):
    swap(wet, cdu(capacities=[{"approach_kelvin": 4.0, "kw": 63.999}]))
    (result,) = bad(cooled())
    assert (result.check, result.target) == ("design.cdu_capacity", "hall-1-coolant")
    assert "short by 0.001 kW" in result.says


def test_enough_to_the_last_watt_and_litre_passes(cooled, wet):
    swap(wet, cdu(capacities=[{"approach_kelvin": 4.0, "kw": 64.0}], liters_per_minute=liters(cooled())))
    assert bad(cooled()) == []


def test_what_the_next_step_says_is_enough(cooled, wet):
    swap(wet, cdu(liters_per_minute=20.0))
    (result,) = [entry for entry in bad(cooled()) if entry.check == "design.cdu_capacity"]
    wet["facility"]["liquid"]["cdus"][0]["count"] = int(result.next_step.split(" to ")[1].split()[0])
    assert bad(cooled()) == []
    wet["facility"]["liquid"]["cdus"][0]["count"] -= 1
    assert "design.cdu_capacity" in [entry.check for entry in bad(cooled())]


def test_warmer_water_takes_capacity_away(cooled, wet):
    wet["facility"]["liquid"]["facility_water"]["supply_celsius"] = 30.0
    (result,) = bad(cooled())
    assert "carries 50.0 kW" in result.says
    assert result.source == "SKU test-cdu at 2 K approach"


def test_a_hall_without_cdus(cooled, wet):
    wet["facility"]["liquid"]["cdus"][0]["hall"] = "hall-2"
    verdict = verdicts(cooled(), "cdu_capacity")["hall-1-coolant"]
    assert verdict.outcome is Outcome.FAIL
    assert "4 racks of hall-1 give 64.0 kW to hall-1-coolant, and it has no CDU" in verdict.says


def test_liquid_cooled_racks_without_any_coolant_still_expand(cooled, wet):
    del wet["facility"]["liquid"]
    verdict = verdicts(cooled(), "cdu_capacity")["hall-1-coolant"]
    assert (verdict.outcome, verdict.source) == (Outcome.FAIL, "site facility.liquid")


def test_air_short_by_one_cfm(cooled, wet):
    need = float(cooled().racks["airflow_cfm"].sum())
    swap(wet, crah(airflow_cfm=need - 1))
    (result,) = bad(cooled())
    assert (result.check, result.target) == ("design.crah_capacity", "hall-1-air")
    assert "short by 1 CFM" in result.says


def test_a_hall_without_crahs(cooled, wet):
    wet["facility"]["air"]["crahs"][0]["hall"] = "hall-2"
    assert verdicts(cooled(), "crah_capacity")["hall-1-air"].outcome is Outcome.FAIL


def test_a_pump_without_a_spare(cooled, wet):
    wet["facility"]["liquid"] |= {"cdus": [{"sku": "test-cdu", "count": 1}], "survive": {"cdus": 0, "pumps": 1}}
    swap(wet, cdu(pumps=2, pumps_needed=2))
    (result,) = bad(cooled())
    assert (result.check, result.outcome) == ("design.pump_loss", Outcome.FAIL)
    assert "50.0 kW and 75 L/min with 1 pump of hall-1-test-cdu-01 lost" in result.says


def test_coolant_too_warm_for_a_part(cooled, wet):
    swap(wet, wet_server(liquid={"share": 0.8, "max_supply_celsius": 31.0, "pressure_drop_kpa": 60.0}))
    (result,) = bad(cooled())
    assert (result.check, result.target) == ("design.coolant_supply", "wet")
    assert result.next_step == "lower facility.liquid.supply_celsius to 31 or less"


def test_coolant_near_its_freezing_point(cooled, wet):
    swap(wet, coolant(freezes_at_celsius=26.0))
    (result,) = bad(cooled())
    assert (result.check, result.target) == ("design.coolant_freeze", "test-glycol")


def test_a_supply_the_cdu_cannot_hold(cooled, wet):
    swap(wet, cdu(min_supply_celsius=33.0))
    (result,) = bad(cooled())
    assert (result.check, result.outcome) == ("design.facility_water", Outcome.FAIL)
    assert "from 33 °C up to 45 °C" in result.says


def test_facility_water_that_is_not_declared_is_inconclusive(cooled, wet):
    del wet["facility"]["liquid"]["facility_water"]
    (result,) = bad(cooled())
    assert (result.check, result.outcome) == ("design.facility_water", Outcome.INCONCLUSIVE)
    assert "facility water of at most 28 °C (W32)" in result.says


def test_pressure_short_by_one_kilopascal(cooled, wet):
    wet["facility"]["liquid"]["loop_pressure_kpa"] = 201.0
    (result,) = bad(cooled())
    assert (result.check, result.target, result.outcome) == ("design.loop_pressure", "hall-1-coolant", Outcome.FAIL)


def test_pressure_of_racks_and_pipes(cooled, wet):
    swap(wet, cdu(pressure_kpa=61.0))
    (result,) = bad(cooled())
    assert "60 kPa in a rack" in result.says


def test_pressure_that_no_part_states_is_inconclusive(cooled, wet):
    swap(wet, wet_server(liquid={"share": 0.8, "max_supply_celsius": 45.0}))
    (result,) = bad(cooled())
    assert (result.check, result.outcome) == ("design.loop_pressure", Outcome.INCONCLUSIVE)


@pytest.mark.parametrize("declared", ["none", "rack", "row"])
def test_leaks_that_nobody_sees_degrade(cooled, wet, declared):
    wet["facility"]["liquid"]["leak_detection"] = declared
    (result,) = bad(cooled())
    assert (result.check, result.target, result.outcome) == ("design.leak_detection", "hall-1 row 1", Outcome.DEGRADED)


def test_air_too_warm_for_a_server(cooled, wet):
    wet["facility"]["halls"][0]["supply_air_celsius"] = 35.5
    (result,) = bad(cooled())
    assert (result.check, result.target, result.outcome) == ("design.supply_air", "hall-1 wet", Outcome.FAIL)


def test_a_server_without_an_air_limit_is_inconclusive(cooled, wet):
    swap(wet, wet_server(max_supply_air_celsius=None))
    (result,) = bad(cooled())
    assert result.outcome is Outcome.INCONCLUSIVE


@pytest.mark.parametrize(("watts", "outcome"), [(14_000, Outcome.PASS), (16_000, Outcome.DEGRADED)])
def test_hot_racks_without_containment(cooled, wet, watts, outcome):
    """Two servers of a rack give a fifth of their heat to the air: 5.6 and 6.4 kW against 6 kW."""
    wet["facility"]["air"]["containment"] = "none"
    swap(wet, wet_server(peak_watts=watts, psus={"count": 2, "watts_each": 20_000, "needed": 1}))
    verdict = verdicts(cooled(), "containment")["hall-1"]
    assert verdict.outcome is outcome
    assert ("4 racks above 6 kW" in verdict.says) == (outcome is Outcome.DEGRADED)


@pytest.mark.parametrize(
    ("survive", "cdus", "outcome"),
    [
        (None, 2, Outcome.PASS),
        (None, 1, Outcome.DEGRADED),
        ({"cdus": 1}, 1, Outcome.FAIL),
        ({"cdus": 1}, 2, Outcome.PASS),
    ],
)
def test_a_cdu_that_takes_all_of_a_fabric(cooled, wet, survive, cdus, outcome):
    wet["facility"]["liquid"] |= {"survive": {"cdus": 0}}
    wet["facility"]["liquid"]["cdus"][0]["count"] = cdus
    wet["fabrics"][0].pop("survive")
    wet["fabrics"][0] |= {"survive": survive} if survive else {}
    verdict = verdicts(cooled(), "failure_domain")["oob CDU"]
    assert verdict.outcome is outcome, verdict.says
    assert outcome is Outcome.PASS or "0.0% of the bisection is left" in verdict.says
