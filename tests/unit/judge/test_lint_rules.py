"""The rules of the linter at their boundaries, with every word of what they print."""

from __future__ import annotations

import pytest

from rackwright.judge.limits import LimitTable, Metric
from rackwright.judge.lint import lint
from rackwright.judge.lint_ceiling import ceiling
from rackwright.judge.lint_shape import lower_bound, size
from tests import build

SKUS = {sku: build.accelerator(sku) for sku in ("a100-sxm-80", "h100-sxm", "h200-sxm", "b200")}
MODEL = {"accelerator": "h100-sxm"}
POLICY = {
    "policy.floor_share": 0.5,
    "policy.warn_share": 0.9,
    "policy.sister_spread": 2.0,
    "policy.ceiling_share": 1.1,
    "policy.least_share": 0.25,
    "policy.large_bytes": 2**30,
}
DECLARED = {"unit": "share", "judged": "table", "says": "it"}


def problems(*rows, policy=POLICY, **metric):
    """Path, message, expected and value of every problem of some rows of metric ``m``."""
    fields = {"metric": "m", "unit": "GB/s", "judged": "at_least", "says": "it"} | metric
    metrics = [Metric(**fields), *(Metric(metric=name, **DECLARED) for name in policy)]
    limits = [
        build.row(build.limit("m", **({"unit": "GB/s", "match": MODEL} | row)), f"l:{n}") for n, row in enumerate(rows)
    ]
    shares = [build.row(build.limit(name, value=value), "p:1") for name, value in policy.items()]
    table = LimitTable(tuple(map(build.row, metrics)), (*limits, *shares))
    return [
        (problem.place, problem.path.removeprefix("m."), problem.message, problem.expected, problem.found)
        for problem in lint(table, SKUS)
        if problem.path.startswith("m.")
    ]


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"kind": "guess"}, ("kind", "is unknown", "measured, calibrated, vendor, operator, derived", "guess")),
        ({"date": "2026-1-1"}, ("date", "is no ISO date", "YYYY-MM-DD", "2026-1-1")),
        (
            {"match": {"library": "2.27"}},
            ("match.library", "is no range of versions", ">=2.24 <2.28", "2.27"),
        ),
        ({"match": {"size": "8 GB"}}, ("match.size", "is no size", "a number with B, KiB, MiB or GiB", "8 GB")),
    ],
)
def test_the_form_of_a_row(row, problem) -> None:
    assert problems({"value": 5} | row) == [("l:0", *problem)]


@pytest.mark.parametrize("kind", ["measured", "vendor", "operator", "derived"])
def test_a_row_that_is_well_formed(kind) -> None:
    match = {"library": ">=2 <3", "size": "8GiB"}
    assert problems({"value": 5, "kind": kind, "match": match, "date": "2026-11-21"}) == []


@pytest.mark.parametrize(
    ("match", "metric", "problem"),
    [
        (
            {"vendor": "nvidia", "size": "1GiB"},
            {"ceiling": "memory_gbytes_per_s"},
            ("says no model, and the metric depends on it", "accelerator or architecture or server"),
        ),
        ({"architecture": "hopper"}, {"ceiling": "memory_gbytes_per_s"}, None),
        ({"server": "dgx-h100"}, {"ceiling": "memory_gbytes_per_s"}, None),
        ({"size": "1GiB"}, {}, None),
        (
            {"vendor": "nvidia", "size": "1GiB"},
            {"keyed": ["size", "ranks", "transport"]},
            ("lacks a key that the figure means nothing without", "ranks, transport"),
        ),
        ({"size": "1GiB"}, {"keyed": ["size"]}, None),
    ],
)
def test_the_keys_of_a_row(match, metric, problem) -> None:
    text = ", ".join(f"{name} {value}" for name, value in match.items())
    assert problems({"value": 2000, "match": match}, **metric) == (
        [("l:0", "match", *problem, text)] if problem else []
    )


def test_a_row_without_a_key_says_so() -> None:
    [(*_, value)] = problems({"value": 5, "match": {}}, keyed=["size"])
    assert value == "no key"


