"""The result of an isolation, as the gate receives it."""

from __future__ import annotations

from rackwright import gate
from rackwright.flow import isolation_results
from rackwright.model.isolation import Blamed, Isolated
from rackwright.model.times import parse_time
from tests.unit.isolate import fleet

EARLIER = Isolated(
    run="first",
    taken="2026-11-20T08:00:00+00:00",
    fabric="compute",
    found=[Blamed(kind="rail", names=["n002/mlx5_0"], node="n002", probability=1.0)],
    faulty=["n002"],
    cleared=[],
    unsettled=[],
    uncovered=[],
    complete=True,
)


def result(verdict) -> Isolated:
    return isolation_results.result_of(verdict, "compute", "second", parse_time("2026-11-21T08:00:00+00:00"))


def test_who_stands_behind_a_faulty_switch_on_a_rail_is_not_cleared():
    verdict, _ = fleet.played(fleet.atoms(32, slots=2, per_leaf=8), "switch:leaf-1", "rail:n002/mlx5_0")
    assert "n002" in verdict.cleared, "no node is blamed for what nodes share"
    now = result(verdict)
    assert "n002" not in now.cleared
    assert "n002" in now.unsettled
    assert set(now.cleared) >= {f"n{number:03d}" for number in range(17, 33)}
    assert [hold.node for hold in gate.isolation_holds([EARLIER, now], ["n002", "n017"])] == ["n002"]


def test_who_was_exercised_whole_is_cleared():
    verdict, _ = fleet.played(fleet.atoms(16, slots=2, per_leaf=8))
    now = result(verdict)
    assert len(now.cleared) == 16
    assert gate.isolation_holds([EARLIER, now], ["n002"]) == []
