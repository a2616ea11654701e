"""Every row against the fields and choices of the forms of NetBox 4.6.8, and against each other."""

from __future__ import annotations

import csv
import io
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import yaml

from rackwright import export
from rackwright.base import yaml_text
from rackwright.base.errors import ProblemsError
from rackwright.export import ExportRequest
from rackwright.export.netbox.netbox_data import interface_type, slug, words
from rackwright.model.design import Design
from tests.unit.export.conftest import DESIGNS

RECORDED = Path(__file__).parents[2] / "cases" / "export" / "netbox-4.6.8.yaml"
Rows = list[dict[str, str]]


@cache
def forms() -> dict[str, Any]:
    return dict(yaml_text.load(RECORDED.read_text())["forms"])


def texts(design: Design) -> dict[str, str]:
    """Text of every file by its name without number and ending."""
    files = {file.name: file.text() for file in export.export(design, "netbox", ExportRequest())}
    return {name.partition(".")[0].lstrip("0123456789-"): text for name, text in files.items()}


@cache
def export_files(name: str) -> dict[str, str]:
    return texts(DESIGNS[name]())


def rows(text: str) -> Rows:
    return list(csv.DictReader(io.StringIO(text)))


def form_of(file: str) -> dict[str, Any]:
    return dict(forms()["cables" if file == "power-cables" else file])


@pytest.fixture(params=DESIGNS)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def files(name: str) -> dict[str, Rows]:
    return {file: rows(text) for file, text in export_files(name).items() if file not in ("README", "device-types")}


@pytest.fixture
def types(name: str) -> list[dict[str, Any]]:
    return list(yaml.safe_load_all(export_files(name)["device-types"]))


def test_the_version_is_the_recorded_one():
    recorded = yaml_text.load(RECORDED.read_text())
    assert (words()["version"], words()["date"]) == (recorded["version"], recorded["date"])


def test_fields_and_choices_are_those_of_the_forms(files):
    for file, result in files.items():
        form = form_of(file)
        assert result, f"{file} has no rows"
        assert set(result[0]) <= {*form["required"], *form["optional"]}, file
        assert set(form["required"]) <= set(result[0]), file
        for row in result:
            for field in form["required"]:
                assert row[field], f"{file}: {field} is empty"
            for field, choices in form.get("choices", {}).items():
                assert row.get(field, "") in ("", *choices), f"{file}: {field} is {row[field]}"


def test_device_types_are_as_the_forms_want_them(types):
    form = forms()["device-types"]
    parts = ("interfaces", "power-ports", "power-outlets")
    allowed = {*form["required"], *form["optional"], *parts, "is_powered"}
    for device_type in types:
        assert set(form["required"]) <= set(device_type) <= allowed, device_type["model"]
        assert slug(device_type["slug"]) == device_type["slug"]
        for part in parts:
            within = forms()[f"device-types/{part}"]
            names = [entry["name"] for entry in device_type.get(part, [])]
            assert len(names) == len(set(names))
            for entry in device_type.get(part, []):
                assert set(entry) <= {*within["required"], *within["optional"]}
                for field, choices in within.get("choices", {}).items():
                    assert entry.get(field, choices[0]) in choices
                assert entry.get("allocated_draw", 1) <= entry.get("maximum_draw", 1)


def test_nothing_is_there_twice(files, types):
    keys = {
        "devices": ["name"],
        "racks": ["location", "name"],
        "manufacturers": ["slug"],
        "device-roles": ["slug"],
        "power-feeds": ["power_panel", "name"],
        "power-outlets": ["device", "name"],
        "interfaces": ["device", "name"],
        "ip-addresses": ["address"],
        "prefixes": ["prefix"],
        "cables": ["label"],
        "power-cables": ["label"],
    }
    for file, key in keys.items():
        count = Counter(tuple(row[field] for field in key) for row in files.get(file, []))
        assert not [device_type for device_type, times in count.items() if times > 1], file
    assert (
        len({(device_type["manufacturer"], device_type["model"]) for device_type in types})
        == len({device_type["slug"] for device_type in types})
        == len(types)
    )


def components(files: dict[str, Rows], types: list[dict[str, Any]], kind: str, private: str) -> set[tuple[str, str]]:
    """Device and component, from types and made one by one."""
    of_type = {(device_type["manufacturer"], device_type["model"]): device_type for device_type in types}
    brought = {
        (row["name"], part["name"])
        for row in files["devices"]
        for part in of_type[row["manufacturer"], row["device_type"]].get(kind, [])
    }
    single = {(row["device"], row["name"]) for row in files.get(private, [])}
    assert not brought & single, "made twice"
    return brought | single


