"""Published designs and figures, each from a site file that states its inputs; errata are found where they are printed."""

from __future__ import annotations

from typing import Any

import pytest

from rackwright import catalog
from rackwright.base import yaml_text
from rackwright.base.errors import ProblemsError
from rackwright.catalog import errata
from rackwright.design.sizing import SizeRequest, size_site
from tests.published.conftest import FOLDER, rows
from tests.rotation import of_this_run

PART = {"manufacturer": "Generic", "support": "declared"}
SOURCES = [{"doc": "inputs of the case", "date": "2026-11-21", "level": "derived", "covers": ["*"]}]


def compute(data: dict[str, Any], case: dict[str, Any]) -> dict[str, Any]:
    inputs, units = case["inputs"], case["scalable_units"]
    nodes = units * inputs["nodes_per_unit"]
    unit, rate = inputs["nodes_per_unit"], inputs["oversubscription"]
    data["pools"][0].update(server=case["server"], count=nodes, scalable_unit=unit, servers_per_rack=4)
    data["fabrics"][0] = {
        "name": "compute",
        "role": "compute",
        "transport": case.get("transport", "infiniband"),
        "topology": "rail-optimized",
        "pools": ["train"],
        "switch": case["switch"],
        "oversubscription": rate,
        "tiers": case["tiers"],
    }
    return data


def test_the_parts_are_those_of_the_inputs():
    loaded = catalog.load()
    for document in yaml_text.load((FOLDER / "fabric_compute.yaml").read_text()):
        inputs, switch = document["inputs"], loaded.switches[document["switch"]]
        (group,) = [port for port in loaded.servers[document["server"]].ports if port.role == "compute"]
        assert (group.count, group.gbps) == (inputs["rails"], inputs["link_gbps"])
        assert (switch.ports.count, switch.ports.gbps) == (inputs["leaf_ports"], inputs["link_gbps"])


@pytest.mark.parametrize("case", of_this_run(rows("fabric_compute"), 6))
def test_compute_fabric(data, expand, case):
    if "refused" in case:
        with pytest.raises(ProblemsError, match=case["refused"]) as raised:
            expand(compute(data, case))
        (problem,) = raised.value.problems
        assert "plane" in problem.next_step or "tier" in problem.next_step
        return
    expanded_design = expand(compute(data, case))
    result = expanded_design.totals["fabrics"]["compute"]
    assert expanded_design.totals["accelerators"] == case["accelerators"]
    assert {key: result[key] for key in ("leaf", "spine", "core")} == {
        key: case[key] for key in ("leaf", "spine", "core")
    }
    kinds = ("node_leaf", "leaf_spine", "spine_core")
    assert {kind: result["cables"][kind] for kind in kinds} == {kind: case[kind] for kind in kinds}
    assert result["bisection_gbps"] == result["injection_gbps"] / 2
    study = expanded_design.studies["published"]
    assert len(study["matches"]) == 1
    named = [entry["id"] for entry in study["errata"] if entry["about"].startswith("design")]
    assert named == ([case["erratum"]] if "erratum" in case else [])


@pytest.mark.parametrize("case", of_this_run(rows("formula_fattree"), 2))
def test_fat_tree_of_a_radix(data, expand, case):
    """Servers with one port, so that nodes are hosts."""
    radix = case["radix"]
    loaded = catalog.load()
    switch = loaded.switches["qm9700"].model_dump(mode="json", exclude={"systems"}) | {"sku": "small-switch"}
    switch["ports"] = {"count": radix, "gbps": 400}
    host = loaded.servers["dgx-h100"].model_dump(mode="json") | {"sku": "one-port", "rack_units": 1, "weight_kg": 20.0}
    host["ports"] = [
        entry | ({"count": 1, "names": entry["names"][:1]} if entry["role"] == "compute" else {})
        for entry in host["ports"]
    ]
    data["catalog"] = [switch, host]
    data["pools"][0].update(
        server="one-port", count=case["hosts"], servers_per_rack=radix // 2, scalable_unit=radix // 2
    )
    data["fabrics"][0].update(topology="fat-tree", switch="small-switch", tiers=case["tiers"], oversubscription=1)
    expanded_design = expand(data)
    result = expanded_design.totals["fabrics"]["compute"]
    assert expanded_design.totals["nodes"] == case["hosts"]
    assert (result["leaf"], result["spine"], result["core"]) == (case["leaf"], case["spine"], case["core"])
    assert result["cables"]["leaf_spine"] == case.get("leaf_spine", case["hosts"])


