from __future__ import annotations

from collections import Counter

import polars as pl

from rackwright.design.power import feed_loss_sets


def test_losses():
    assert [sorted(lost) for lost in feed_loss_sets("ABC", 1)] == [[], ["A"], ["B"], ["C"]]
    assert len(list(feed_loss_sets("ABCD", 2))) == 1 + 4 + 6


def test_supplies_are_dealt_over_the_feeds(example):
    per_device = example.psus.group_by("device", "feed").len()
    assert set(per_device.filter(pl.col("device") == "train-001")["len"]) == {2}
    assert per_device["len"].max() == 2
    switches = example.psus.filter(pl.col("device").str.starts_with("compute-leaf"))
    assert len(set(Counter(switches["feed"]).values())) <= 2


def test_loads_add_up_to_the_peak_of_the_rack(example):
    loads = example.circuits.group_by("rack").agg(pl.col("load_watts").sum())
    racks = example.racks.join(loads, on="rack")
    assert all(abs(row["load_watts"] - row["peak_watts"]) < 1 for row in racks.iter_rows(named=True))


def test_a_weak_circuit_is_doubled(expanded):
    design = expanded(lambda data: data["facility"]["power"]["circuit"].update(amps=32))
    names = design.circuits.filter((pl.col("rack") == "train-r01") & (pl.col("feed") == "A"))["circuit"]
    assert list(names) == ["train-r01-A1", "train-r01-A2"]
    on = {row["device"]: row["circuit"] for row in design.psus.iter_rows(named=True) if row["feed"] == "A"}
    assert (on["train-001"], on["train-002"]) == ("train-r01-A1", "train-r01-A2")
