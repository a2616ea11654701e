from __future__ import annotations

import polars as pl

from rackwright import design
from rackwright.model.schemas import SCHEMAS


def frames(built_design):
    return {name: built_design.node_table if name == "nodes" else getattr(built_design, name) for name in SCHEMAS}


def test_tables_have_exactly_the_published_columns(example):
    for name, frame in frames(example).items():
        assert dict(frame.schema) == SCHEMAS[name], name
        assert not frame.is_empty(), name


def test_the_same_site_gives_the_same_design(example, parts_catalog):
    again = design.expand(example.site, parts_catalog)
    for name, frame in frames(again).items():
        assert frame.equals(frames(example)[name]), name
    assert again.totals == example.totals


def test_every_reference_between_tables_leads_somewhere(example):
    devices, racks = set(example.devices["device"]), set(example.racks["rack"])
    ports = set(zip(example.ports["device"], example.ports["port"], strict=True))
    assert set(example.devices["rack"]) == racks == set(example.circuits["rack"])
    assert {device for device, _ in ports} == devices == set(example.psus["device"])
    assert set(example.psus["circuit"]) == set(example.circuits["circuit"])
    for end in ("a", "b"):
        assert set(zip(example.cables[f"{end}_device"], example.cables[f"{end}_port"], strict=True)) <= ports
    plant = example.power.filter(pl.col("kind") == "pdu")["element"]
    assert set(example.addresses["device"]) == devices | set(plant)
    plugged = example.ports.filter(pl.col("cable").is_not_null())
    assert sorted(plugged["cable"]) == sorted([*example.cables["cable"], *example.cables["cable"]])
    assert example.cables["cable"].n_unique() == len(example.cables)


def test_nodes_know_their_addresses_and_parts(example):
    node = example.node("train-031")
    assert (node.rack, node.unit, node.index, node.scalable_unit, node.accelerators) == ("train-r08", 17, 31, 1, 8)
    assert (node.inband_address, node.bmc_address, node.scheduler) == ("10.64.0.62", "10.64.4.62", "slurm")
    assert node.accelerator.sku == "h100-sxm"
    assert [entry.name for entry in example.nodes("slurm") + example.nodes("ufm")] == ["slurm-01", "ufm-01", "ufm-02"]
    assert example.node("slurm-01").accelerator is None
