from __future__ import annotations

import numpy as np
import pytest

from rackwright import catalog, design
from rackwright.base.errors import ProblemsError
from rackwright.catalog.plugs import carriers
from rackwright.design.cabling import FloorPositions, run_meters, standard_lengths
from rackwright.design.plug_choice import LinkEnds, choose_parts
from rackwright.model.site import Site


def floor(*places, between=np.nan):
    """Places as row, position, hall and unit in a rack of 48 units of 600 mm, rows 2,400 mm apart."""
    row, position, hall, unit = (np.array(column) for column in zip(*places, strict=True))
    rack = np.unique(np.stack([row, position, hall]), axis=1, return_inverse=True)[1].reshape(-1)
    routes = np.array([[0, between], [between, 0]])
    return FloorPositions(rack, hall, position * 600.0, row * 2400.0, (48 - unit) * 44.45, unit * 44.45, routes)


def meters(parts_catalog, *places, **change):
    return run_meters(floor(*places, **change), np.array([0]), np.array([1]), parts_catalog.routing)[0]


def test_within_a_rack_the_cable_runs_beside_the_devices(parts_catalog):
    # 2 x (400 exit + 300 slack) + 10 x 44.45
    assert meters(parts_catalog, (1, 1, 0, 10), (1, 1, 0, 20)) == pytest.approx(1.8445)


def test_between_racks_it_runs_over_the_tray(parts_catalog):
    # 1400 ends + 2 x (8 x 44.45 + 500) climb + 3 x 600 along + 1 x 2400 across
    there = meters(parts_catalog, (1, 1, 0, 40), (2, 4, 0, 40))
    assert there == pytest.approx(7.3112)
    assert there == meters(parts_catalog, (2, 4, 0, 40), (1, 1, 0, 40))


def test_between_halls_it_runs_over_the_declared_route(parts_catalog):
    assert np.isnan(meters(parts_catalog, (1, 1, 0, 1), (1, 1, 1, 1)))
    # 1400 ends + 2 x 2589.15 climb + 2 x (600 along + 2400 across) + 50,000 of route
    assert meters(parts_catalog, (1, 1, 0, 1), (1, 1, 1, 1), between=50.0) == pytest.approx(62.5783)


def chosen(parts_catalog, gbps, transport, *links, forms=("OSFP", "OSFP-RHS", "QSFP112", "QSFP28", "RJ45")):
    """SKUs of links given as cage, its form, cage nearer to the node, its form, and metres."""
    cage, form, node_cage, node_form, meters = zip(*links, strict=True)
    number = {name: at for at, name in enumerate(forms)}
    columns = [
        np.array(column) for column in (cage, node_cage, [number[f] for f in form], [number[f] for f in node_form])
    ]
    ends = LinkEnds(*columns, list(forms), np.array(meters, dtype=float))
    parts = carriers(parts_catalog.cables.values(), gbps, transport, parts_catalog.optics)
    return [parts[at].sku for at in choose_parts(ends, parts, parts_catalog.optics)]


@pytest.mark.parametrize(
    ("gbps", "transport", "form", "node_form", "meters", "sku"),
    [
        (400, "infiniband", "OSFP", "OSFP", 1.9, "mcp4y10"),
        (400, "infiniband", "OSFP", "OSFP", 2.1, "mma4z00"),
        (400, "infiniband", "OSFP", "OSFP-RHS", 2.1, "mcp7y00"),
        (400, "infiniband", "OSFP", "OSFP-RHS", 10, "mma4z00-rhs"),
        (400, "infiniband", "OSFP", "QSFP112", 60, "mms4x00-qsfp112"),
        (400, "infiniband", "OSFP", "OSFP", 51, "mms4x00-ns"),
        (400, "infiniband", "OSFP", "OSFP", 99999, "mms4x90"),
        (1, "ethernet", "RJ45", "RJ45", 5, "cat6"),
        (1, "ethernet", "RJ45", "RJ45", 200, "cat6"),
        (100, "ethernet", "QSFP28", "QSFP112", 5, "mcp1600"),
        (100, "ethernet", "QSFP28", "QSFP112", 8, "mma1b00"),
    ],
)
def test_the_part_that_fits_both_cages_with_the_shortest_sufficient_reach(
    parts_catalog, gbps, transport, form, node_form, meters, sku
):
    assert chosen(parts_catalog, gbps, transport, (0, form, 1, node_form, meters)) == [sku]


def test_links_of_one_cage_share_its_plug(parts_catalog):
    near, far = (0, "OSFP", 1, "OSFP-RHS", 2), (0, "OSFP", 2, "QSFP112", 20)
    assert chosen(parts_catalog, 400, "infiniband", near, far) == ["mma4z00-rhs", "mma4z00-qsfp112"]
    assert chosen(parts_catalog, 400, "infiniband", near, (3, *far[1:])) == ["mcp7y00", "mma4z00-qsfp112"]


def test_a_twin_cable_joins_two_cages_and_a_splitter_one_with_two_nodes(parts_catalog):
    together = [(0, "OSFP", 1, "OSFP", 1), (0, "OSFP", 1, "OSFP", 1)]
    assert chosen(parts_catalog, 400, "infiniband", *together) == ["mcp4y10", "mcp4y10"]
    crossed = [(0, "OSFP", 2, "OSFP", 1), (0, "OSFP", 3, "OSFP", 1)]
    assert chosen(parts_catalog, 400, "infiniband", *crossed) == ["mma4z00", "mma4z00"]
    nodes = [(0, "OSFP", 2, "QSFP112", 1), (0, "OSFP", 3, "QSFP112", 1)]
    assert chosen(parts_catalog, 400, "infiniband", *nodes) == ["mcp7y10", "mcp7y10"]
    twin_cages_of_a_node = [(0, "OSFP", 2, "OSFP-RHS", 8), (1, "OSFP", 2, "OSFP-RHS", 9)]
    assert chosen(parts_catalog, 400, "infiniband", *twin_cages_of_a_node) == ["mma4z00-flt", "mma4z00-flt"]


def test_a_rate_without_a_cable(data, parts_catalog):
    part = parts_catalog.switches["sn2201"].model_dump(exclude_none=True)
    data["catalog"] = [
        part | {"sku": "sn77", "uplinks": {"count": 4, "gbps": 77}, "ports": part["ports"] | {"rates": [77]}}
    ]
    data["fabrics"][3]["switch"] = "sn77"
    loaded = catalog.load(data["catalog"])
    with pytest.raises(ProblemsError) as raised:
        design.expand(Site.model_validate(data), loaded)
    assert raised.value.problems[0].code == "design.no_cable"


def test_ordered_lengths_are_standard_lengths(parts_catalog):
    part = parts_catalog.cables["mma4z00"]
    every = np.zeros(3, dtype=np.int64)
    assert list(standard_lengths([part], every, np.array([3.1, 5, 61.26]))) == [5, 5, 61.3]
    assert np.isnan(standard_lengths([part], every[:1], np.array([np.nan]))[0])


def test_lengths_grow_with_distance(example):
    rows = {row["cable"]: row["length_meters"] for row in example.cables.iter_rows(named=True)}
    assert rows["train-001:mlx5_0"] == 10
    assert rows["train-031:mlx5_0"] == 5
