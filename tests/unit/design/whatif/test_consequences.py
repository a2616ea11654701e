"""What-if on a site with every kind of thing that can be lost."""

from __future__ import annotations

import json

import pytest

from rackwright import catalog, design
from rackwright.base.errors import UsageError
from rackwright.design import whatif
from rackwright.design.sizing import SizeRequest, size_site
from rackwright.model.design import Design
from rackwright.model.site import Site


@pytest.fixture(scope="module")
def sized() -> Design:
    return size_site(SizeRequest(504, "dgx-h100", "ndr-rail"), catalog.load()).design


@pytest.fixture(scope="module")
def wet() -> Design:
    return size_site(SizeRequest(512, "mi355x-dlc-4u", "roce-dual-plane"), catalog.load()).design


def lose(built_design: Design, text: str) -> whatif.Consequence:
    return whatif.simulate_scenario(built_design, whatif.parse_scenario(text))


def test_a_feed_that_must_be_survived(sized):
    consequence = lose(sized, "lose feed a")
    assert consequence.survives
    assert consequence.must_survive
    assert consequence.devices_down == ()
    assert (consequence.nodes_left, consequence.accelerators_left) == (63, 504)
    feeds = {load.element: load for load in consequence.loads if load.kind == "feed"}
    assert set(feeds) == {"B", "C"}
    before = {row["element"]: row for row in sized.power.iter_rows(named=True)}
    assert sum(load.load for load in feeds.values()) == pytest.approx(
        sum(before[feed]["load_watts"] for feed in "ABC") / 1000, rel=1e-3
    )
    assert "feed A" in consequence.says[0]


def test_two_feeds_take_everything_down(sized):
    consequence = lose(sized, "lose feeds A and B")
    assert not consequence.survives
    assert not consequence.must_survive
    assert consequence.nodes_left == 0
    assert {failure.rule for failure in consequence.failing} >= {"design.feed_capacity", "design.power_supplies"}
    assert all(fabric.bisection_gbps == 0 for fabric in consequence.fabrics)


def test_ups_modules_are_counted_by_feed(sized):
    assert lose(sized, "lose ups A-1").must_survive
    two = lose(sized, "lose ups A-1 and ups A-2")
    assert "does not cover 2" in two.declared[0]
    assert lose(sized, "lose ups A-1 and ups B-1").must_survive


def test_supplies_of_one_node(sized):
    assert lose(sized, "lose psu train-001 2").survives
    three = lose(sized, "lose psu train-001 1 and psu train-001 2 and psu train-001 3")
    assert three.devices_down == ("train-001",)
    assert three.nodes_left == 62
    apart = lose(sized, "lose psu train-001 1 and psu train-005 1 and psu train-009 1")
    assert apart.survives


def test_a_pdu_and_a_circuit_are_the_same_loss(sized):
    pdu, circuit = lose(sized, "lose pdu train-r01-A1"), lose(sized, "lose circuit train-r01-A1")
    assert pdu.survives
    assert pdu.loads == circuit.loads


def test_a_spine_takes_its_share_of_the_bisection(sized):
    spines = sized.totals["fabrics"]["compute"]["spine"]
    consequence = lose(sized, "lose switch compute-spine-1")
    (compute,) = [fabric for fabric in consequence.fabrics if fabric.fabric == "compute"]
    assert compute.bisection_share == pytest.approx(1 - 1 / spines, abs=0.02)
    assert consequence.survives


def test_a_leaf_slows_the_nodes_of_its_rail(sized):
    consequence = lose(sized, "lose switch compute-leaf-01")
    (compute,) = [fabric for fabric in consequence.fabrics if fabric.fabric == "compute"]
    assert compute.nodes_slowed == 32
    assert compute.nodes_cut_off == 0


def test_both_leaves_of_a_unit_cut_it_off(sized):
    consequence = lose(sized, "lose switch inband-leaf-01 and switch inband-leaf-02")
    assert consequence.nodes_cut_off == 32
    assert consequence.nodes_left == 31
    assert not consequence.survives
    assert "cut off" in consequence.says[0]


def test_a_cable_by_either_end(sized):
    row = sized.cables.row(0, named=True)
    near = lose(sized, f"lose cable {row['a_device']}:{row['a_port']}")
    far = lose(sized, f"lose cable {row['b_device']}:{row['b_port']}")
    assert [fabric.bisection_gbps for fabric in near.fabrics] == [fabric.bisection_gbps for fabric in far.fabrics]
    assert sum(fabric.nodes_slowed for fabric in near.fabrics) == 1


