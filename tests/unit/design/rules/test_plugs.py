"""Plugs and cages, power of transceivers, split ports and adapters: what an engineer would find before ordering."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest

from rackwright.design import cages
from rackwright.design.rules.cabling import plug_fit, transceiver_power
from rackwright.design.rules.fabric import adapter_capability, breakout
from rackwright.model.verdict import Outcome


def judged(rule, design):
    return dict(rule.judge(design))


def with_cable(design, parts_catalog, sku, **fields):
    parts = design.cable_parts | {sku: design.cable_parts[sku].model_copy(update=fields)}
    return cages.add(replace(design, cable_parts=parts), parts_catalog)


def test_every_plug_of_the_example_fits(example):
    for rule in (plug_fit, transceiver_power, breakout, adapter_capability):
        findings = judged(rule, example)
        assert findings
        assert {finding.outcome for finding in findings.values()} == {Outcome.PASS}, rule.__name__


@pytest.mark.parametrize(
    ("sku", "fields", "says"),
    [
        ("cat6", {"form": "SFP"}, "SFP plugs of cat6 do not go into 31 RJ45 cages of dgx-h100"),
        (
            "mma4z00-flt",
            {"node_form": "OSFP"},
            "OSFP plugs of mma4z00-flt do not go into 124 OSFP-RHS cages of dgx-h100",
        ),
        ("mma4z00-flt", {"node_optic": "mma4z00-ns400"}, "2 links of 400 Gb/s each, and a plug of mma4z00-flt has 1"),
    ],
)
def test_a_plug_that_does_not_fit_is_named_with_its_cages(example, parts_catalog, sku, fields, says):
    design = with_cable(example, parts_catalog, sku, **fields)
    if "node_optic" in fields:
        design = replace(design, optic_parts=parts_catalog.optics)
    failed = [finding for finding in judged(plug_fit, design).values() if finding.outcome is Outcome.FAIL]
    assert any(says in finding.says for finding in failed), [finding.says for finding in failed]
    assert all("link_gbps" in finding.next_step for finding in failed)


def test_a_transceiver_of_more_power_than_its_cage_is_refused(example):
    optics = {"mma4z00-ns": example.optic_parts["mma4z00-ns"].model_copy(update={"watts": 19})}
    finding = judged(transceiver_power, replace(example, optic_parts=optics))["mma4z00-ns in qm9700"]
    assert finding.outcome is Outcome.FAIL
    assert "at most 17 W a cage" in finding.says


def test_a_port_split_as_its_switch_cannot_is_refused(example):
    plugs = example.plugs.with_columns(pl.when(pl.col("part") == "qm9700").then(4).otherwise("split").alias("split"))
    finding = judged(breakout, replace(example, plugs=plugs))["compute qm9700"]
    assert finding.outcome is Outcome.FAIL
    assert "split into 4" in finding.says


@pytest.mark.parametrize(
    ("adapter", "fabric", "says"),
    [
        ({"transport": ["ethernet"]}, {}, "it speaks ethernet"),
        ({"gbps": 200}, {}, "its ports have 200 Gb/s"),
        ({}, {"planes": 2}, "cannot be split into 2 lanes"),
    ],
)
def test_an_adapter_that_cannot_do_it_is_refused(example, adapter, fabric, says):
    nics = {name: part.model_copy(update=adapter) for name, part in example.nic_parts.items()}
    fabrics = [each.model_copy(update=fabric if each.name == "compute" else {}) for each in example.site.fabrics]
    design = replace(example, nic_parts=nics, site=example.site.model_copy(update={"fabrics": fabrics}))
    finding = judged(adapter_capability, design)["compute dgx-h100 in train"]
    assert finding.outcome is Outcome.FAIL
    assert says in finding.says
