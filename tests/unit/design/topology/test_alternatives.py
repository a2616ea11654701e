"""Refusals name what would do, and what they name does."""

from __future__ import annotations

import re

import pytest

from rackwright.base.errors import ProblemsError
from tests.unit.design.topology.sites import built, counts

REFUSED = [
    ("dgx-b300", 512, 64, {"switch": "sn5600", "transport": "roce", "tiers": 2}),
    ("dgx-h100", 64, 32, {"tiers": 1}),
    ("dgx-h100", 2048, 32, {"topology": "full-mesh"}),
    ("dgx-h100", 64, 32, {"topology": "collapsed-core", "switch": "sn5600", "transport": "roce"}),
    ("gb200-nvl72", 144 * 20, 144, {"leaf_group": "rack", "tiers": 3}),
]
CHANGE = re.compile(r"(tiers|planes|switch|oversubscription|topology): ([\w.-]+) \((.*?)\)")


@pytest.mark.parametrize(("server", "count", "unit", "fabric"), REFUSED)
def test_every_alternative_can_be_built(described_site, known, server, count, unit, fabric):
    per_rack = 18 if "nvl72" in server else 4
    site = described_site(server, count, unit, per_rack, **fabric)
    with pytest.raises(ProblemsError) as raised:
        built(site, known)
    (problem,) = raised.value.problems
    assert problem.next_step.startswith("one of: ")
    for field, value, words in CHANGE.findall(problem.next_step):
        change = int(value) if field in ("tiers", "planes") else float(value) if field == "oversubscription" else value
        changed = site.fabrics[0].model_copy(update={field: change})
        found = counts(built(site.model_copy(update={"fabrics": [changed, *site.fabrics[1:]]}), known)[0])
        assert str(found.get("leaf", found.get("core"))) in words
    fewer = re.search(r"(\d+) scalable units of train, (\d+) nodes", problem.next_step)
    if fewer:
        most = described_site(server, int(fewer[2]), unit, per_rack, **fabric)
        assert built(most, known)
        with pytest.raises(ProblemsError):
            built(described_site(server, int(fewer[2]) + unit, unit, per_rack, **fabric), known)


def test_the_order_of_fabrics_changes_no_name(described_site, known):
    site = described_site("dgx-h100", 40, 32)
    one, other = built(site, known), built(site.model_copy(update={"fabrics": site.fabrics[::-1]}), known)
    names = [
        {made.fabric.name: {member.name for member in made.members} for made in networks} for networks in (one, other)
    ]
    assert names[0] == names[1]