def test_what_is_referred_to_exists(files, types):
    parts_catalog = {
        "site": {row["name"] for row in files["sites"]},
        "region": {row["name"] for row in files["regions"]},
        "location": {row["name"] for row in files["locations"]},
        "rack": {row["name"] for row in files["racks"]},
        "rack_type": {row["model"] for row in files["rack-types"]},
        "group": {row["name"] for row in [*files["rack-groups"], *files.get("vlan-groups", [])]},
        "manufacturer": {row["name"] for row in files["manufacturers"]},
        "device_type": {device_type["model"] for device_type in types},
        "power_panel": {row["name"] for row in files["power-panels"]},
        "vlan_group": {row["name"] for row in files.get("vlan-groups", [])},
        "l2vpn": {row["name"] for row in files.get("l2vpns", [])},
        "device": {row["name"] for row in files["devices"]},
    }
    for file, result in files.items():
        for field, names in parts_catalog.items():
            assert {row[field] for row in result if row.get(field)} <= names, f"{file}: {field}"
    assert {row["role"] for row in files["devices"]} == {row["name"] for row in files["device-roles"]}
    assert {row["role"] for row in files["racks"]} == {row["name"] for row in files["rack-roles"]}


def test_every_cable_has_both_ends_and_every_end_one_cable(files, types, name):
    interfaces = components(files, types, "interfaces", "interfaces")
    ports = components(files, types, "power-ports", "power-ports")
    outlets = components(files, types, "power-outlets", "power-outlets")
    feeds = {(row["power_panel"], row["name"]) for row in files["power-feeds"]}
    there = {
        "dcim.interface": interfaces,
        "dcim.powerport": ports,
        "dcim.poweroutlet": outlets,
        "dcim.powerfeed": feeds,
    }
    ends: Counter[tuple[str, str, str]] = Counter()
    for row in [*files["cables"], *files["power-cables"]]:
        for side in ("a", "b"):
            at = row[f"side_{side}_device"] or row[f"side_{side}_power_panel"]
            kind, port = row[f"side_{side}_type"], row[f"side_{side}_name"]
            assert (at, port) in there[kind], (at, port)
            ends[kind, at, port] += 1
    assert set(ends.values()) == {1}
    assert len(files["cables"]) == DESIGNS[name]().cables.height


def test_every_supply_is_plugged_in_and_every_circuit_used(files, name):
    design = DESIGNS[name]()
    plugged = {(row["side_a_device"], row["side_a_name"]) for row in files["power-cables"]}
    pdus = design.power.filter(pl.col("kind") == "pdu")["parent"]
    racked = design.psus.join(design.devices.select("device"), on="device")
    full = racked.filter(pl.col("circuit").is_in(pdus.implode()) & pl.col("outlet").is_null())
    supplies = {(device, f"PSU{psu}") for device, psu in racked.select("device", "psu").iter_rows()}
    unplugged = {(device, f"PSU{psu}") for device, psu in full.select("device", "psu").iter_rows()}
    assert supplies - plugged == unplugged
    message = f"{full.height:,} power supplies find no outlet left on their PDU"
    assert (message in export_files(name)["README"]) == bool(unplugged)
    fed = {row["side_b_name"] for row in files["power-cables"] if row["side_b_type"] == "dcim.powerfeed"}
    assert set(design.psus["circuit"].unique()) <= fed


def test_outlets_of_a_leg_are_on_one_phase(name, files, types):
    """What a PDU calls its legs is turned against the building from rack to rack, but never mixed."""
    design = DESIGNS[name]()
    legs = {(row["name"], part["name"]): part.get("feed_leg") for row in files["devices"]
            for device_type in types if device_type["model"] == row["device_type"] for part in device_type.get("power-outlets", [])}  # fmt: skip
    pdus = dict(design.power.filter(pl.col("kind") == "pdu").select("parent", "element").iter_rows())
    phases: dict[tuple[str, str], set[str]] = {}
    used = design.psus.drop_nulls("outlet").select("circuit", "outlet", "phase").iter_rows()
    for circuit, outlet, phase in used:
        phases.setdefault((circuit, legs[pdus[circuit], outlet]), set()).add(phase)
    assert all(len(each_phase) == 1 for each_phase in phases.values())


def test_interfaces_with_addresses_exist(files, types):
    interfaces = components(files, types, "interfaces", "interfaces")
    assert {(row["device"], row["interface"]) for row in files["ip-addresses"]} <= interfaces
    for flag in ("is_primary", "is_oob"):
        family = Counter((row["device"], ":" in row["address"]) for row in files["ip-addresses"] if row[flag] == "true")
        assert family
        assert set(family.values()) == {1}


