from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rackwright.base.errors import ProblemsError
from rackwright.design.deployment.schedule import Batch, schedule
from rackwright.design.deployment.work import SHARED, Work, by_unit
from rackwright.model.economics import Deployment

FIRST, SECOND = "2027-01-04", "2027-01-06"


@pytest.fixture
def phased(plain):
    def make(*phases, **rates):
        def change(data):
            data["pools"][0].update(count=62)
            data["control"]["ufm"]["servers"]["count"] = 1
            data["facility"]["halls"][0].update(rows=4)
            data["facility"]["power"].update(feed_kw=900)
            names = [{"name": name, "pool": "train", "scalable_units": n, "start": start} for name, n, start in phases]
            data["deployment"] = {"phases": names, **rates}

        return plain(change)

    return make


def test_the_work_of_the_units_is_the_whole_site(phased):
    phased_design = phased()
    units = by_unit(phased_design)
    complete = sum(units.values(), Work())
    assert complete == Work(len(phased_design.racks), len(phased_design.cables), 62, 496)
    assert set(units) == {SHARED, ("train", 1), ("train", 2)}
    assert units["train", 1].nodes == 32
    assert units["train", 2].accelerators == 30 * 8


def test_without_phases_there_are_durations_and_no_dates(phased):
    study = phased(racks_per_day=5, cables_per_day=100, nodes_per_day=10).studies["deployment"]
    complete = study["whole_site"]
    assert (study["phases"], study["capacity"], study["not_in_a_phase"]) == ([], [], {})
    assert complete["rack_days"] == -(-complete["racks"] // 5)
    assert complete["node_days"] == 7
    assert complete["days"] == complete["rack_days"] + complete["cable_days"] + 7


def test_phases_get_their_dates(phased):
    phased_design = phased(("one", 1, FIRST), ("two", 1, SECOND), nodes_per_day=16, acceptance_days=3)
    first, two = phased_design.studies["deployment"]["phases"]
    assert first["units"] == ["train unit 1"]
    assert (
        first["delivered"] == FIRST < first["racks_placed"] < first["cabled"] < first["onboarded"] < first["accepted"]
    )
    onboarded = date.fromisoformat(first["onboarded"]) - date.fromisoformat(first["cabled"])
    assert onboarded.days == 2
    assert (date.fromisoformat(first["accepted"]) - date.fromisoformat(first["onboarded"])).days == 3
    assert two["nodes"] == 30
    assert [row["accelerators"] for row in phased_design.studies["deployment"]["capacity"]] == [256, 496]
    assert phased_design.studies["deployment"]["capacity"][0]["date"] == first["accepted"]
    assert phased_design.studies["deployment"]["not_in_a_phase"]["nodes"] == 0


def test_phases_are_taken_by_their_start_and_not_by_their_place(phased):
    in_order = phased(("one", 1, FIRST), ("two", 1, SECOND)).studies["deployment"]
    swapped = phased(("two", 1, SECOND), ("one", 1, FIRST)).studies["deployment"]
    assert in_order == swapped


def test_what_is_in_no_phase_is_named(phased):
    remaining = phased(("one", 1, FIRST)).studies["deployment"]["not_in_a_phase"]
    assert (remaining["units"], remaining["nodes"]) == (["train unit 2"], 30)


def test_a_crew_is_in_one_place_at_a_time(phased):
    study = phased(("one", 1, FIRST), ("two", 1, FIRST), racks_per_day=1).studies["deployment"]
    first, two = study["phases"]
    gap = date.fromisoformat(two["racks_placed"]) - date.fromisoformat(first["racks_placed"])
    assert gap.days == two["racks"]


def test_an_end_beyond_the_calendar_is_a_problem_and_no_crash(phased):
    with pytest.raises(ProblemsError, match="never ends"):
        phased(("one", 1, "9999-12-30"), racks_per_day=1)


works = st.builds(Work, racks=st.integers(0, 500), cables=st.integers(0, 50_000), nodes=st.integers(0, 2_000))
rates = st.builds(
    Deployment,
    racks_per_day=st.integers(1, 50),
    cables_per_day=st.integers(1, 5_000),
    nodes_per_day=st.integers(1, 500),
    acceptance_days=st.integers(0, 30),
)


@given(work=st.lists(st.tuples(st.integers(1, 3_000), works), min_size=1, max_size=5), rates=rates)
def test_steps_never_overlap_within_a_crew_nor_come_before_what_they_need(work, rates):
    batches = [
        Batch(str(at), start, entry, ((("p", at), entry),))
        for at, (start, entry) in enumerate(sorted(work, key=lambda pair: pair[0]))
    ]
    last = None
    for batch, dates in zip(batches, schedule(batches, rates), strict=True):
        assert batch.start - 1 <= dates.placed <= dates.cabled <= dates.onboarded <= dates.accepted
        assert dates.units == (dates.accepted,)
        if last is not None:
            assert dates.placed - last.placed >= -(-batch.work.racks // rates.racks_per_day)
            assert dates.cabled - last.cabled >= -(-batch.work.cables // rates.cables_per_day)
            assert dates.onboarded - last.onboarded >= -(-batch.work.nodes // rates.nodes_per_day)
        last = dates
