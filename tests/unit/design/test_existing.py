"""A site that grows: what stands is written down, included, and compared with the larger design."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from rackwright import catalog, design, export
from rackwright.design.rules import run_rules
from rackwright.export import ExportRequest
from rackwright.model.design import Design
from rackwright.model.site import Site
from rackwright.spec.crosscheck import existing, facility
from tests import build

CATALOG = catalog.load()
FIRST = 24
"""Nodes of the first stage, of a scalable unit of 32."""


def site_data(count: int, standing: dict[str, Any] | None = None) -> dict[str, Any]:
    data: dict[str, Any] = yaml.safe_load(build.EXAMPLE.read_text())
    data["pools"][0]["count"] = count
    return data | {"existing": standing or {}}


def expanded(data: dict[str, Any]) -> Design:
    return design.expand(Site.model_validate(data), CATALOG)


@pytest.fixture(scope="module")
def standing() -> dict[str, Any]:
    parts = [
        yaml.safe_load(file.text()) for file in export.export(expanded(site_data(FIRST)), "existing", ExportRequest())
    ]
    return parts[0]["existing"] | parts[1]["existing"]


def outcomes(of: Design) -> dict[str, tuple[str, str]]:
    verdicts = [verdict for verdict in run_rules(of, ("structure",)) if verdict.check == "design.existing"]
    return {verdict.target: (str(verdict.outcome.value), verdict.observed) for verdict in verdicts}


def test_growing_within_a_unit_moves_nothing(standing: dict[str, Any]) -> None:
    assert outcomes(expanded(site_data(31, standing))) == {
        "racks": ("pass", "0 of 8 would change"),
        "devices": ("pass", "0 of 45 would change"),
        "addresses": ("pass", "0 of 72 would change"),
        "cables": ("pass", "0 of 643 would change"),
    }


def test_a_second_unit_moves_what_the_site_shares(standing: dict[str, Any]) -> None:
    verdicts = {
        verdict.target: verdict
        for verdict in run_rules(expanded(site_data(33, standing)), ("structure",))
        if verdict.check == "design.existing"
    }
    assert {target: verdict.outcome.value for target, verdict in verdicts.items()} == {
        "racks": "pass", "devices": "fail", "addresses": "fail", "cables": "fail",
    }  # fmt: skip
    assert (
        "ufm-01:mlx5_0 to compute-leaf-01:32 is plugged, and ufm-01:mlx5_0 would go to compute-leaf-09:32"
        in verdicts["cables"].says
    )


def test_a_rack_keeps_its_place_and_that_of_a_rack_that_is_no_longer_planned_stays_empty(
    standing: dict[str, Any],
) -> None:
    gone = {"rack": "store-r01", "hall": "hall-1", "row": 1, "position": 1}
    first = {"rack": "train-r01", "hall": "hall-1", "row": 2, "position": 3}
    grown = expanded(site_data(FIRST, {"racks": [gone, first]}))
    places = {rack: place for rack, *place in grown.racks.select("rack", "hall", "row", "position").iter_rows()}
    assert places["train-r01"] == ["hall-1", 2, 3]
    assert ["hall-1", 1, 1] not in places.values()
    assert outcomes(grown) == {"racks": ("fail", "1 of 2 would change")}


def test_what_is_not_there_at_all_is_named() -> None:
    listed = {
        "devices": [
            {"device": "train-001", "sku": "dgx-a100", "rack": "train-r01", "unit": 1, "addresses": ["10.9.9.9"]}
        ],
        "cables": [{"a": "train-001:mlx5_99", "b": "compute-leaf-01:1"}],
    }
    says = [
        v.says for v in run_rules(expanded(site_data(FIRST, listed)), ("structure",)) if v.check == "design.existing"
    ]
    assert "train-001 is a dgx-a100 in train-r01 U1, and would be a dgx-h100 in train-r01 U1" in says[0]
    assert "10.9.9.9 is an address of train-001, and would be nobody's" in says[1]
    assert "train-001:mlx5_99 would have none" in says[2]


@pytest.mark.parametrize(
    ("listed", "paths"),
    [
        ({"racks": [("a-r01", 1, 1), ("b-r01", 1, 1)]}, ["existing.racks[1]"]),
        ({"racks": [("a-r01", 9, 1)]}, ["existing.racks[0].row"]),
        ({"devices": [("a", "a-r01", 1, []), ("b", "a-r01", 8, [])]}, ["existing.devices[1]"]),
        ({"devices": [("a", "a-r01", 1, ["10.0.0.1"]), ("b", "a-r01", 20, ["10.0.0.1"])]}, ["existing.devices[1]"]),
        ({"devices": [("a", "a-r01", 1, []), ("a", "a-r01", 20, [])]}, ["existing.devices[1]"]),
        ({"cables": [("a:1", "b:1"), ("c:1", "b:1")]}, ["existing.cables[1]"]),
    ],
)  # fmt: skip
def test_entries_that_overlap_are_refused(listed: dict[str, Any], paths: list[str]) -> None:
    kinds = {
        "racks": ("rack", "row", "position"),
        "devices": ("device", "rack", "unit", "addresses"),
        "cables": ("a", "b"),
    }
    constant = {"racks": {"hall": "hall-1"}, "devices": {"sku": "dgx-h100"}, "cables": {}}
    entries = {
        kind: [dict(zip(kinds[kind], values, strict=True)) | constant[kind] for values in rows]
        for kind, rows in listed.items()
    }
    site = Site.model_validate(site_data(FIRST, entries))
    problems = [*existing.check(site, CATALOG), *facility.places(site, CATALOG)]
    assert [problem.path for problem in problems] == paths