def test_cables_between_switches(sized):
    up = sized.cables.filter((sized.cables["fabric"] == "compute") & (sized.cables["kind"] == "leaf_spine"))
    names = up["cable"].to_list()[:16]
    consequence = lose(sized, "lose " + " and ".join(f"cable {name}" for name in names))
    (compute,) = [fabric for fabric in consequence.fabrics if fabric.fabric == "compute"]
    assert 0.9 < compute.bisection_share < 1


def test_places(sized):
    assert lose(sized, "lose rack train-r01").nodes_left == 59
    assert lose(sized, "lose node train-001").nodes_left == 62
    assert lose(sized, "lose hall hall-1").nodes_left == 0
    assert lose(sized, "lose row hall-1 1").nodes_left < 63


def test_storage_servers(sized):
    (tier,) = sized.site.storage
    servers = sized.devices.filter(sized.devices["role"] == "storage")["device"].to_list()
    consequence = lose(sized, "lose " + " and ".join(f"server {name}" for name in servers))
    assert [failure.rule for failure in consequence.failing] == ["design.storage_servers"] * 2
    assert f"0 of {tier.servers.count} servers" in consequence.failing[0].says


def test_cooling(wet):
    cdu = wet.cooling.filter(wet.cooling["kind"] == "cdu")["unit"].to_list()
    crah = wet.cooling.filter(wet.cooling["kind"] == "crah")["unit"].to_list()
    assert lose(wet, f"lose cdu {cdu[0]}").must_survive
    assert lose(wet, f"lose pump {cdu[0]}").survives
    assert lose(wet, f"lose crah {crah[0]}").survives
    every = lose(wet, "lose " + " and ".join(f"cdu {name}" for name in cdu))
    assert every.nodes_left == 0
    assert every.failing[0].rule == "design.cdu_capacity"
    assert {load.unit for load in every.loads} == {"kW", "L/min"}


def test_a_plane(wet):
    consequence = lose(wet, "lose plane compute 1")
    (compute,) = [fabric for fabric in consequence.fabrics if fabric.fabric == "compute"]
    assert compute.bisection_share == 0.5
    assert compute.nodes_slowed == 64
    assert consequence.nodes_left == 64
    assert consequence.survives
    both = lose(wet, "lose plane compute 1 and plane compute 2")
    assert both.nodes_cut_off == 64


def test_losing_more_is_never_better(sized):
    first, two = lose(sized, "lose feed A"), lose(sized, "lose feed A and rack train-r01 and switch compute-spine-01")
    assert two.nodes_left <= first.nodes_left
    shares = {fabric.fabric: fabric.bisection_share for fabric in first.fabrics}
    assert all(fabric.bisection_share <= shares[fabric.fabric] for fabric in two.fabrics)


def test_agrees_with_the_table_of_losses(sized):
    for row in sized.losses.filter(
        sized.losses["kind"].is_in(["feed", "ups", "circuit", "pdu", "crah", "switch"])
    ).iter_rows(named=True):
        consequence = lose(sized, f"lose {row['kind']} {row['element']}")
        if row["domain"] != "fabric":
            assert consequence.nodes_down == row["nodes_down"], row
            assert consequence.survives == row["survives"], row


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("lose switch compute-spin-01", "did you mean compute-spine-01?"),
        ("lose feed D", "there are A, B, C"),
        ("lose cdu x", "has no cdu that could be lost"),
        ("lose plane compute 1", "has no plane"),
        ("lose psu train-001 9", "the design has no psu"),
    ],
)
def test_a_name_that_is_none(sized, text, message):
    with pytest.raises(UsageError, match="the design has no") as raised:
        lose(sized, text)
    assert message in str(raised.value)


def test_what_follows_is_ready_for_json(sized):
    data = lose(sized, "lose feed A").as_dict()
    assert json.loads(json.dumps(data)) == json.loads(json.dumps(data, default=str))
    assert data["loads"][0]["share"] <= 1


def test_the_example_without_plant_of_its_own(example_site, parts_catalog):
    import yaml

    data = yaml.safe_load(example_site.read_text())
    data["facility"].pop("air", None)
    data["facility"]["power"] = {
        "feeds": ["A", "B", "C"],
        "feed_kw": 400,
        "circuit": {"volts": 415, "amps": 60, "phases": 3},
    }
    expanded_design = design.expand(Site.model_validate(data), parts_catalog)
    assert lose(expanded_design, "lose feed A").survives
    with pytest.raises(UsageError, match="has no ups that could be lost"):
        lose(expanded_design, "lose ups A-1")
