"""Declarations of power that contradict each other are one problem each, with path, expected, found and next step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rackwright import catalog
from rackwright.base import yaml_text
from rackwright.base.errors import Problem
from rackwright.model.site import Site
from rackwright.spec.crosscheck import power

KNOWN = catalog.load()


@pytest.fixture
def problems(example_site) -> Callable[[Callable[[dict[str, Any]], None]], list[Problem]]:
    def run(change: Callable[[dict[str, Any]], None]) -> list[Problem]:
        data = yaml_text.load(example_site.read_text())
        change(data)
        site = Site.model_validate(data)
        return [*power.check(site, KNOWN), *power.pools(site, KNOWN)]

    return run


def declared(**change: Any) -> Callable[[dict[str, Any]], None]:
    return lambda data: data["facility"]["power"].update(change)


def pool(**change: Any) -> Callable[[dict[str, Any]], None]:
    return lambda data: data["pools"][0].update(change)


GOOD = [
    declared(),
    declared(rack_pdu="pdu-415v-60a", busway="busway-400a-415v"),
    declared(rack_pdu="pdu-415v-60a", circuit={"volts": 400, "amps": 60, "phases": 3}),
    declared(ups={"sku": "galaxy-vs-150", "per_feed": 4}, survive={"feeds": 1, "ups": 1, "pdus": 1, "psus": 2}),
    pool(server="gb200-nvl72", rack="rack-nvl72"),
]

BAD = {
    "a feed of a hall that the site has not": (
        lambda data: data["facility"]["halls"][0].update(feeds=["A", "X"]),
        "facility.halls[0].feeds",
        "spec.no_such_feed",
        "X",
    ),
    "a feed of a hall twice": (
        lambda data: data["facility"]["halls"][0].update(feeds=["A", "A"]),
        "facility.halls[0].feeds",
        "spec.feed_twice",
        "A, A",
    ),
    "a hall with no feed left": (
        lambda data: data["facility"]["halls"][0].update(feeds=["A"]),
        "facility.halls[0].feeds",
        "spec.no_feed_of_hall_left",
        "A",
    ),
    "a cap of no pool": (
        declared(caps=[{"server": "dgx-b200", "watts": 9000}]),
        "facility.power.caps[0].server",
        "spec.cap_of_no_pool",
        "dgx-b200",
    ),
    "a cap above the peak": (
        declared(caps=[{"server": "dgx-h100", "watts": 10200}]),
        "facility.power.caps[0].watts",
        "spec.cap_above_peak",
        "10200 W",
    ),
    "a cap after a loss above that of every hour": (
        declared(
            caps=[{"server": "dgx-h100", "watts": 9000}, {"server": "dgx-h100", "watts": 9500, "applies": "after-loss"}]
        ),
        "facility.power.caps[1].watts",
        "spec.cap_above_peak",
        "9500 W",
    ),
    "two caps": (
        declared(caps=[{"server": "dgx-h100", "watts": 9000}, {"server": "dgx-h100", "watts": 9100}]),
        "facility.power.caps[1]",
        "spec.two_caps",
        "two",
    ),
    "ups not declared": (
        declared(ups=None, survive={"ups": 1}),
        "facility.power.survive.ups",
        "spec.nothing_to_lose",
        "1",
    ),
    "all ups": (
        declared(ups={"sku": "galaxy-vs-150", "per_feed": 2}, survive={"ups": 2}),
        "facility.power.survive.ups",
        "spec.no_ups_left",
        "2",
    ),
    "all pdus": (declared(survive={"pdus": 3}), "facility.power.survive.pdus", "spec.no_pdu_left", "3"),
    "too many psus": (
        declared(survive={"psus": 3}),
        "facility.power.survive.psus",
        "spec.no_psu_left",
        "train (dgx-h100) has 6 and needs 4",
    ),
    "no such ups": (declared(ups={"sku": "nope", "per_feed": 2}), "facility.power.ups.sku", "spec.unknown_sku", "nope"),
    "no such busway": (declared(busway="nope"), "facility.power.busway", "spec.unknown_sku", "nope"),
    "no such pdu": (declared(rack_pdu="nope"), "facility.power.rack_pdu", "spec.unknown_sku", "nope"),
    "not a pdu": (declared(rack_pdu="dgx-h100"), "facility.power.rack_pdu", "spec.wrong_kind", "a server"),
    "pdu volts": (
        declared(rack_pdu="pdu-208v-60a"),
        "facility.power.rack_pdu",
        "spec.pdu_does_not_fit",
        "208 V 60 A three-phase",
    ),
    "pdu amps": (
        declared(rack_pdu="pdu-415v-32a"),
        "facility.power.rack_pdu",
        "spec.pdu_does_not_fit",
        "415 V 32 A three-phase",
    ),
    "pdu phases": (
        declared(rack_pdu="pdu-415v-60a", circuit={"volts": 415, "amps": 60, "phases": 1}),
        "facility.power.rack_pdu",
        "spec.pdu_does_not_fit",
        "415 V 60 A three-phase",
    ),
    "busway volts": (declared(busway="busway-800a-480v"), "facility.power.busway", "spec.busway_does_not_fit", "480 V"),
    "busbar for nothing": (
        pool(server="dgx-h100", rack="rack-48u-busbar"),
        "pools[0].rack",
        "spec.unused_busbar",
        "rack-48u-busbar",
    ),
    "no busbar": (pool(server="gb200-nvl72"), "pools[0].rack", "spec.no_busbar", "rack-48u-1200"),
}


@pytest.mark.parametrize("change", GOOD)
def test_what_fits_is_no_problem(problems, change):
    assert problems(change) == []


@pytest.mark.parametrize("case", BAD)
def test_one_problem_each(problems, case):
    change, path, code, result = BAD[case]
    (problem,) = problems(change)
    assert (problem.path, problem.code) == (path, code)
    assert result in problem.found
    assert problem.expected
    assert problem.next_step


def test_a_pdu_that_fits_is_named(problems):
    (problem,) = problems(declared(rack_pdu="pdu-415v-32a"))
    assert "pdu-415v-60a" in problem.next_step


def test_a_rack_of_which_the_shelf_is_unknown(problems, example_site):
    rack = KNOWN.racks["rack-nvl72"].model_copy(update={"sku": "odd", "power_shelf": "nope"})
    loaded = catalog.load()
    loaded.racks["odd"] = rack
    data = yaml_text.load(example_site.read_text())
    pool(server="gb200-nvl72", rack="odd")(data)
    (problem,) = power.pools(Site.model_validate(data), loaded)
    assert (problem.path, problem.code) == ("pools[0].rack", "spec.unknown_sku")
    assert "nope" in problem.found
