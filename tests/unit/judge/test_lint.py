"""Every defect that published tables of limits have: the rows below are theirs, and each must be found."""

from __future__ import annotations

import pytest

from rackwright import judge
from rackwright.judge.limits import LimitTable, Metric
from rackwright.judge.lint import lint
from tests import build

PARTS = {sku: build.accelerator(sku) for sku in ("a100-sxm-80", "h100-sxm", "h200-sxm", "b200")}


def complaints(*rows, metric: dict | None = None) -> list[str]:
    defaults = {"metric": "bandwidth.hbm", "unit": "GB/s", "judged": "at_least", "says": "copy", "least": 0}
    kind = Metric(**(defaults | {"ceiling": "memory_gbytes_per_s"} | (metric or {})))
    policy = [
        message for message in judge.load_limits().rows if message.record.metric.startswith(("policy.", "pcie.lane"))
    ]
    shipped = [
        message for message in judge.load_limits().metrics if message.record.metric.startswith(("policy.", "pcie.lane"))
    ]
    limits = [
        build.row(build.limit(**({"metric": "bandwidth.hbm", "unit": "GB/s"} | message)), f"l.yaml:{n}")
        for n, message in enumerate(rows)
    ]
    table = LimitTable((build.row(kind), *shipped), tuple(limits + policy))
    return [f"{problem.place} {problem.message}" for problem in lint(table, PARTS) if problem.place.startswith("l.")]


H100, H200 = {"accelerator": "h100-sxm"}, {"accelerator": "h200-sxm"}


def test_lint_accepts_sisters_that_agree() -> None:
    assert complaints({"match": H100, "value": 2900}, {"match": H200, "value": 4000}) == []


@pytest.mark.parametrize(
    ("row", "metric", "complaint"),
    [
        ({"value": 0}, {}, "cannot fail: no reading is lower"),
        ({"value": -1.0}, {}, "cannot fail: no reading is lower"),
        ({"value": 16}, {"judged": "at_most", "most": 16}, "cannot fail: no reading is higher"),
        ({"value": -1}, {"judged": "at_most"}, "cannot be met"),
        ({"value": "much"}, {}, "has the wrong type"),
        ({"value": []}, {"judged": "words"}, "it asks for nothing"),
        ({"value": 3351, "match": H100}, {}, "is above the ceiling of h100-sxm"),
        ({"value": 3400, "match": {}}, {}, "is above the ceiling of h100-sxm"),
        ({"value": 3000, "match": H100, "kind": "guess"}, {}, "is unknown"),
        ({"value": 3000, "match": H100, "date": "July 2026"}, {}, "is no ISO date"),
    ],
)
def test_lint_finds_a_limit_that_is_wrong(row, metric, complaint) -> None:
    assert any(complaint in message for message in complaints(row, metric=metric)), complaints(row, metric=metric)


def test_lint_finds_sisters_that_disagree() -> None:
    # The published pair that this rule is made for: a floor a thousand times below that of its sister id.
    messages = complaints({"match": H100, "value": 2900}, {"match": H200, "value": 2.333})
    assert "l.yaml:1 disagrees with its sister at l.yaml:0" in messages


BUS = {
    "metric": "collective.bus",
    "unit": "GB/s",
    "ceiling": "scale_up",
    "keyed": ["size", "accelerators", "transport"],
}
B200 = {"accelerator": "b200"}


def bus(sku: dict[str, str], value: float, **key: str) -> dict:
    match = {"accelerators": "8", "size": "8GiB", "transport": "nvls", **sku, **key}
    return {"match": match, "value": value, "kind": "operator"}


def of_collectives(*rows: dict, **change) -> list[str]:
    return complaints(*({"metric": "collective.bus", **row} for row in rows), metric=BUS | change)


@pytest.mark.parametrize(
    "row",
    [
        bus(H100, 800),  # awsome-distributed-training, 5-nccl-allreduce.sh: 800 GB/s of H100
        bus(H100, 500, transport="p2p"),  # the same: 500 GB/s over NVLink alone
        bus({"accelerator": "a100-sxm-80"}, 331),
    ],
)
def test_a_floor_above_the_links_is_found(row) -> None:
    assert any("is above the ceiling of" in message for message in of_collectives(row))


def test_a_switch_that_adds_up_reaches_more_than_its_links() -> None:
    assert of_collectives(bus(H100, 460)) == []
    assert any("above the ceiling" in message for message in of_collectives(bus(H100, 460, transport="p2p")))