@pytest.mark.parametrize(
    ("row", "metric", "message"),
    [
        ({"value": 0.1}, {"least": 0}, None),
        ({"value": 0}, {"least": 0}, "cannot fail: no reading is lower|more than 0|0"),
        ({"value": 2, "kind": "measured"}, {"least": 1}, "cannot fail: no reading is lower|more than 1|2"),
        ({"value": 2, "kind": "vendor"}, {"least": 1}, None),
        ({"value": 9}, {"most": 9}, None),
        ({"value": 9.5}, {"most": 9}, "cannot be met: no reading is higher|9 or less|9.5"),
        ({"value": 9}, {"most": 9, "judged": "at_most"}, "cannot fail: no reading is higher|less than 9|9"),
        ({"value": 8.9}, {"most": 9, "judged": "at_most"}, None),
        ({"value": 1}, {"least": 1, "judged": "at_most"}, None),
        ({"value": 0.5}, {"least": 1, "judged": "at_most"}, "cannot be met: no reading is lower|1 or more|0.5"),
        ({"value": "5"}, {}, "has the wrong type|a number|'5'"),
        ({"value": ["5"]}, {"judged": "at_most"}, "has the wrong type|a number|['5']"),
        ({"value": []}, {"judged": "words"}, "cannot fail: it asks for nothing|at least one word|[]"),
        ({"value": ""}, {"judged": "version"}, "cannot fail: it asks for nothing|at least one word|''"),
        ({"value": ""}, {"judged": "date"}, "cannot fail: it asks for nothing|at least one word|''"),
        ({"value": ["a"]}, {"judged": "words"}, None),
        ({"value": []}, {"judged": "table"}, None),
        ({"value": 5}, {"judged": "words", "least": 9, "most": 1}, None),
    ],
)
def test_a_limit_that_cannot_fail_or_cannot_be_met(row, metric, message) -> None:
    assert problems(row, **metric) == ([("l:0", "value", *message.split("|"))] if message else [])


@pytest.mark.parametrize(
    ("change", "name", "most"),
    [
        ({}, "scale_up", 450),
        ({"nvlink_links": 0}, "scale_up", 450),
        ({"nvlink_links": 0, "scale_up_gbytes_per_s": 0}, "scale_up", None),
        (
            {"nvlink_links": 0, "scale_up_gbytes_per_s": 0, "scale_up_links": 7, "scale_up_gbytes_per_s_per_link": 64},
            "scale_up",
            448,
        ),
        ({}, "scale_up_pair", 450),
        ({"scale_up": "infinity-fabric", "scale_up_gbytes_per_s_per_link": 64}, "scale_up_pair", 64),
        ({"scale_up": "hccs", "scale_up_gbytes_per_s_per_link": 28}, "scale_up_pair", 28),
        ({"scale_up": "hccs"}, "scale_up_pair", None),
        ({}, "host_link", 64),
        ({"pcie_width": 8}, "host_link", 32),
        ({"pcie_generation": 4}, "host_link", None),
        ({"pcie_width": 0}, "host_link", None),
        ({}, "memory_gbytes_per_s", 3350),
        ({"bf16_dense_tflops": None}, "bf16_dense_tflops", None),
    ],
)
def test_what_a_part_can_do(change, name, most) -> None:
    lane = build.row(build.limit("pcie.lane_gbytes_per_s", value=4, match={"generation": "5"}))
    assert ceiling(build.accelerator(**change), name, LimitTable((), (lane,))) == most


