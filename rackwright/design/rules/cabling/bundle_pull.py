"""No bundle is so long that its cables bear more than they may while they are pulled.

Every cable of a bundle bears its weight times friction; corners multiply it (``PullPractice.newtons``).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from rackwright.catalog import pathway_practice
from rackwright.catalog.pathway_practice import PulledCables
from rackwright.design.cable_groups import between_racks
from rackwright.design.rules.rule import DesignRule, Judged, finding
from rackwright.design.schedule.bundles import with_bundles
from rackwright.design.schedule.ends import with_ends
from rackwright.design.schedule.pieces import pieces
from rackwright.model.design import Design
from rackwright.model.verdict import Finding, Outcome


@dataclass(frozen=True)
class _Pull:
    """The longest cable of a medium and stage, and how it is pulled."""

    cable: str
    routed: float
    meters: float
    """Of one pull."""
    corners: int
    declared: bool
    """Whether the halls say where the crew takes cables up."""


def judge(design: Design) -> Judged:
    """Per medium of cables between racks: the bundle whose cables bear most. Cables of unknown length are left to ``cable_reach``."""
    practice = pathway_practice.load().pull
    pulled = {medium: kind for kind in practice.pulled for medium in kind.media}
    for medium, pulls in _longest(design).items():
        if medium in practice.laid.media:
            yield medium, _laid(design, medium, max(pulls, key=lambda pull: pull.routed))
        elif medium in pulled:
            kind = pulled[medium]
            yield medium, _pulled(design, medium, kind, max(pulls, key=lambda pull: _newtons(kind, pull)))


def _longest(design: Design) -> dict[str, list[_Pull]]:
    """By medium: the longest cable of every stage and pair of halls."""
    sections = {
        hall.name: hall.cable_tray.pull_section_meters if hall.cable_tray else None
        for hall in design.site.facility.halls
    }
    longest = (
        between_racks(design)
        .drop_nulls(["longest_meters", "medium"])
        .sort("longest_meters", descending=True, maintain_order=True)
        .group_by("medium", "stage", "a_hall", "b_hall", maintain_order=True)
        .first()
        .sort("medium", maintain_order=True)
    )
    by_medium: dict[str, list[_Pull]] = {}
    for row in longest.iter_rows(named=True):
        by_medium.setdefault(row["medium"], []).append(_pull(row, sections))
    return by_medium


def _pull(row: Mapping[str, Any], sections: Mapping[str, float | None]) -> _Pull:
    practice, meters = pathway_practice.load().pull, row["longest_meters"]
    corners, near, far = practice.corners[row["stage"]], sections[row["a_hall"]], sections[row["b_hall"]]
    if near is None or far is None:
        return _Pull(row["cable"], meters, meters, corners, declared=False)
    section = min(meters, max(near, far))
    return _Pull(row["cable"], meters, section, min(corners, practice.section_corners), declared=True)


def _newtons(kind: PulledCables, pull: _Pull) -> float:
    return pathway_practice.load().pull.newtons(kind.grams_per_meter, pull.meters, pull.corners)


def _pulled(design: Design, medium: str, kind: PulledCables, pull: _Pull) -> Finding:
    newtons, name = _newtons(kind, pull), _bundle(design, pull.cable)
    practice = pathway_practice.load().pull
    section = int(kind.most_newtons / practice.newtons(kind.grams_per_meter, 1, practice.section_corners))
    corners = f"around {pull.corners} corner{'' if pull.corners == 1 else 's'}" if pull.corners else "without a corner"
    says = (
        f"Bundle {name} is {pull.routed:.1f} m long; over {pull.meters:.1f} m {corners} at once,"
        f" each of its cables is pulled with {newtons:.1f} N"
    )
    step = (
        f"take cables up at each corner{f' and every {section} m' if section < pull.meters else ''}, and declare it"
        f" (facility.halls.cable_tray.pull_section_meters: {min(section, math.ceil(pull.meters))})"
    )
    bad = Outcome.FAIL if pull.declared else Outcome.INCONCLUSIVE
    observed, expected = f"{newtons:.1f} N ({name})", f"at most {kind.most_newtons:g} N"
    return finding(newtons <= kind.most_newtons, observed, expected, f"pulling of {medium}", says, step, bad=bad)


def _laid(design: Design, medium: str, pull: _Pull) -> Finding:
    most, name = pathway_practice.load().pull.laid.most_meters, _bundle(design, pull.cable)
    says = f"Bundle {name} of {medium} is {pull.routed:.2f} m long and is laid by hand, because nobody may pull on its plugs"
    expected, step = f"at most {most:g} m", "bring the racks at its ends closer, or choose fibre"
    return finding(pull.routed <= most, f"{pull.routed:.2f} m", expected, f"laying of {medium}", says, step)


def _bundle(design: Design, cable: str) -> str:
    """The bundle that `cable` is tied into: those between the same two racks decide which."""
    row = design.cables.row(by_predicate=pl.col("cable") == cable, named=True)
    rack = dict(design.devices.select("device", "rack").iter_rows())
    racks = {rack[row["a_device"]], rack[row["b_device"]]}
    near = [device for device, place in rack.items() if place in racks]
    mine = design.cables.filter(
        (pl.col("fabric") == row["fabric"]) & pl.col("a_device").is_in(near) & pl.col("b_device").is_in(near)
    )
    tied = with_bundles(with_ends(pieces(replace(design, cables=mine)), design))
    return str(tied.filter(pl.col("cable") == cable)["bundle"].first() or cable)


RULE = DesignRule("bundle_pull", "Bundles can be pulled", judge)
