"""Every rule passes on the example and fails on a design that breaks it."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest

from rackwright.design import rules
from rackwright.model.verdict import Outcome


def verdicts(design, rule):
    return {verdict.target: verdict for verdict in rules.run_rules(design) if verdict.check == f"design.{rule}"}


def changed(design, table, column, where, value):
    frame = getattr(design, table)
    column_type = frame.schema[column]
    new = pl.when(where).then(pl.lit(value, dtype=column_type)).otherwise(pl.col(column)).alias(column)
    return replace(design, **{table: frame.with_columns(new)})


NOTHING_TO_JUDGE: set[str] = {
    "existing",
    "control_spread",
    "rack_circuits",
    "power_shelves",
    "power_caps",
    "busbar",
    "ups_autonomy",
    "rack_power",
    "unit_weight",
    "storage_servers",
    "local_cache",
    "gpudirect",
    "cdu_capacity",
    "pump_loss",
    "containment",
    "coolant_supply",
    "coolant_freeze",
    "facility_water",
    "loop_pressure",
    "leak_detection",
    "prices_complete",
    "rack_density",
    "segment_numbers",
    "unit_halls",
}
"""Rules about what the example does not have."""


def test_the_example_passes_every_rule(example):
    rule_verdicts = rules.run_rules(example)
    outcomes = {verdict.check.removeprefix("design."): verdict.outcome for verdict in rule_verdicts}
    assert {verdict.outcome for verdict in rule_verdicts} <= {Outcome.PASS, Outcome.NOT_RUN}
    assert {rule for rule, outcome in outcomes.items() if outcome is Outcome.NOT_RUN} == NOTHING_TO_JUDGE
    assert set(outcomes) == {rule.name for rule in rules.rules()}
    assert [verdict.model_dump() for verdict in rule_verdicts] == [
        verdict.model_dump() for verdict in rules.run_rules(example)
    ]


def test_every_rule_has_the_name_of_its_file():
    for rule in rules.rules():
        assert rule.judge.__module__.endswith(f".{rule.name}")
    assert len({rule.name for rule in rules.rules()}) == len(rules.rules())


def device(name):
    return pl.col("device") == name


BROKEN = {
    "port_budget": ("cables", "b_port", pl.col("cable") == "train-002:mlx5_0", "1", "compute", "carries 2 cables"),
    "uplink_balance": (
        "cables",
        "b_device",
        pl.col("cable") == "compute-leaf-01:33",
        "compute-spine-02",
        "compute",
        "7 or 8",
    ),
    "cable_reach": (
        "cables",
        "length_meters",
        pl.col("cable") == "train-007:mlx5_4",
        60.0,
        "compute node_leaf",
        "60 m",
    ),
    "address_clash": ("addresses", "address", device("train-002"), "10.64.0.32", "inband", "given 3 times"),
    "rack_place": ("racks", "position", pl.col("rack") == "train-r02", 1, "hall-1", "shares row 1 position 1"),
    "rack_units": ("devices", "unit", device("train-001"), 42, "train-r01", "outside: train-001 at U42"),
    "rack_overlap": ("devices", "unit", device("train-001"), 16, "train-r01", "U16: train-001 and train-002"),
    "rack_weight": ("racks", "weight_kg", pl.col("rack") == "train-r01", 1400.0, "train-r01", "at most 1361 kg"),
    "power_supplies": ("psus", "feed", device("train-001"), "A", "train-r01", "0 of 6 supplies"),
    "power_circuit": ("circuits", "usable_watts", pl.col("rack") == "train-r01", 20_000.0, "train-r01", "20.4 kW"),
}


@pytest.mark.parametrize("rule", BROKEN)
def test_a_broken_design_fails(example, rule):
    table, column, where, value, target, words = BROKEN[rule]
    by_target = verdicts(changed(example, table, column, where, value), rule)
    assert by_target[target].outcome is Outcome.FAIL
    assert words in by_target[target].says
    assert by_target[target].source
    assert by_target[target].says.endswith(".")


def test_feed_capacity_fails(expanded):
    by_target = verdicts(expanded(lambda data: data["facility"]["power"].update(feed_kw=172)), "feed_capacity")
    assert {feed: entry.outcome for feed, entry in by_target.items()} == {"A": "fail", "B": "fail", "C": "pass"}


def test_a_floor_that_carries_less_than_the_rack(expanded):
    change = lambda data: data["facility"]["halls"][0].update(floor_load_kg_per_rack=521)  # noqa: E731
    verdict = verdicts(expanded(change), "floor_load")["train-r01"]
    assert (verdict.outcome, verdict.source) == (Outcome.FAIL, "site hall hall-1")


def test_two_feeds_are_not_enough_for_dgx_h100(expanded):
    design = expanded(lambda data: data["facility"]["power"].update(feeds=["A", "B"]))
    verdict = verdicts(design, "power_supplies")["train-r01"]
    assert verdict.outcome is Outcome.FAIL
    assert "3 of 6 supplies (9900 W) left with feed A lost" in verdict.says


def test_an_open_host_port_fails(example):
    some = changed(example, "ports", "cable", device("train-001") & (pl.col("port") == "mlx5_0"), None)
    assert "train-001 mlx5_0 has no cable" in verdicts(some, "port_budget")["compute"].says


def test_a_cable_on_a_port_that_does_not_exist_fails(example):
    some = changed(example, "cables", "b_port", pl.col("cable") == "train-001:mlx5_0", "99")
    assert "compute-leaf-01 has no port 99" in verdicts(some, "port_budget")["compute"].says


def test_an_address_outside_its_subnet_or_in_the_reserved_part_fails(example):
    for address in ("10.63.0.1", "10.64.0.15", "10.64.3.255"):
        some = changed(example, "addresses", "address", device("slurm-01") & (pl.col("network") == "inband"), address)
        assert "of slurm-01 is outside" in verdicts(some, "address_clash")["inband"].says


def test_an_oversubscribed_leaf_fails(example):
    up = (pl.col("a_device") == "compute-leaf-01") & (pl.col("kind") == "leaf_spine")
    some = changed(example, "cables", "gbps", up, 200)
    assert verdicts(some, "uplink_balance")["compute"].outcome is Outcome.FAIL


def test_cables_between_halls_cannot_be_judged(example):
    some = changed(example, "cables", "length_meters", pl.col("cable") == "train-001:mlx5_0", None)
    by_target = verdicts(some, "cable_reach")
    assert by_target["halls"].outcome is Outcome.INCONCLUSIVE
    assert "1 cables" not in by_target["halls"].says
    assert by_target["compute node_leaf"].outcome is Outcome.PASS


def test_a_rule_with_nothing_to_look_at_is_not_run(example):
    some = replace(example, cables=example.cables.clear())
    assert {verdict.outcome for verdict in verdicts(some, "cable_reach").values()} == {Outcome.NOT_RUN}
