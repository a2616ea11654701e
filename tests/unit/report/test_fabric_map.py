"""Fabrics of every shape: all cables are in bands, nothing overlaps, large ones stay small."""

from __future__ import annotations

import pytest

from rackwright.report.drawing_data import fabric
from rackwright.report.drawing_data.fabric_records import Band, Tile
from rackwright.report.drawings import fabric_sheet, fabric_tile
from tests.unit.report import geometry, scenes

SHAPES = {
    "small": lambda: scenes.clos(1, 8, 4, 2),
    "32 units": lambda: scenes.clos(32, 4, 8, 8),
    "80 units": lambda: scenes.clos(80, 2, 4, 4),
    "two planes": lambda: scenes.clos(4, 4, 4, 4, planes=2),
    "eight planes": lambda: scenes.clos(2, 2, 2, 2, planes=8),
    "pods": lambda: scenes.pods(6, 4, 4, 8),
    "many pods": lambda: scenes.pods(40, 4, 4, 8),
    "mesh": lambda: scenes.mesh(6),
    "large mesh": lambda: scenes.mesh(34),
    "dragonfly": lambda: scenes.dragonfly(9, 4),
    "large dragonfly": lambda: scenes.dragonfly(41, 4),
    "nvlink": lambda: scenes.nvlink(2),
    "nvlink racks": lambda: scenes.nvlink(40),
}


def graphs(design, web):
    (fabric_graph,) = fabric.fabrics(web.on(design))
    return fabric_graph


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_is_legible(design, shape):
    drawn = graphs(design, SHAPES[shape]())
    markup = fabric_sheet.drawing(drawn, "tiny")
    geometry.assert_sound(markup)
    assert len(str(markup)) < 250_000


@pytest.mark.parametrize(
    "shape", [name for name in SHAPES if name not in {"dragonfly", "large dragonfly", "mesh", "large mesh"}]
)
def test_every_cable_is_in_a_band(design, shape):
    web = SHAPES[shape]()
    graph = graphs(design, web).graphs[0]
    alike = {tile.key: column.alike for column in graph.columns for tile in column.tiles}
    cables = sum(band.cables * max(alike.get(band.a, 1), alike.get(band.b, 1)) for band in graph.bands)
    assert cables == len(web.cables)


@pytest.mark.parametrize("shape", [name for name in SHAPES if "dragonfly" not in name and "mesh" not in name])
def test_every_device_is_in_a_tile(design, shape):
    web = SHAPES[shape]()
    graph = graphs(design, web).graphs[0]
    drawn = sum(tile.count for tile in graph.shared)
    drawn += sum(tile.count * column.alike for column in graph.columns for tile in column.tiles)
    assert drawn == len(web.devices)


def test_a_small_fabric_shows_every_switch(design):
    (graph,) = graphs(design, scenes.clos(1, 8, 4, 2)).graphs
    switches = [tile for column in graph.columns for tile in column.tiles if tile.tier != "host"]
    assert {tile.first for tile in switches} == {f"compute-leaf-{n:02d}" for n in range(1, 5)} | {
        "compute-spine-01",
        "compute-spine-02",
    }


def test_a_large_fabric_shows_units_and_one_of_them_in_detail(design):
    graph, detail = graphs(design, scenes.clos(32, 4, 8, 8)).graphs
    leaves = [tile for column in graph.columns for tile in column.tiles if tile.tier == "leaf"]
    assert [tile.label for tile in leaves] == [f"train {n}" for n in range(1, 33)]
    assert {tile.count for tile in leaves} == {8}
    assert "unit 1 of pool train" in detail.title
    assert sum(tile.tier == "leaf" for column in detail.columns for tile in column.tiles) == 8


def test_planes_stand_side_by_side_above_hosts_they_share(design):
    graph = graphs(design, scenes.clos(4, 4, 4, 4, planes=2)).graphs[0]
    assert [column.label for column in graph.columns] == ["plane 1", "plane 2"]
    assert [tile.tier for tile in graph.shared] == ["host"]
    assert graph.shared[0].count == 16


