"""Checks that a rack PDU, a power shelf or a CDU is as designed before machines are powered on: by the gate's checks,
on current readings.

Checks of a unit under load say nothing yet. A reading that a controller does not offer hinders nothing (the gate still
requires it); one that is listed but was not read does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from rackwright import judge
from rackwright.base import content
from rackwright.compare.limits import number
from rackwright.flow import plant_ratings
from rackwright.model.base import Record
from rackwright.model.check import Limits, NodeEvidence, PlantCheck
from rackwright.model.equipment import CoolantUnit, Equipment, RackPdu
from rackwright.model.evidence.bmc import Detector
from rackwright.model.evidence.plant import CoolantReading
from rackwright.model.verdict import Outcome
from rackwright.redfish.plant_supply import Hindrance


def problems(folders: Sequence[str], unit: Equipment, reading: Any) -> list[Hindrance]:
    """Reasons why nothing may be powered on behind `unit`, or in one of its racks; `folders`: content of the site."""
    texts = _sentences(folders, unit, reading)
    if texts and isinstance(unit, CoolantUnit):
        return _by_rack(folders, unit, reading) or list(map(Hindrance, texts))
    return list(map(Hindrance, texts))


def _by_rack(folders: Sequence[str], unit: CoolantUnit, reading: CoolantReading) -> list[Hindrance]:
    """Defects of a CDU, with each rack judged by its own leak detectors; empty if every rack has defects.

    Coolant that leaks into one rack, or a detector that is not wired there, is no reason to leave the others without
    power: the loop has checks of its own for flow, pressure and level.
    """
    racks = [place for place in unit.detectors if " " not in place]  # a row is ``HALL row N``
    by_rack: dict[str, list[Detector]] = {rack: [] for rack in racks}
    others: list[Detector] = []
    for detector in reading.leak_detectors or ():
        by_rack.get(detector.name.rpartition(" ")[2], others).append(detector)

    def judge_part(places: Sequence[str], detectors: list[Detector]) -> list[str]:
        part = reading.model_copy(update={"leak_detectors": detectors})
        return _sentences(folders, replace(unit, detectors=tuple(places)), part)

    shared = judge_part([place for place in unit.detectors if place not in by_rack], others)
    lone = {rack: [text for text in judge_part([rack], by_rack[rack]) if text not in shared] for rack in racks}
    if racks and all(lone.values()):
        return []
    return [*map(Hindrance, shared), *(Hindrance(text, rack) for rack, texts in lone.items() for text in texts)]


def _sentences(folders: Sequence[str], unit: Equipment, reading: Any) -> list[str]:
    checks, limits = _rules(tuple(folders))
    stored = NodeEvidence(unit.name, {type(reading): reading}, {}, {})
    findings = [
        f"{finding.says}; next: {finding.next_step or judge.first_step(name, _roots(tuple(folders)))}"
        for name, finding in judge.unit_findings(unit, stored, checks, limits)
        if finding.outcome is Outcome.FAIL
    ]
    off = limits.find("power.voltage_off", kind=unit.kind)
    rated = plant_ratings.sentences(unit, reading, number(off)) if off else ()
    return [*findings, *_unread(unit, reading), *_over_budget(unit, reading), *rated]


def _unread(unit: Equipment, reading: Record) -> Iterator[str]:
    count = getattr(reading, "unread", 0)
    if count:
        yield f"{unit.name}: {count} of the parts that its controller lists could not be read; next: read the log of {unit.address}"


def _over_budget(unit: Equipment, reading: Any) -> Iterator[str]:
    """A sentence if a PDU carries more than the peak of everything that the design connects to it."""
    if isinstance(unit, RackPdu) and reading.watts is not None and reading.watts > unit.load_watts > 0:
        yield (
            f"{unit.name}: watts: {reading.watts:.0f}; expected at most {unit.load_watts:.0f}, the peak of all that belongs to it "
            f"(design {unit.name}, load_watts); next: find what else is plugged into it"
        )


@cache
def _rules(folders: tuple[str, ...]) -> tuple[Mapping[str, PlantCheck[Any]], Limits]:
    roots = _roots(folders)
    checks = judge.load_checks(roots)
    before = {n: check for n, check in checks.items() if isinstance(check, PlantCheck) and not check.under_load}
    return before, judge.load_limits(roots=roots)


def _roots(folders: tuple[str, ...]) -> content.Roots:
    return (*content.shipped(), *map(Path, folders))
