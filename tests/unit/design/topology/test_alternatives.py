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
def test_every_alternative_can_be_built(described_site, parts_catalog, server, count, unit, fabric):
    per_rack = 18 if "nvl72" in server else 4
    site = described_site(server, count, unit, per_rack, **fabric)
    with pytest.raises(ProblemsError) as raised:
        built(site, parts_catalog)
    (problem,) = raised.value.problems
    assert problem.next_step.startswith("one of: ")
    for field, value, words in CHANGE.findall(problem.next_step):
        change = int(value) if field in ("tiers", "planes") else float(value) if field == "oversubscription" else value
        changed = site.fabrics[0].model_copy(update={field: change})
        tier_counts = counts(built(site.model_copy(update={"fabrics": [changed, *site.fabrics[1:]]}), parts_catalog)[0])
        assert str(tier_counts.get("leaf", tier_counts.get("core"))) in words
    fewer = re.search(r"(\d+) scalable units of train, (\d+) nodes", problem.next_step)
    if fewer:
        most = described_site(server, int(fewer[2]), unit, per_rack, **fabric)
        assert built(most, parts_catalog)
        with pytest.raises(ProblemsError):
            built(described_site(server, int(fewer[2]) + unit, unit, per_rack, **fabric), parts_catalog)


def test_the_order_of_fabrics_changes_no_name(described_site, parts_catalog):
    site = described_site("dgx-h100", 40, 32)
    first, second = (
        built(site, parts_catalog),
        built(site.model_copy(update={"fabrics": site.fabrics[::-1]}), parts_catalog),
    )
    names = [
        {network.fabric.name: {member.name for member in network.members} for network in networks}
        for networks in (first, second)
    ]
    assert names[0] == names[1]