MEMORY = {"ceiling": "memory_gbytes_per_s"}


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"value": 3685}, None),
        ({"value": 3686}, "is above the ceiling of h100-sxm|at most 3685|3686"),
        ({"value": 837.5}, None),
        ({"value": 837}, "far|at least 837.5|837"),
        ({"value": 1675, "kind": "measured"}, None),
        ({"value": 1674, "kind": "measured"}, "far|at least 837.5|837"),
        ({"value": 837, "match": {**MODEL, "size": "1GiB"}}, "far|at least 837.5|837"),
        ({"value": 837, "match": {**MODEL, "size": "1023MiB"}}, None),
        ({"value": 837, "match": {**MODEL, "vendor": "amd"}}, None),
        ({"value": "fast"}, "has the wrong type|a number|'fast'"),
    ],
)
def test_floors_beside_what_the_hardware_can_do(row, problem) -> None:
    far = "is far below the ceiling of h100-sxm: it tells nothing, or has the wrong unit"
    expected = [("l:0", "value", *problem.replace("far|", f"{far}|", 1).split("|"))] if problem else []
    assert problems(row, **MEMORY) == expected


def test_a_ceiling_counts_for_floors_alone_and_for_every_part_of_a_row() -> None:
    assert problems({"value": 9999}, judged="at_most", **MEMORY) == []
    assert problems({"value": 9999}) == []
    rows = problems({"value": 4000, "match": {"vendor": "nvidia", "architecture": "hopper"}}, **MEMORY)
    assert [message for _, _, message, *_ in rows] == ["is above the ceiling of h100-sxm"]
    assert problems({"value": 3351}, policy={}, **MEMORY)[0][3] == "at most 3350"
    assert problems({"value": 1}, policy={}, **MEMORY) == []
    small = {"value": 800, "match": {**MODEL, "size": "1MiB"}}
    assert problems(small, policy=POLICY | {"policy.large_bytes": "many"}, **MEMORY)[0][3] == "at least 837.5"


@pytest.mark.parametrize(("value", "apart"), [(8000, None), (8040, "2.01"), (2000, None), (1990, "2.01")])
def test_sister_parts_need_like_shares_of_their_ceilings(value, apart) -> None:
    rows = [{"value": 1675}, {"value": value, "match": {"accelerator": "b200"}}]
    policy = POLICY | {"policy.ceiling_share": 9, "policy.least_share": 0}
    message = "disagrees with its sister at l:0"
    assert problems(*rows, policy=policy, **MEMORY) == (
        [("l:1", "value", message, "within a factor 2", f"{apart} times apart")] if apart else []
    )


@pytest.mark.parametrize(
    "match", [{"size": "1GiB"}, {"architecture": "hopper", "accelerator": "h200-sxm"}, {"vendor": "amd"}]
)
def test_rows_of_other_keys_are_no_sisters(match) -> None:
    policy = POLICY | {"policy.least_share": 0}
    assert problems({"value": 3000}, {"value": 100, "match": match}, policy=policy, **MEMORY)[1:] == []


@pytest.mark.parametrize(
    ("value", "message"), [(0, "cannot fail: no reading is lower"), ("fast", "has the wrong type")]
)
def test_a_floor_that_is_none_has_no_sister(value, message) -> None:
    rows = [{"value": 3000}, {"value": value, "match": {"accelerator": "b200"}}]
    policy = {"policy.sister_spread": 2}
    assert [problem[2] for problem in problems(*rows, policy=policy, least=0, **MEMORY)] == [message]


def test_without_a_spread_no_sisters_are_compared() -> None:
    rows = [{"value": 3000}, {"value": 100, "match": {"accelerator": "b200"}}]
    assert problems(*rows, policy={}, **MEMORY) == []
    assert len(problems(*rows, policy={"policy.sister_spread": 2}, **MEMORY)) == 1


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("8GiB", 8 * 2**30),
        ("1.5 MiB", 1.5 * 2**20),
        ("4KiB", 4096),
        ("7B", 7),
        ("8 GB", None),
        ("GiB", None),
        ("", None),
    ],
)
def test_sizes(text, count) -> None:
    assert size(text) == count


@pytest.mark.parametrize(
    ("row", "policy", "floor"),
    [
        ({"value": 10, "kind": "measured"}, 0.5, 5),
        ({"value": 10, "kind": "vendor"}, 0.5, 10),
        ({"value": 10, "kind": "measured"}, None, 10),
        ({"value": 10, "kind": "measured"}, "half", 10),
        ({"value": "ten", "kind": "measured"}, 0.5, None),
    ],
)
def test_what_a_part_fails_below(row, policy, floor) -> None:
    rows = () if policy is None else (build.row(build.limit("policy.floor_share", value=policy)),)
    assert lower_bound(LimitTable((), rows), build.limit("m", **row)) == floor


