from __future__ import annotations

from pathlib import Path

import pytest

from rackwright import catalog
from rackwright.base import yaml_text
from rackwright.base.errors import ProblemsError
from rackwright.catalog import netbox, netbox_file, netbox_ports
from rackwright.catalog.netbox_file import DeviceType

CASES = Path(__file__).parents[2] / "cases" / "netbox"


def imported(name: str, kind: str) -> netbox.Draft:
    device = netbox_file.read_device_type(CASES / name)
    return netbox.draft_part(device, kind, catalog.load(), origin=name, date="2026-11-21")


def device(**fields: object) -> DeviceType:
    base = {"manufacturer": "Acme", "model": "X1", "slug": "acme-x1", "u_height": 1}
    return DeviceType.model_validate(base | fields)


def drafted(kind: str, **fields: object) -> netbox.Draft:
    return netbox.draft_part(device(**fields), kind, catalog.load(), origin="x.yaml", date="2026-11-21")


def test_a_switch_becomes_what_the_file_states_and_no_more():
    draft = imported("SN5600.yaml", "switch")
    assert draft.part["sku"] == "sn5600"
    assert (draft.part["rack_units"], draft.part["weight_kg"], draft.part["airflow"]) == (2, 23.5, "rear-to-front")
    assert draft.part["ports"] == {"count": 64, "gbps": 800}
    assert (draft.part["port_name"], draft.part["management_port"]) == ("swp{number}", "eth0")
    assert draft.part["psus"] == {"count": 2}, "two bays for supplies, their rating is not stated"
    assert {"peak_watts", "psus.watts_each", "psus.needed", "depth_mm"} <= {missing.field for missing in draft.missing}
    assert "peak_watts" not in draft.part


def test_62_of_64_ports_are_seen_twice():
    draft = imported("QM9700.yaml", "switch")
    assert draft.part["ports"]["count"] == 62, "what the file says, not what we know"
    flags = "\n".join(draft.flags)
    assert "P22.1, P23.0 would be in them" in flags
    assert "lists 62 ports; qm9700 has 64" in flags
    assert "QM9700 is an InfiniBand switch" in flags
    assert "transport" not in draft.part


def test_a_dgx_a100_of_two_kilowatts_is_doubted():
    draft = imported("DGC-A100.yaml", "server")
    flags = "\n".join(draft.flags)
    assert "add up to 2142 W, the comments of the file say 6500 W" in flags
    assert "2142 W; dgx-a100 draws up to 6500 W" in flags
    assert "36 interfaces are named and counted like those of a switch" in flags
    assert "peak_watts" not in draft.part
    missing = {field.field: field.hint for field in draft.missing}
    assert "1071, 1071 W: whether each draws all is not stated" in missing["peak_watts"]
    assert missing["ports"] == "8 x 400 Gb/s, 28 x 100 Gb/s: roles not given"
    assert [group["role"] for group in draft.part["ports"]] == ["bmc"]


def test_the_draft_is_a_part_once_the_missing_fields_are_filled_in():
    draft = imported("SN5600.yaml", "switch")
    part = draft.part | {"peak_watts": 2000, "psus": {"count": 2, "watts_each": 2200, "needed": 1}}
    assert catalog.validate_part(part).sku == "sn5600"


@pytest.mark.parametrize(
    ("weight", "unit", "kilograms"), [(10, "lb", 4.54), (2500, "g", 2.5), (160, "oz", 4.54), (7, "kg", 7)]
)
def test_units_of_weight(weight, unit, kilograms):
    assert drafted("switch", weight=weight, weight_unit=unit).part["weight_kg"] == kilograms


def test_nothing_is_guessed():
    draft = drafted("switch", u_height=0.5, weight=3, airflow="side-to-rear", is_powered=True)
    assert not {"rack_units", "weight_kg", "airflow", "ports", "transport", "psus"} & set(draft.part)
    hints = {field.field: field.hint for field in draft.missing}
    assert (hints["rack_units"], hints["airflow"]) == ("u_height is 0.5", "airflow is side-to-rear")
    assert any("lists no power port" in flag for flag in draft.flags)


