"""What holds machines back before they are powered on, as the controllers of the twin report it."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rackwright import design, spec
from rackwright.flow import plant_ratings, plant_readiness
from rackwright.model.design import Design
from rackwright.provision.components.plant import concerning
from rackwright.redfish import plant_wire
from rackwright.redfish.plant_supply import READERS, Hindrance
from rackwright.twin import tools
from rackwright.twin.hardware import state
from rackwright.twin.hardware.parts.plant import CduReadings, PduReadings, ShelfReadings

INVENTORIES = Path(__file__).parents[3] / "inventories"
KINDS = {"rack_pdu": ("pdus", PduReadings), "power_shelf": ("shelves", ShelfReadings), "cdu": ("cdus", CduReadings)}


@cache
def expanded(kind: str) -> Design:
    """A site whose machines have a unit of `kind`."""
    loaded = spec.load(INVENTORIES / ("h100-pod" if kind == "rack_pdu" else "gb200-pod"))
    return design.expand(loaded.site, loaded.catalog)


def problems(kind: str, **readings: Any) -> list[str]:
    """The sentences of `hindrances`."""
    return [hindrance.text for hindrance in hindrances(kind, **readings)]


def hindrances(kind: str, **readings: Any) -> list[Hindrance]:
    """What is wrong with the first unit of `kind` around a node, whose readings are changed."""
    site = expanded(kind)
    live = state.build(site, ["train-001"])
    unit = next(unit for unit in live.plant.units.values() if unit.kind == kind)
    field, of_kind = KINDS[kind]
    changed = {**getattr(live.plant, field), unit.name: of_kind(**readings)}
    live = replace(live, plant=replace(live.plant, **{field: changed}))
    documents = json.loads(tools.equipment(site, live, unit.name))
    carried = plant_wire.unit_from_wire(json.loads(json.dumps(plant_wire.unit_to_wire(unit))))
    return plant_readiness.problems((), carried, READERS[kind].parse(documents))


@pytest.mark.parametrize("kind", KINDS)
def test_a_plant_as_designed_holds_nobody_back(kind: str) -> None:
    assert problems(kind) == []


@pytest.mark.parametrize(
    ("kind", "readings", "sentence", "step"),
    [
        ("rack_pdu", {"tripped": (3,)}, "breakers: Branch 3: Tripped; expected Normal", "next: Find what is plugged into the branch"),
        ("rack_pdu", {"rating_share": 0.5}, "breakers: Mains A: rated 24 A; expected Normal, inlets rated 48 A or more", "next: Read the plate of the PDU"),
        ("rack_pdu", {"volts_share": 0.0}, "volts of inlet lines: Mains A L1: 0", "next: "),
        ("rack_pdu", {"load_share": 1.2}, "watts: 16320; expected at most 13600, the peak", "next: find what else is plugged into it"),
        ("power_shelf", {"volts_share": 0.0}, "volts of inlets: ", "next: "),
        ("power_shelf", {"failed": (1, 2, 3, 4)}, "rectifiers: 2 of 6 work", "next: "),
        ("rack_pdu", {"volts_share": 208 / 415}, "volts of inlet lines: Mains A L1: 120", "next: Read the voltage at the tap-off"),
        ("rack_pdu", {"made_for": 480.0}, "Mains A is made for AC480V; expected 415 V between lines (240 V to neutral)", "next: read the plate of the unit"),
        ("rack_pdu", {"made_for": 208.0}, "outlets C19-1, C19-2, C19-3 and 21 more give AC100To127V; expected 240 V", "next: read the plate of the PDU"),
        ("rack_pdu", {"wiring": "ThreePhase4Wire"}, "Mains A is wired ThreePhase4Wire; expected three phases with neutral", "next: compare the plug of the PDU"),
        ("rack_pdu", {"wiring": "OnePhase3Wire"}, "Mains A is wired OnePhase3Wire; expected three phases (ThreePhase5Wire)", "next: compare the plug of the PDU"),
        ("power_shelf", {"made_for": 208.0}, "Mains AC1 is made for AC100To127V; expected 415 V between lines", "next: read the plate of the unit"),
        ("power_shelf", {"missing": (6,)}, "5 rectifiers; expected 6 (SKU", "next: fit those that are missing"),
        ("power_shelf", {"capacity_share": 0.6}, "Power Supply 6 deliver 3300 W each; expected 5500 W", "next: exchange them"),
        ("power_shelf", {"needed": 6}, "its group needs 6 of 6 rectifiers; expected at most", "next: set the redundancy of the shelf on its controller"),
        ("cdu", {"flow_share": 0.3}, "litres per minute: ", "next: "),
        ("cdu", {"supply_kelvin": 12.0}, "coolant towards the racks, celsius: ", "next: "),
        ("cdu", {"wet": ("train-r01",)}, "leak detectors: Leak detector train-r01: Critical", "next: "),
        ("cdu", {"lost_detectors": ("train-r01",)}, "train-r01: no detector there", "next: "),
        ("cdu", {"failed_pumps": (1,)}, "pumps that are well: ", "next: "),
    ],
)  # fmt: skip
def test_what_is_not_as_designed_is_said_with_the_next_step(
    kind: str, readings: dict[str, Any], sentence: str, step: str
) -> None:
    sentences = problems(kind, **readings)
    matching = [text for text in sentences if sentence in text]
    assert matching, sentences
    assert all(step in text and not text.endswith("next: ") for text in matching), matching


@pytest.mark.parametrize(
    ("name", "volts", "fits"),
    [
        ("AC400V", 415, True), ("AC400V", 400, True), ("AC480V", 415, False), ("AC208V", 415, False), ("AC208V", 208, True), ("AC200To240V", 208, True),
        ("AC240AndDC380V", 208, True), ("AC277AndDC380V", 480, True), ("AC120V", 208, True), ("DC380V", 415, False), ("Other", 415, True),
    ],
)  # fmt: skip
def test_what_is_made_for_a_voltage(name: str, volts: int, fits: bool) -> None:
    assert plant_ratings._fits(name, (volts, volts / 3**0.5), 0.1) is fits


@pytest.mark.parametrize("readings", [{"load_share": 0.01}, {"line_shares": (3.0, 0.0, 0.0)}, {"dark_outlets": 2}])
def test_what_tells_something_under_load_alone_holds_nobody_back(readings: dict[str, Any]) -> None:
    assert problems("rack_pdu", **readings) == []


def test_coolant_at_a_rack_holds_that_rack_alone() -> None:
    wet = hindrances("cdu", wet=("train-r01",), lost_detectors=("train-r02",))
    assert [(problem.rack, problem.text.split(": ", 2)[2].split(";")[0]) for problem in wet] == [
        ("train-r01", "Leak detector train-r01: Critical"),
        ("train-r02", "train-r02: no detector there: missing"),
    ]
    texts, racks = [problem.text for problem in wet], {problem.text: problem.rack for problem in wet}
    assert [len(concerning(rack, texts, racks)) for rack in ("train-r01", "train-r02", "train-r03")] == [1, 1, 0]
    assert concerning("train-r03", texts, None) == texts, "as recorded before racks were told apart"


def test_reactions_to_a_leak_are_those_of_the_site(monkeypatch: pytest.MonkeyPatch) -> None:
    site = expanded("cdu")
    liquid = site.site.facility.liquid
    assert liquid is not None
    assert problems("cdu") == []
    (sentence,) = problems("cdu", reaction="None")
    assert "Leak detector train-r01 reacts with: None" in sentence
    assert "each reacts with GracefulShutdown" in sentence
    assert (
        "next: Set these detectors on the controller of the CDU so that each reacts with GracefulShutdown" in sentence
    )
    undeclared = liquid.model_copy(update={"leak_reaction": None})
    facility = site.site.facility.model_copy(update={"liquid": undeclared})
    asking = replace(site, site=site.site.model_copy(update={"facility": facility}))
    monkeypatch.setattr("tests.unit.flow.test_plant_readiness.expanded", lambda _: asking)
    assert problems("cdu", reaction="None") == [], "the site declares none"


def test_warnings_and_delays_of_detectors_are_those_of_the_site(monkeypatch: pytest.MonkeyPatch) -> None:
    site = expanded("cdu")
    declared = {"leak_warning_reaction": "None", "leak_reaction_delay_seconds": 10}
    liquid = site.site.facility.liquid.model_copy(update=declared)  # type: ignore[union-attr]
    facility = site.site.facility.model_copy(update={"liquid": liquid})
    asking = replace(site, site=site.site.model_copy(update={"facility": facility}))
    monkeypatch.setattr("tests.unit.flow.test_plant_readiness.expanded", lambda _: asking)
    assert problems("cdu") == []
    (late,) = problems("cdu", reaction_delay_seconds=600)
    assert "Leak detector train-r01 reacts after: 600 s" in late
    assert "each reacts with GracefulShutdown, reacts to a warning with None, reacts after 10 s" in late
    (sudden,) = problems("cdu", warning_reaction="ForceOff")
    assert "Leak detector train-r01 reacts to a warning with: ForceOff" in sudden


def test_what_concerns_the_loop_holds_every_rack() -> None:
    hall = hindrances("cdu", wet=("hall-1 row 1", "train-r01"), failed_pumps=(1, 2))
    assert {problem.rack for problem in hall if "Leak detector hall-1 row 1" in problem.text} == {""}
    assert {problem.rack for problem in hall if "pumps" in problem.text} == {""}
    assert [problem.text for problem in hall if problem.rack] != []
    everywhere = tuple(f"train-r{number:02d}" for number in range(1, 17))
    assert {problem.rack for problem in hindrances("cdu", lost_detectors=everywhere)} == {""}, "one sentence for all"