def test_positions_fit_and_do_not_overlap(files, types):
    height = {(device_type["manufacturer"], device_type["model"]): device_type["u_height"] for device_type in types}
    racks = {row["name"]: int(row["u_height"]) for row in files["racks"]}
    used: Counter[tuple[str, int]] = Counter()
    for row in files["devices"]:
        units = height[row["manufacturer"], row["device_type"]]
        assert bool(row["position"]) == bool(row["face"])
        if not row["position"]:
            continue
        first = int(row["position"])
        assert first >= 1
        assert first + units - 1 <= racks[row["rack"]]
        used.update((row["rack"], unit) for unit in range(first, first + units))
    assert set(used.values()) == {1}


def test_readme_names_every_file_in_order(name):
    listed = [file.name for file in export.export(DESIGNS[name](), "netbox", ExportRequest())][1:]
    readme = export_files(name)["README"]
    assert [
        line.split("|")[1].strip() for line in readme.splitlines() if line.startswith(("| 0", "| 1", "| 2"))
    ] == listed
    assert listed == sorted(listed)
    assert "NetBox 4.6.8" in readme


def test_example(example):
    result = export_files("example")
    feed = rows(result["power-feeds"])[0]
    assert (feed["voltage"], feed["amperage"], feed["phase"], feed["max_utilization"]) == (
        "415",
        "60",
        "three-phase",
        "80",
    )
    assert [row["type"] for row in rows(result["power-feeds"])[:3]] == ["primary", "primary", "redundant"]
    first = rows(result["cables"])[0]
    assert (first["side_a_device"], first["side_b_device"], first["type"], first["label"]) == (
        "train-001",
        "compute-leaf-01",
        "mmf",
        "train-001:mlx5_0",
    )
    device = rows(result["devices"])[0]
    assert (device["rack"], device["position"], device["airflow"], device["status"]) == (
        "train-r01",
        "1",
        "front-to-rear",
        "planned",
    )


def test_sockets_stand_for_circuits_without_pdu():
    devices = rows(export_files("domains")["devices"])
    assert {row["role"] for row in devices if row["name"].endswith("-sockets")} == {"circuit sockets"}
    assert "it is no part, and is called so" in " ".join(export_files("domains")["README"].split())
    assert not [row for row in rows(export_files("example")["devices"]) if row["name"].endswith("-sockets")]


def test_vlans_and_vnis_of_every_rail():
    result = export_files("domains")
    assert [row["vid"] for row in rows(result["vlans"])] == ["100", "101", "102", "103"]
    assert [row["identifier"] for row in rows(result["l2vpns"])] == ["5000", "5001", "5002", "5003"]
    loopbacks = [row for row in rows(result["ip-addresses"]) if row["role"] == "loopback"]
    assert loopbacks
    assert all(row["address"].endswith("/32") for row in loopbacks)


@pytest.mark.parametrize(
    ("transport", "gbps", "complete", "form", "says"),
    [
        ("infiniband", 200, 400, "OSFP", "infiniband-ndr"),
        ("roce", 400, 800, "OSFP", "400gbase-x-osfp"),
        ("ethernet", 100, 100, "", "100gbase-x-qsfp28"),
        ("ethernet", 200, 800, "OSFP", "other"),
        ("nvlink", 800, 800, "", "other"),
        ("", 400, 400, "", "other"),
    ],
)
def test_interface_types(transport, gbps, complete, form, says):
    assert interface_type(transport, gbps, complete, form) == says


def test_hostile_names_are_quoted(example):
    name = 'say "hi", =1+1'
    changed = {
        "devices": example.devices.with_columns(device=example.devices["device"].replace({"slurm-01": name})),
        "ports": example.ports.with_columns(device=example.ports["device"].replace({"slurm-01": name})),
        "cables": example.cables.with_columns(a_device=example.cables["a_device"].replace({"slurm-01": name})),
    }
    result = texts(replace(example, **changed))
    assert name in {row["name"] for row in rows(result["devices"])}
    assert name in {row["side_a_device"] for row in rows(result["cables"])}


def test_names_that_are_too_long_are_refused(example):
    changed = {
        "devices": example.devices.with_columns(device=example.devices["device"].replace({"slurm-01": "s" * 65}))
    }
    with pytest.raises(ProblemsError, match="NetBox cannot hold this name"):
        texts(replace(example, **changed))