def test_one_power_port_states_the_draw_and_an_unpowered_tray_has_no_supply():
    port = {"name": "psu", "maximum_draw": 300, "allocated_draw": 200}
    draft = drafted("switch", **{"power-ports": [port]})
    assert (draft.part["peak_watts"], draft.part["typical_watts"]) == (300, 200)
    assert drafted("switch", is_powered=False).part["psus"] == {"count": 0, "watts_each": 0, "needed": 0}


def test_a_pdu_has_outlets_by_type():
    outlets = [{"name": f"o{i}", "type": "iec-60320-c19" if i < 6 else "iec-60320-c13"} for i in range(30)]
    draft = drafted("pdu", u_height=0, weight=9, weight_unit="kg", **{"power-outlets": outlets})
    assert draft.part["outlets"] == [{"type": "C13", "count": 24}, {"type": "C19", "count": 6}]
    assert {"volts", "amps", "phases", "outlets.0.amps"} <= {missing.field for missing in draft.missing}


@pytest.mark.parametrize(
    ("type_", "rate"),
    [
        ("400gbase-x-osfp", (400, "ethernet")),
        ("1000base-t", (1, "ethernet")),
        ("100base-tx", None),
        ("2.5gbase-t", None),
        ("infiniband-ndr", (400, "infiniband")),
        ("infiniband-ndr200", None),
        ("other", None),
    ],
)
def test_rate_of_an_interface_type(type_, rate):
    assert netbox_ports.read_type(type_) == rate


@pytest.mark.parametrize(
    ("names", "pattern", "gaps"),
    [
        (["swp1", "swp2", "swp3"], "swp{number}", []),
        (["swp1", "swp3"], None, ["swp2"]),
        (["Ethernet1/1", "Ethernet1/2"], None, []),
        (["P0.0", "P0.1", "P1.1"], None, ["P1.0"]),
        (["uplink"], None, []),
        ([], None, []),
    ],
)
def test_numbering(names, pattern, gaps):
    assert netbox_ports.pattern(names) == pattern
    assert netbox_ports.gaps(names) == gaps


def test_uplinks_are_the_fewer_faster_ports():
    access = [{"name": f"swp{i}", "type": "1000base-t"} for i in range(1, 49)]
    up = [{"name": f"swp{i}", "type": "100gbase-x-qsfp28"} for i in range(49, 53)]
    part = drafted("switch", interfaces=access + up).part
    assert (part["ports"], part["uplinks"]) == ({"count": 48, "gbps": 1}, {"count": 4, "gbps": 100})


@pytest.mark.parametrize(
    ("text", "codes", "path"),
    [
        ("a: [", {"catalog.not_a_device_type"}, ""),
        ("- 1", {"catalog.not_a_device_type"}, ""),
        ("{manufacturer: A, model: B, slug: a-b}", {"catalog.broken_device_type"}, "u_height"),
        ("{manufacturer: A, model: B, slug: a-b, u_height: 1, interfaces: [{name: x}]}", {"catalog.broken_device_type"}, "interfaces.0.type"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_device_type(tmp_path, text, codes, path):
    file = tmp_path / "x.yaml"
    file.write_text(text)
    with pytest.raises(ProblemsError) as raised:
        netbox_file.read_device_type(file)
    assert {problem.code for problem in raised.value.problems} == codes
    assert [problem.path for problem in raised.value.problems] == [path]


def test_a_missing_file_is_a_problem(tmp_path):
    with pytest.raises(ProblemsError, match="No such file"):
        netbox_file.read_device_type(tmp_path / "none.yaml")


def test_cases_are_in_the_format_of_the_library():
    for path in CASES.glob("*.yaml"):
        assert {"manufacturer", "model", "slug", "u_height", "is_full_depth"} <= set(yaml_text.load(path.read_text()))
