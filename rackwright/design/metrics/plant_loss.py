"""The devices that go down with one power feed, and with one CDU."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import polars as pl

from rackwright.design.cooling.plant import loops
from rackwright.design.cooling.remaining_capacity import remaining_capacity, worst_units
from rackwright.design.power.outage import Outage
from rackwright.design.power.survey import survey_power
from rackwright.model.design import Design

Downs = Mapping[str, Mapping[str, frozenset[str]]]
"""By kind of element and element: the devices that its loss takes."""


def downs(design: Design) -> Downs:
    """Of every feed, and of the CDU of each loop that hurts most; of the plants that have been worked out for `design`."""
    kinds = {}
    if "power" in design.studies:
        kinds["feeds"] = dict(_feeds(design))
    if "cooling" in design.studies:
        kinds["cdus"] = dict(_cdus(design))
    return {kind: elements for kind, elements in kinds.items() if elements}


def _feeds(design: Design) -> Iterator[tuple[str, frozenset[str]]]:
    survey = survey_power(design)
    losses = {after.outage.feeds: after for after in survey.feed_losses}
    for number, name in enumerate(survey.grid.feeds):
        lost = frozenset({number})
        after = losses.get(lost) or survey.after(Outage(feeds=lost))
        yield name, frozenset(survey.devices_down(after))


def _cdus(design: Design) -> Iterator[tuple[str, frozenset[str]]]:
    for loop in loops(design):
        if loop.kind == "cdu" and loop.units and loop.load_watts:
            (name,) = worst_units(loop, 1)
            racks = remaining_capacity(loop, (name,)).racks_down
            yield name, frozenset(design.devices.filter(pl.col("rack").is_in(racks))["device"] if racks else ())
