"""Every site we publish can be built as it stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from rackwright import design, spec
from rackwright.base import content
from rackwright.model.verdict import Outcome

SITES = sorted(content.folder("inventories").glob("*/site.yaml"))


@pytest.mark.parametrize("file", SITES, ids=lambda file: file.parent.name)
def test_no_rule_fails(file: Path) -> None:
    loaded = spec.load(file)
    expanded_design = design.expand(loaded.site, loaded.catalog)
    rule_verdicts = design.rules.run_rules(expanded_design)
    assert [entry.says for entry in rule_verdicts if entry.outcome in (Outcome.FAIL, Outcome.DEGRADED)] == []
    assert loaded.site.site == file.parent.name


def test_both_ways_of_cooling_are_shown() -> None:
    loaded = [spec.load(file).site for file in SITES]
    assert {site.facility.liquid is not None for site in loaded} == {True, False}
