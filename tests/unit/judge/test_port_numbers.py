"""Ends of cables get the numbers of their ports."""

import polars as pl

from rackwright.judge.port_numbers import numbered
from tests import build


def test_every_end_has_the_number_of_its_port() -> None:
    plan = build.site_design()
    numbers = {row[:3]: row[3] for row in plan.ports.select("fabric", "device", "port", "number").iter_rows()}
    numbered_ends = numbered(plan.cables, plan.ports)
    assert numbered_ends.drop("a_number", "b_number").equals(plan.cables)
    for end in ("a", "b"):
        rows = numbered_ends.select("fabric", f"{end}_device", f"{end}_port", f"{end}_number").iter_rows()
        assert all(numbers.get(row[:3], 0) == row[3] for row in rows)


def test_an_end_in_no_port_of_the_design_has_none() -> None:
    schema = ("fabric", "device", "port", "number")
    ports = pl.DataFrame(
        [("f", "leaf", "1", 7), ("g", "leaf", "1", 8), ("g", "leaf", "2", 9)], schema=schema, orient="row"
    )
    ends = [
        ("f", "leaf", "1"),
        ("g", "leaf", "1"),
        ("f", "leaf", "2"),
        ("f", "lab", "1"),
        ("lab", "leaf", "1"),
        ("g", "leaf", "x"),
    ]
    cables = pl.DataFrame(
        {"fabric": [end[0] for end in ends]}
        | {
            f"{end}_{name}": [end_of_cable[at] for end_of_cable in ends]
            for end in ("a", "b")
            for at, name in ((1, "device"), (2, "port"))
        }
    )
    rows = numbered(cables, ports)
    assert rows["a_number"].to_list() == rows["b_number"].to_list() == [7, 8, 0, 0, 0, 0]


def test_without_cables_there_is_nothing_to_number() -> None:
    plan = build.site_design()
    assert numbered(plan.cables.clear(), plan.ports.clear()).height == 0