def test_a_floor_that_is_shared_by_unequal_parts_is_found() -> None:
    # oci-hpc: B200 is held to the 440 GB/s of H100, 52 % of what it reaches.
    assert any("disagrees with its sister" in message for message in of_collectives(bus(H100, 440), bus(B200, 440)))


def test_figures_of_different_sizes_are_no_sisters() -> None:
    assert of_collectives(bus(H100, 40, size="1MiB"), bus(H200, 440)) == []


def test_a_floor_in_the_wrong_unit_is_found_without_a_sister() -> None:
    # NVIDIA/DCGM diag-skus: 2,333 MB/s of memory bandwidth for H200.
    [messages] = complaints({"match": H200, "value": 2.333})
    assert "far below the ceiling of h200-sxm: it tells nothing, or has the wrong unit" in messages


def test_a_floor_for_any_part_is_found() -> None:
    # ai-cloud-validation and cluster-health-scanner: 100 GB/s for every machine type.
    messages = of_collectives({"match": {"accelerators": "8", "size": "8GiB", "transport": "nvls"}, "value": 100})
    assert any("says no model" in message for message in messages)
    assert any("far below the ceiling of h100-sxm" in message for message in messages)


@pytest.mark.parametrize("lost", ["size", "accelerators", "transport"])
def test_a_figure_without_its_key_is_found(lost) -> None:
    row = bus(H100, 440)
    del row["match"][lost]
    assert any("lacks a key that the figure means nothing without" in message for message in of_collectives(row))


def test_a_floor_of_zero_is_found() -> None:
    # NVIDIA/DCGM diag-skus: pcie min_bandwidth 0.0 everywhere; oci-hpc: no limit of GB200 is a limit of 0.
    assert any("cannot fail" in message for message in of_collectives(bus(H100, 0)))


def test_a_larger_size_that_may_be_slower_is_found() -> None:
    rows = [bus(H100, 440, size="1GiB"), bus(H100, 380)]
    assert of_collectives(*rows) == ["l.yaml:1 is lower than that of a smaller size at l.yaml:0"]
    assert of_collectives(*rows[::-1]) == ["l.yaml:0 is lower than that of a smaller size at l.yaml:1"]


def test_measurements_may_waver_by_what_makes_nobody_degraded() -> None:
    # coreweave/nccl-tests: 380 at 2 GiB, 377 at 4 GiB.
    assert of_collectives(bus(H100, 380, size="2GiB"), bus(H100, 377, size="4GiB")) == []


def test_a_floor_that_a_node_with_a_missing_part_passes_is_found() -> None:
    # azurehpc-health-checks: 431 for H200, which 7 of 8 accelerators pass with 460 (stas00/ml-engineering).
    seven = {**bus(H200, 460, accelerators="7"), "kind": "measured"}
    six = {**bus(H200, 435.6, accelerators="6"), "kind": "measured"}
    messages = of_collectives(bus(H200, 431), seven, six)
    assert "l.yaml:0 lets a node with 7 accelerators pass, which reaches 460 (l.yaml:1)" in messages
    assert of_collectives(bus(H200, 431), seven, six, ranks_counted=True) == []
    assert of_collectives(bus(H200, 465), seven) == []


def test_the_tolerance_of_a_measurement_counts_when_a_part_is_missing() -> None:
    seven = {**bus(H200, 460, accelerators="7"), "kind": "measured"}
    assert any(
        "7 accelerators pass" in message for message in of_collectives({**bus(H200, 473), "kind": "measured"}, seven)
    )


def test_a_copy_faster_than_the_slot_is_found() -> None:
    # oci-hpc: 52 GB/s from the host for every model, although A100 has PCIe generation 4.
    a100 = {"accelerator": "a100-sxm-80"}
    link = {"ceiling": "host_link"}
    assert any(
        "above the ceiling of a100" in message for message in complaints({"match": a100, "value": 52}, metric=link)
    )
    assert complaints({"match": a100, "value": 24}, {"match": H100, "value": 48}, metric=link) == []


@pytest.mark.parametrize(
    ("key", "complaint"), [({"size": "8 gigabytes"}, "is no size"), ({"library": "2.27"}, "is no range of versions")]
)
def test_a_key_that_cannot_be_read_is_found(key, complaint) -> None:
    assert any(complaint in message for message in of_collectives(bus(H100, 440, **key)))


def test_a_floor_that_no_reading_can_reach_is_found() -> None:
    row = {"match": H100, "value": 1.5, "unit": "share"}
    messages = complaints(row, metric={"ceiling": "", "unit": "share", "most": 1.2})
    assert messages == ["l.yaml:0 cannot be met: no reading is higher"]
