"""What may answer a rule: every name is a rule, every field is one of the site, and the smallest change that does is taken."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from rackwright import spec
from rackwright.design import remedies, rules
from rackwright.design.remedies.caps import least_watts
from rackwright.design.remedies.knob import FieldChange, first_accepted
from rackwright.model.site import Site
from rackwright.spec.fields import field_at, parse_path

INVENTORIES = sorted((Path(__file__).resolve().parents[3] / "inventories").glob("*/site.yaml"))
USERS = Path(__file__).resolve().parents[2] / "sites" / "users"
PROBLEMS = {"hall_full"}
"""Codes of sites that cannot be built."""


def test_every_name_is_a_rule():
    assert remedies.BY_RULE.keys() - PROBLEMS <= {rule.name for rule in rules.rules()}


@pytest.mark.parametrize("file", INVENTORIES, ids=lambda file: file.parent.name)
def test_every_field_is_one_of_the_site(file):
    loaded = spec.load(file, to_design=True)
    fields = {
        change.field
        for rule in remedies.BY_RULE
        for knob in remedies.knobs(rule, loaded.site, loaded.catalog)
        for step in knob.steps
        for change in step
    }
    assert fields
    for field in fields:
        path = parse_path(field)
        assert field_at(Site, path if isinstance(path[-1], str) else path[:-1]), field


@pytest.mark.parametrize("steps", [1, 3, 4, 5, 40])
def test_the_smallest_change_is_taken(steps):
    for least in range(steps + 1):
        assert first_accepted(steps, lambda step: step >= least) == (least if least < steps else None)  # noqa: B023 - used in this turn


def test_a_very_large_change_may_break_something_else():
    assert first_accepted(40, lambda step: 5 <= step <= 20) == 5


def test_a_busbar_is_relieved_by_a_cap_that_accelerators_run_with():
    loaded = spec.load(USERS / "gb300-16416.yaml")
    power = loaded.site.facility.power
    uncapped = loaded.site.model_copy(
        update={"facility": loaded.site.facility.model_copy(update={"power": power.model_copy(update={"caps": []})})}
    )
    entries = [
        step[0].value[0] for knob in remedies.knobs("busbar", uncapped, loaded.catalog) for step in knob.steps
        if step[0].field == "facility.power.caps"
    ]  # fmt: skip
    server = loaded.catalog.servers["gb300-nvl72"]
    assert entries[0] == {"server": "gb300-nvl72", "watts": 6800}  # just below its peak of 6.9 kW
    assert entries[-1]["watts"] >= least_watts(server, loaded.catalog)
    assert all(low["watts"] < high["watts"] for high, low in pairwise(entries))
    lower = remedies.knobs("busbar", loaded.site, loaded.catalog)[-1].steps
    assert lower[0] == (FieldChange("facility.power.caps[0].watts", 6400),)  # of 6.5 kW that are declared