def test_rails_that_are_fabrics_of_their_own_are_called_rails(design):
    web = scenes.Web()
    for rail in range(3):
        leaf, top = (
            web.switch("leaf", 1, prefix=f"compute-r{rail + 1}"),
            web.switch("spine", 1, prefix=f"compute-r{rail + 1}"),
        )
        web.join("leaf_spine", leaf, top, 4)
        for node in (1, 2):
            web.join("node_leaf", f"train-{node:04d}", leaf, rail=rail)
    for node in (1, 2):
        web.node(node, 1)
    (graph,) = graphs(design, web).graphs
    assert [column.label for column in graph.columns] == ["rail 1", "rail 2", "rail 3"]
    assert [tile.count for tile in graph.shared] == [2]


def test_a_narrow_tile_of_several_units_names_them_all():
    tile = Tile(key="k", tier="leaf", label="train 1 to 2", count=16, noun="ib", first="a", last="b")
    words = [
        word.text
        for word in geometry.words(
            geometry.parsed(
                f"<svg>{fabric_tile.drawing(tile, 0.0, 0.0, 42.0)}</svg>".replace(
                    "<svg>", '<svg xmlns="http://www.w3.org/2000/svg">'
                )
            )
        )
    ]
    assert words[0] in {"1 to 2", "1–2"}


def test_equal_pods_are_drawn_once_with_their_number(design):
    graph = graphs(design, scenes.pods(40, 4, 4, 8)).graphs[0]
    assert [(column.label, column.alike) for column in graph.columns] == [("40 alike: pod 1", 40)]
    assert [tile.tier for tile in graph.shared] == ["core"]


def test_a_mesh_is_a_ring_with_a_chord_for_every_pair(design):
    graph = graphs(design, scenes.mesh(6)).graphs[0]
    assert len(graph.ring) == 6
    assert len(graph.bands) == 15
    assert {band.cables for band in graph.bands} == {3}


def test_groups_of_a_dragonfly_are_members_of_the_ring(design):
    graph = graphs(design, scenes.dragonfly(9, 4)).graphs[0]
    assert len(graph.ring) == 9
    assert sum(band.cables for band in graph.bands) == 36
    assert {tile.count for tile in graph.ring} == {4}


def test_an_nvlink_domain_is_its_rack(design):
    graph = graphs(design, scenes.nvlink(40)).graphs[0]
    (column,) = graph.columns
    assert column.alike == 40
    assert sorted((tile.tier, tile.count) for tile in column.tiles) == [("host", 18), ("leaf", 9)]


def test_hover_says_what_a_bundle_holds(design):
    root = geometry.parsed(fabric_sheet.drawing(graphs(design, scenes.clos(32, 4, 8, 8)), "tiny"))
    assert any("128 cables of 400 Gb/s, 51.2 Tb/s, 2 on each of 64 pairs" in title for title in geometry.titles(root))


def test_a_wider_bundle_carries_more():
    widths = [fabric_tile.thickness(Band(a="a", b="b", cables=n, gbps=400, pairs=1)) for n in (1, 8, 64, 512, 5120)]
    assert widths == sorted(widths)
    assert widths[0] == 1
    assert widths[-1] <= 9


def test_hostile_names_stay_words(design):
    web = scenes.clos(1, 2, 2, 2)
    for row in web.devices:
        row["rack"] = '<script>"&'
        row["sku"] = "<b>&"
    root = geometry.assert_sound(fabric_sheet.drawing(graphs(design, web), "<tiny>"))
    assert not [element for element in root.iter() if element.tag.endswith(("script", "}b"))]


def test_the_order_of_the_tables_changes_nothing(design):
    web = scenes.clos(4, 4, 4, 4)
    markup = fabric_sheet.drawing(graphs(design, web), "tiny")
    web.cables.reverse()
    web.devices.reverse()
    assert fabric_sheet.drawing(graphs(design, web), "tiny") == markup


def test_many_equal_lines_are_thin_but_those_of_the_first_switch(design):
    crowded = fabric_sheet.drawing(graphs(design, scenes.clos(1, 2, 16, 8)), "site")
    assert crowded.count('class="strand faint"') == 16 * 7
    assert 'class="strand faint"' not in fabric_sheet.drawing(graphs(design, scenes.clos(1, 2, 8, 4)), "site")
