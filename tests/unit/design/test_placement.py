from __future__ import annotations

import pytest

from rackwright.base.errors import ProblemsError
from rackwright.design.rules.structure import unit_halls
from rackwright.model.site import Site
from rackwright.spec.crosscheck import facility


def racks(design):
    return {row["rack"]: (row["hall"], row["row"], row["position"]) for row in design.racks.iter_rows(named=True)}


def test_units_racks_stand_side_by_side(example):
    names = [f"train-r0{i}" for i in range(1, 9)] + ["fabric-r01", "site-r01"]
    assert racks(example) == {name: ("hall-1", 1, at) for at, name in enumerate(names, start=1)}
    assert list(example.racks["kind"]) == ["compute"] * 8 + ["fabric", "management"]


def test_a_rack_with_a_place_of_its_own_stands_there(expanded):
    place = {"rack": "train-r02", "hall": "hall-1", "row": 2, "position": 10}
    rack_names = racks(expanded(lambda data: data["facility"].update(racks=[place])))
    assert rack_names["train-r02"] == ("hall-1", 2, 10)
    assert rack_names["train-r03"] == ("hall-1", 1, 2)
    assert len(set(rack_names.values())) == len(rack_names)


def test_a_reserved_rack_keeps_its_place(expanded):
    rack_names = racks(expanded(lambda data: data["pools"][0].update(count=9)))
    assert [name for name in rack_names if name.startswith("train")] == ["train-r01", "train-r02", "train-r03"]
    assert rack_names["fabric-r01"] == ("hall-1", 1, 9)


def test_switches_hang_from_the_top_and_go_on_in_a_second_rack(expanded):
    def change(data):
        data["pools"][0]["count"] = 1
        data["control"]["slurm"]["controllers"]["count"] = 34
        data["control"]["ufm"]["servers"]["count"] = 10

    design = expanded(change)
    at = {row["device"]: (row["rack"], row["unit"]) for row in design.devices.iter_rows(named=True)}
    assert at["compute-leaf-01"] == ("fabric-r01", 48)
    assert at["compute-spine-01"] == ("site-r01", 48)
    assert at["slurm-01"] == ("site-r01", 43)
    assert at["ufm-09"] == ("site-r01", 1)
    assert at["ufm-10"] == ("site-r02", 48)


@pytest.mark.parametrize(
    ("change", "code", "path"),
    [
        (
            lambda data: data["facility"]["halls"][0].update(rows=1, racks_per_row=9),
            "design.hall_full",
            "facility.halls",
        ),
        (lambda data: data["pools"][0].update(servers_per_rack=7), "design.rack_units", "pools[0].servers_per_rack"),
        (
            lambda data: data["facility"].update(racks=[{"rack": "r", "hall": "hall-1", "row": 1, "position": 1}]),
            "design.unknown_rack",
            "facility.racks[0].rack",
        ),
    ],
)
def test_what_does_not_fit(expanded, change, code, path):
    with pytest.raises(ProblemsError) as raised:
        expanded(change)
    assert [(problem.code, problem.path) for problem in raised.value.problems] == [(code, path)]


def in_halls(*, rows=1, per_row=12, **pool):
    def change(data):
        hall = data["facility"]["halls"][0] | {"rows": rows, "racks_per_row": per_row}
        data["facility"]["halls"] = [hall, hall | {"name": "hall-2"}]
        data["facility"]["routes"] = [{"halls": ["hall-1", "hall-2"], "meters": 30}]
        data["pools"][0].update(pool)

    return change


def halls(design):
    return {row["rack"]: (row["hall"], row["row"]) for row in design.racks.iter_rows(named=True)}


def test_a_unit_stands_in_one_hall_where_one_has_room(expanded):
    places = halls(expanded(in_halls(count=62)))
    units = [{places[f"train-r{number:02d}"][0] for number in range(first, first + 8)} for first in (1, 9)]
    assert units == [{"hall-1"}, {"hall-2"}]


def test_a_unit_larger_than_a_hall_is_split_and_the_rule_says_so(example, expanded):
    assert list(unit_halls.RULE.judge(example)) == [], "one hall"
    design = expanded(in_halls(per_row=7))
    (judged,) = unit_halls.RULE.judge(design)
    assert judged[1].outcome == "degraded"
    assert "unit 1 in hall-1 and hall-2" in judged[1].says
    (judged,) = unit_halls.RULE.judge(expanded(in_halls(count=62)))
    assert judged[1].outcome == "pass"
    assert "2 scalable units, each in one hall" in judged[1].says


def test_a_pool_stands_in_its_hall_and_row(expanded):
    places = halls(expanded(in_halls(rows=3, hall="hall-2", row=2)))
    assert {place for rack, place in places.items() if rack.startswith(("train", "fabric"))} == {("hall-2", 2)}
    assert places["site-r01"][0] == "hall-1"


@pytest.mark.parametrize(
    ("pool", "path"), [({"hall": "hall-2", "row": 1}, "pools[0].row"), ({"hall": "hall-2"}, "pools[0].hall")]
)
def test_a_hall_without_room_for_its_pool(expanded, pool, path):
    with pytest.raises(ProblemsError) as raised:
        expanded(in_halls(per_row=7, **pool))
    assert [(problem.code, problem.path) for problem in raised.value.problems] == [("design.hall_full", path)]


@pytest.mark.parametrize(
    ("pool", "code", "path"),
    [
        ({"hall": "hall-3"}, "spec.unknown_hall", "pools[0].hall"),
        ({"hall": "hall-2", "row": 9}, "spec.outside_hall", "pools[0].row"),
        ({"row": 1}, "spec.no_hall", "pools[0].row"),
    ],
)
def test_a_place_that_no_pool_can_have(data, parts_catalog, pool, code, path):
    in_halls(**pool)(data)
    problems = list(facility.pool_places(Site.model_validate(data), parts_catalog))
    assert [(problem.code, problem.path) for problem in problems] == [(code, path)]
