"""What may answer a rule: every name is a rule, every field is one of the site, and the smallest change that does is taken."""

from __future__ import annotations

from pathlib import Path

import pytest

from rackwright import spec
from rackwright.design import remedies, rules
from rackwright.design.remedies.knob import first_accepted
from rackwright.model.site import Site
from rackwright.spec.fields import field_at, parse_path

INVENTORIES = sorted((Path(__file__).resolve().parents[3] / "inventories").glob("*/site.yaml"))
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
