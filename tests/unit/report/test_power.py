"""The single-line diagram."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rackwright.report.drawing_data import power as power_of
from rackwright.report.drawings import power
from tests import build
from tests.unit.report import geometry, scenes


def tree(design, rows=4, per_row=10, busways=True):
    """A hall with feeds of two UPS modules, a busway per row and feed, and losses."""
    hall = scenes.hall(design, rows, per_row)
    power_rows = []
    for feed in "AB":
        power_rows.append(
            {
                "element": feed,
                "kind": "feed",
                "feed": feed,
                "capacity_watts": 2e6,
                "load_watts": 7e5,
                "worst_watts": 1.4e6,
                "worst_loss": "feed B",
            }
        )
        power_rows += [
            {
                "element": f"{feed}-ups{n}",
                "kind": "ups",
                "parent": feed,
                "feed": feed,
                "sku": "ups",
                "capacity_watts": 5e5,
                "load_watts": 3.5e5,
                "worst_watts": 4.9e5,
            }
            for n in (1, 2)
        ]
        power_rows += [
            {
                "element": f"row{row}-{feed}",
                "kind": "busway",
                "parent": feed,
                "feed": feed,
                "sku": "busway-800a",
                "capacity_watts": 4e5,
                "load_watts": 1.9e5,
                "worst_watts": 4.5e5,
            }
            for row in range(1, rows + 1)
            if busways
        ]
    rows_of = dict(hall.racks.select("rack", "row").iter_rows())
    circuits = hall.circuits.to_dicts()
    for circuit in circuits:
        circuit["parent"] = f"row{rows_of[circuit['rack']]}-{circuit['feed']}" if busways else circuit["feed"]
    losses = [
        {"domain": "power", "kind": "feed", "element": "A", "nodes_down": 0, "remaining_share": 0.5, "survives": True, "must_survive": True, "says": "Losing feed A: everything keeps running."},
        {"domain": "power", "kind": "ups", "element": "A-ups1", "nodes_down": 9, "remaining_share": 0.5, "survives": False, "must_survive": False, "says": "Losing UPS A-ups1: 9 nodes down, and a long sentence that says why, at some length, so that it must be broken into lines."},
        {"domain": "cooling", "kind": "cdu", "element": "c", "survives": False, "says": "another domain"},
    ]  # fmt: skip
    return replace(
        hall,
        power=scenes.frame("power", power_rows),
        circuits=scenes.frame("circuits", circuits),
        losses=scenes.frame("losses", losses),
    )


@pytest.mark.parametrize(
    "shape", [(1, 4, True), (1, 4, False), (4, 10, True), (16, 24, True), (128, 32, False), (1, 1, False)]
)
def test_every_size_is_legible(design, shape):
    diagram = power_of.single_line(tree(design, *shape))
    geometry.assert_sound(power.drawing(diagram, "tiny"))
    assert len(diagram.branches) <= 60


@pytest.mark.parametrize("shape", [(1, 4), (4, 10), (16, 24)])
def test_load_and_circuits_are_conserved(design, shape):
    hall = tree(design, *shape, busways=False)
    diagram = power_of.single_line(hall)
    equal = {
        branch.name: int(branch.name.split("each of ")[1].split()[0]) if "each of" in branch.name else 1
        for branch in diagram.branches
    }
    assert sum(branch.racks * equal[branch.name] for branch in diagram.branches) == hall.racks.height
    for at, feed in enumerate("AB"):
        taps = [(tap, equal[branch.name]) for branch in diagram.branches for tap in branch.taps if tap.feed == at]
        mine = hall.circuits.filter(hall.circuits["feed"] == feed)
        assert sum(tap.circuits * times for tap, times in taps) == mine.height
        assert sum(tap.load_kw * times for tap, times in taps) == pytest.approx(mine["load_watts"].sum() / 1000)
        assert diagram.sources[at].load_kw == pytest.approx(mine["load_watts"].sum() / 1000)


def test_small_sites_show_racks_with_circuits_below_their_busway(design):
    diagram = power_of.single_line(tree(design, 1, 4))
    assert diagram.per == "rack"
    assert [branch.name for branch in diagram.branches] == ["hall-1 row 1", *(f"train-r{n:02d}" for n in range(1, 5))]
    assert diagram.branches[0].taps[0].way.worst_kw == 450
    assert diagram.branches[1].taps[0].names == ["A1"]


def test_equal_rows_are_one_branch(design):
    diagram = power_of.single_line(tree(design, 16, 20, busways=False))
    assert diagram.per == "row"
    assert [branch.name for branch in diagram.branches] == ["hall-1 row 1 to 16, each of 16 rows"]


def test_the_fullest_circuit_after_the_worst_loss_is_told(design):
    (tap, _) = power_of.single_line(tree(design, 1, 4)).branches[1].taps
    assert tap.worst_share == pytest.approx(40_000 / 32_777)
    assert ">122%<" in str(power.drawing(power_of.single_line(tree(design, 1, 4)), "tiny"))


def test_a_busway_that_carries_too_much_is_told(design):
    root = geometry.parsed(power.drawing(power_of.single_line(tree(design, 4, 10)), "tiny"))
    over = [e.text for e in root.iter(f"{geometry.SVG}text") if "w" in e.get("class", "").split()]
    assert "112%" in over


def test_losses_of_power_alone_worst_first(design):
    diagram = power_of.single_line(tree(design))
    assert [says.partition(":")[0] for says in diagram.losses] == ["Losing UPS A-ups1", "Losing feed A"]


def test_ups_modules_are_told_with_the_fullest_of_them(design):
    hall = tree(design)
    hall = scenes.with_site(
        hall, {"power": hall.site.facility.power.model_dump(mode="json") | {"ups": {"sku": "ups", "per_feed": 2}}}
    )
    source = power_of.single_line(hall).sources[0]
    assert (source.ups, source.ups_sku, source.ups_load_kw, source.ups_worst_kw) == (2, "ups", 350, 490)


def test_a_design_without_circuits_has_no_diagram(design):
    assert power_of.single_line(design) is None


def test_the_example_site_is_legible():
    design = build.site_design()
    diagram = power_of.single_line(design)
    geometry.assert_sound(power.drawing(diagram, "example"))
    assert sum(source.load_kw for source in diagram.sources) == pytest.approx(design.totals["it_kw"], rel=0.01)