@pytest.mark.parametrize("case", of_this_run(rows("storage_performance"), 3))
def test_storage_performance(data, expand, case):
    """A tier of exactly these rates reaches the level, one of a little less does not; sizing asks for the same rates."""
    nodes = case["nodes"] if "nodes" in case else 32 * case["scalable_units"]
    data["pools"][0].update(count=nodes, scalable_unit=32)
    data["storage"] = [{"name": "scratch", "tier": "parallel", "capacity_pbytes": 1.0}]
    data["storage"][0] |= {"read_gbytes_per_s": case["read"], "write_gbytes_per_s": case["write"]}
    reached = expand(data).studies["storage"]["scratch"]["guideline"]
    if "scalable_units" in case:
        assert reached["level"] == case["level"]
        data["storage"][0]["read_gbytes_per_s"] -= 1
        assert expand(data).studies["storage"]["scratch"]["guideline"]["level"] != case["level"]
        requested = SizeRequest(nodes * 8, case["server"], "ndr-rail", storage=case["level"])
        (tier,) = size_site(requested, catalog.load()).design.site.storage
        assert (tier.read_gbytes_per_s, tier.write_gbytes_per_s) == (case["read"], case["write"])
    else:
        assert reached["node_level"] == case["level"]
        assert reached["node"] == {"read_gbytes_per_s": case["read"], "write_gbytes_per_s": case["write"]}


@pytest.mark.parametrize("case", rows("power_circuit"))
def test_power_circuit(data, expand, case):
    for derating, expected in ((1.0, case["raw_kva"]), (case["derating"], case["derated_kva"])):
        data["facility"]["power"].pop("rack_pdu", None)
        data["facility"]["power"].pop("busway", None)
        data["facility"]["power"]["circuit"] = {
            "volts": case["volts"],
            "amps": case["amps"],
            "phases": 3,
            "derating": derating,
            "power_factor": 1.0,
        }
        usable = expand(data).circuits["usable_watts"].unique().to_list()
        assert usable == [pytest.approx(expected * 1000, rel=case["relative_tolerance"])]


@pytest.mark.parametrize("case", rows("cooling_flow"))
def test_cooling_flow(data, expand, case):
    """A coolant with these properties, and servers of which all heat goes into it."""
    coolant = {"sku": "of-the-case", "kind": "coolant", "model": "of the case", "freezes_at_celsius": -20.0}
    coolant |= {"density_kg_per_m3": case["density"], "heat_capacity_j_per_kg_k": case["heat_capacity"]}
    server = catalog.load().servers["dgx-h100"].model_dump(mode="json") | {"sku": "all-liquid"}
    server["liquid"] = {"share": 1.0, "max_supply_celsius": 45.0}
    data["catalog"] = [coolant | PART | {"sources": SOURCES}, server]
    data["pools"][0]["server"] = "all-liquid"
    data["facility"]["liquid"] = {
        "cdus": [{"sku": "chx2000", "count": 2}],
        "coolant": "of-the-case",
        "supply_celsius": 30,
        "delta_t_kelvin": case["delta_t_kelvin"],
    }
    totals = expand(data).totals
    assert totals["liquid_kw"] > 100
    expected = pytest.approx(case["liters_per_minute_per_kw"], rel=case["relative_tolerance"])
    assert totals["coolant_liters_per_minute"] / totals["liquid_kw"] == expected


def test_an_erratum_of_a_circuit_and_of_a_part_is_found(data, expand):
    data["facility"]["power"].pop("rack_pdu", None)
    data["facility"]["power"]["circuit"] = {"volts": 400, "amps": 63, "phases": 3}
    study = expand(data).studies["published"]
    result = {entry["id"]: entry["about"] for entry in study["errata"]}
    assert result["b200-deck-141"] == "circuit of 400 V 63 A"
    assert result["netbox-qm9700"] == "part qm9700"
    assert "139.7" in next(entry["says"] for entry in study["errata"] if entry["id"] == "b200-deck-141")
    assert study["matches"] == []


def test_every_erratum_names_a_document_and_can_be_found():
    loaded = errata.load()
    parts = catalog.load()
    ids = [erratum.id for erratum in loaded.errata]
    assert len(set(ids)) == len(ids)
    assert {name for erratum in loaded.designs for name in erratum.errata} <= set(ids)
    for erratum in [*loaded.designs, *loaded.errata]:
        assert erratum.document < len(loaded.documents)
    for erratum in loaded.errata:
        about = erratum.parts or erratum.circuit_volts or erratum.failure_rates
        assert about or any(erratum.id in row.errata for row in loaded.designs), erratum.id
        assert all(parts.kind_of(sku) for sku in erratum.parts), erratum.id