def sized(value, text: str, **match: str):
    return {"value": value, "match": {"size": text, **match}}


@pytest.mark.parametrize(
    ("rows", "slower"),
    [
        ([sized(100, "1MiB"), sized(90, "1GiB")], []),
        ([sized(100, "1MiB"), sized(89, "1GiB")], [("l:1", "l:0", "90", "89")]),
        ([sized(89, "1GiB"), sized(100, "1MiB")], [("l:0", "l:1", "90", "89")]),
        ([sized(100, "1KiB"), sized(95, "1MiB"), sized(89, "1GiB")], [("l:2", "l:0", "90", "89")]),
        ([sized(100, "1KiB"), sized(200, "1MiB"), sized(150, "1GiB")], [("l:2", "l:1", "180", "150")]),
        ([sized(100, "1MiB"), sized(50, "1GiB", vendor="x")], []),
        ([sized(100, "1MiB"), {"value": 50, "match": {}}], []),
    ],
)
@pytest.mark.parametrize("judged", ["at_least", "at_most"])
def test_larger_sizes_are_not_slower(rows, slower, judged) -> None:
    assert problems(*rows, judged=judged) == [
        (place, "value", f"is lower than that of a smaller size at {best}", f"at least {least}", value)
        for place, best, least, value in slower
    ]
    assert problems(*rows, judged="table") == []


def test_without_a_policy_a_larger_size_may_not_be_slower_at_all() -> None:
    rows = [sized(100, "1MiB"), sized(99, "1GiB")]
    assert problems(*rows, policy={})[0][3:] == ("at least 100", "99")
    assert problems(rows[0], sized(100, "1GiB"), policy={}) == []
    assert problems(*rows, policy={"policy.warn_share": "most"})[0][3:] == ("at least 100", "99")


def counted(value, accelerators: str, **change):
    return {"value": value, "match": {"accelerators": accelerators}, "kind": "measured", **change}


@pytest.mark.parametrize(
    ("rows", "count"),
    [
        ([counted(100, "8", kind="vendor"), counted(100, "7")], "7"),
        ([counted(100, "8", kind="vendor"), counted(99, "7")], None),
        ([counted(100, "8"), counted(50, "7")], "7"),
        ([counted(100, "8"), counted(49, "7")], None),
        ([counted(100, "8", kind="vendor"), counted(100, "7", kind="vendor")], None),
        ([counted(100, "8", kind="vendor"), counted(300, "9")], None),
        ([counted(100, "8", kind="vendor"), counted(100, "some")], "some"),
        ([counted(100, "8", kind="vendor"), counted(120, "6"), counted(110, "7"), counted(130, "4")], "7"),
    ],
)
def test_a_node_with_a_missing_part_does_not_pass(rows, count) -> None:
    value = next((row["value"] for row in rows if row["match"]["accelerators"] == count), None)
    place = f"l:{[row['match']['accelerators'] for row in rows].index(count)}" if count else ""
    message = f"lets a node with {count} accelerators pass, which reaches {value} ({place})"
    floor = "50" if rows[0]["kind"] == "measured" else "100"
    expected = [("l:0", "value", message, "a higher floor, or a check that counts ranks", floor)] if count else []
    assert [problem for problem in problems(*rows) if problem[0] == "l:0"] == expected
    assert problems(*rows, ranks_counted=True) == problems(*rows, judged="at_most") == []


def test_a_floor_without_a_number_lets_no_node_pass() -> None:
    messages = {problem[2] for problem in problems(counted("fast", "8"), counted(100, "7"))}
    assert messages == {"has the wrong type"}
    messages = {problem[2] for problem in problems(counted(100, "8", kind="vendor"), counted("fast", "7"))}
    assert messages == {"has the wrong type"}
