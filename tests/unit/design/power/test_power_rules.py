"""Every power rule passes on a good design and fails on a bad one, with a next step."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest

from rackwright.model.verdict import Outcome
from tests.unit.design.power import power_designs
from tests.unit.design.power.power_designs import Filled, design, judge_rule, power

NVL72 = Filled(["gb200-nvl72"] * 18 + ["nvlink5-switch-tray"] * 9, rack="rack-nvl72", racks=2)
H100 = Filled(["dgx-h100"] * 4, racks=4)
TWO = {"feeds": ["A", "B"]}
LOW = {"volts": 208, "amps": 60, "phases": 3}
HIGH = {"volts": 480, "amps": 60, "phases": 3}

GB300 = ["gb300-nvl72"] * 18 + ["nvlink5-switch-tray"] * 9
WORSE = {"busbar": [Filled(GB300, rack="rack-nvl72")]}
"""Racks that make a design bad."""
BATTERIES = {"sku": "galaxy-vs-150", "per_feed": 2, "minutes": 5}
CASES = {
    # rule: (racks, good power, bad power, target, words of the bad finding)
    "power_supplies": (H100, {}, TWO, "r01", "3 of 6 supplies (9900 W) left with feed A lost"),
    "power_circuit": (H100, {}, {"circuit": {"volts": 415, "amps": 3, "phases": 3}}, "r01", "its fullest circuit"),
    "rack_circuits": (H100, {"circuits_per_rack": 3}, {"circuits_per_rack": 2}, "r01", "has 3 circuits"),
    "feed_capacity": (H100, {}, {"feed_kw": 80}, "A", "81.6 kW with feed B lost"),
    "ups_capacity": (
        H100,
        {"ups": {"sku": "galaxy-vs-150", "per_feed": 2}, "survive": {"ups": 1}},
        {"feeds": ["A"], "survive": {"feeds": 0, "ups": 1}, "ups": {"sku": "galaxy-vs-150", "per_feed": 2}},
        "A",
        "163.2 kW with 1 UPS of it lost; expected at most 150.0 kW of 1 x galaxy-vs-150",
    ),
    "ups_autonomy": (
        H100,
        {"ups": {**BATTERIES, "bridge_minutes": 18}},
        {"ups": {**BATTERIES, "bridge_minutes": 19}},
        "A",
        "last 18.4 min at 81.6 kW with feed B lost; expected at least 19 min",  # 5 min x 2 x 150 kW / 81.6 kW
    ),
    "busway_capacity": (
        H100,
        {"busway": "busway-250a-415v"},
        {**TWO, "busway": "busway-250a-415v"},
        "hall-1-row1-A",
        "163.2 kW with feed B lost",
    ),
    "outlets": (
        H100,
        {"rack_pdu": "pdu-415v-60a"},
        {"rack_pdu": "pdu-415v-60a", "circuit": HIGH},
        "pdu-415v-60a",
        "277 V",
    ),
    "busbar": (NVL72, TWO, TWO, "r03", "takes 2,617 A (141.3 kW at 54 V)"),
    "power_shelves": (NVL72, TWO, {**TWO, "survive": {"feeds": 1, "pdus": 5}}, "r01", "3 of 8 shelves (99.0 kW)"),
}


@pytest.mark.parametrize("rule", CASES)
def test_good_and_bad(rule):
    racks, good, bad, target, words = CASES[rule]
    fine = judge_rule(design([racks], power(**good)), rule)
    assert fine
    assert {finding.outcome for finding in fine.values()} == {Outcome.PASS}
    assert not any(finding.next_step for finding in fine.values())
    failing = judge_rule(design([racks, *WORSE.get(rule, [])], power(**bad)), rule)[target]
    assert failing.outcome is Outcome.FAIL
    assert words in failing.says
    assert failing.says.endswith(".")
    assert failing.next_step
    assert failing.source


@pytest.mark.parametrize(
    "rule", ["ups_capacity", "busway_capacity", "outlets", "power_shelves", "busbar", "ups_autonomy"]
)
def test_nothing_to_look_at_is_nothing_found(rule):
    assert judge_rule(design([H100], power()), rule) == {}


def test_batteries_of_which_nothing_is_declared():
    ups = {"sku": "galaxy-vs-150", "per_feed": 2, "bridge_minutes": 5}
    (unknown,) = judge_rule(design([H100], power(ups=ups)), "ups_autonomy").values()
    assert unknown.outcome is Outcome.INCONCLUSIVE
    assert unknown.next_step


def capped(watts, server="dgx-h100"):
    return {"caps": [{"server": server, "watts": watts, "applies": "after-loss"}]}


def test_a_cap_after_a_loss_answers_two_feeds():
    site = design([H100], power(**TWO, **capped(9900)))
    finding = judge_rule(site, "power_supplies")["r01"]
    assert finding.outcome is Outcome.PASS
    assert "3 of 6 supplies (9900 W) left" in finding.says
    assert finding.expected == "at least 3 of them and 9900 W"
    assert (
        judge_rule(site, "feed_capacity")["A"].observed == "158.4 kW with feed B lost"
    )  # 16 x 9.9 kW; 163.2 without the cap
    lost = site.losses.filter(pl.col("kind") == "feed")
    assert lost["survives"].all()
    assert lost["says"][0].startswith(
        "Losing feed A: everything keeps running, 16 nodes of it under their cap; feed B carries most"
    )
    assert judge_rule(design([H100], power(**TWO, **capped(9901))), "power_supplies")["r01"].outcome is Outcome.FAIL


def test_a_server_of_which_no_maker_says_it_needs_its_supplies_under_a_cap():
    part = power_designs.parts_catalog().servers["dgx-h100"]
    unsaid = part.model_copy(update={"psus": part.psus.model_copy(update={"reduced": None})})
    racks = Filled(["dgx-h100"] * 4, parts={"dgx-h100": unsaid})
    assert judge_rule(design([racks], power(**TWO, **capped(9900))), "power_supplies")["r01"].outcome is Outcome.FAIL


def test_a_gb300_rack_has_no_room_for_the_shelves_of_its_peak():
    racks = Filled(GB300, rack="rack-nvl72")
    finding = judge_rule(design([racks], power(**TWO)), "power_shelves")["r01"]
    assert finding.outcome is Outcome.FAIL
    assert finding.observed == "10 shelves for 141.3 kW"
    site = design([racks], power(**TWO, **capped(6300, "gb300-nvl72")))
    finding = judge_rule(site, "power_shelves")["r01"]
    assert finding.outcome is Outcome.PASS
    assert finding.observed == "4 of 8 shelves (132.0 kW) left with feed A lost"
    assert finding.expected == "at least 130.5 kW"  # 18 x 6.3 + 9 x 1.9


def test_a_cap_of_every_hour_is_what_a_site_draws_and_cools(expanded, example):
    def change(data):
        data["facility"]["power"]["caps"] = [{"server": "dgx-h100", "watts": 9000, "throughput_share": 0.95}]

    site = expanded(change)
    assert site.totals["it_kw"] == pytest.approx(example.totals["it_kw"] - 31 * 1.2)
    assert dict(site.devices.filter(pl.col("sku") == "dgx-h100").select("sku", "peak_watts").unique().iter_rows()) == {
        "dgx-h100": 9000
    }
    (finding,) = judge_rule(site, "power_caps").values()
    assert finding.outcome is Outcome.PASS
    assert finding.observed == "9 of 10.2 kW, 550 W an accelerator (79% of its power), 95% of its throughput"


def test_a_cap_that_leaves_accelerators_nothing(expanded):
    def change(data):
        data["facility"]["power"]["caps"] = [{"server": "dgx-h100", "watts": 4600}]

    (finding,) = judge_rule(expanded(change), "power_caps").values()
    assert finding.outcome is Outcome.FAIL
    assert finding.expected == "more than the 4600 W that it draws beside its accelerators"


def test_a_rack_that_its_maker_made_for_less():
    racks = design([NVL72], power(**TWO))
    part = racks.rack_parts["rack-nvl72"]
    assert judge_rule(racks, "rack_power")["rack-nvl72"].outcome is Outcome.PASS
    weaker = replace(racks, rack_parts={"rack-nvl72": part.model_copy(update={"max_kw": 130.0})})
    finding = judge_rule(weaker, "rack_power")["rack-nvl72"]
    assert finding.outcome is Outcome.FAIL
    assert finding.observed == "130.5 kW in r01"


def test_equal_racks_are_told_once():
    findings = judge_rule(design([H100], power()), "power_supplies")
    assert list(findings) == ["r01"]
    assert findings["r01"].says.startswith("Rack r01 and 3 like it:")


def test_only_what_is_on_a_busbar_has_no_supplies_to_judge():
    assert judge_rule(design([NVL72], power(**TWO)), "power_supplies") == {}


def test_a_rack_that_differs_is_told_apart(monkeypatch):
    racks = design([H100], power())
    feed = pl.when(pl.col("device") == "r02-d01").then(pl.lit("A")).otherwise(pl.col("feed")).alias("feed")
    findings = judge_rule(replace(racks, psus=racks.psus.with_columns(feed)), "power_supplies")
    assert {target: finding.outcome for target, finding in findings.items()} == {
        "r01": Outcome.PASS,
        "r02": Outcome.FAIL,
    }
    assert "0 of 6 supplies" in findings["r02"].says


def test_declared_losses_of_supplies_and_pdus_count():
    racks = [Filled(["dgx-h100"] * 2)]
    assert (
        judge_rule(design(racks, power(survive={"feeds": 0, "psus": 2})), "power_supplies")["r01"].outcome
        is Outcome.PASS
    )
    three = judge_rule(design(racks, power(survive={"feeds": 0, "psus": 3})), "power_supplies")["r01"]
    assert three.outcome is Outcome.FAIL
    assert "with 3 supplies of one device lost" in three.says
    pdus = judge_rule(design(racks, power(feeds=["A", "B"], survive={"feeds": 0, "pdus": 1})), "power_supplies")["r01"]
    assert pdus.outcome is Outcome.FAIL
    assert "with circuit r01-A1 lost" in pdus.says


def test_phases_of_a_feed():
    even = design([Filled(["dgx-h100"] * 4, racks=9)], power())
    findings = judge_rule(even, "phase_balance")
    assert {finding.outcome for finding in findings.values()} == {Outcome.PASS}
    assert "0.0% off their mean" in findings["A"].says
    shifted = even.circuits.with_columns(
        (pl.col("l1_watts") + pl.col("l3_watts")).alias("l1_watts"), (pl.col("l3_watts") * 0).alias("l3_watts")
    )
    skew = judge_rule(replace(even, circuits=shifted), "phase_balance")["A"]
    assert skew.outcome is Outcome.DEGRADED
    assert "100.0% off their mean" in skew.says
    assert skew.next_step


def test_one_supply_on_a_feed_cannot_be_more_even():
    racks = design([Filled(["sn2201"])], power())
    assert judge_rule(racks, "phase_balance")["A"].outcome is Outcome.PASS


def test_a_line_that_carries_too_much():
    racks = design([Filled(["dgx-h100"] * 2)], power(circuit=LOW))
    assert judge_rule(racks, "phase_balance")["r01"].outcome is Outcome.PASS
    phase = pl.lit("L1-L2").alias("phase")
    finding = judge_rule(replace(racks, psus=racks.psus.with_columns(phase)), "phase_balance")["r01"]
    assert finding.outcome is Outcome.FAIL
    assert "fullest line" in finding.says
    assert finding.next_step


def test_what_one_rack_loses_reaches_the_feed():
    racks, survive = [Filled(["dgx-h100"] * 2, racks=3)], {"feeds": 0, "pdus": 1}
    site = design(racks, power(feed_kw=21, survive=survive))
    finding = judge_rule(site, "feed_capacity")["A"]
    assert finding.outcome is Outcome.FAIL
    assert "23.8 kW with PDUs or supplies of one rack lost" in finding.says
    assert judge_rule(design(racks, power(feed_kw=24, survive=survive)), "feed_capacity")["A"].outcome is Outcome.PASS


@pytest.mark.parametrize(("feeds", "rack", "step"), [(["A"], "fabric-r01", "more facility.power.feeds")])
def test_a_rack_of_switches_has_no_servers_to_lower(expanded, feeds, rack, step):
    def change(data):
        data["facility"]["power"].update(feeds=feeds, survive={"feeds": 0}, feed_kw=600)

    finding = judge_rule(expanded(change), "outlets")[rack]
    assert finding.outcome == "fail"
    assert finding.next_step.endswith(step)
    assert "on 1 PDU," in finding.observed
