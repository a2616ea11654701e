from __future__ import annotations

import ipaddress

import pytest

from rackwright.errors import ProblemsError


def of(design, network):
    return {
        row["device"]: row["address"] for row in design.addresses.iter_rows(named=True) if row["network"] == network
    }


def test_reserved_control_pools_switches(example):
    inband, oob = of(example, "inband"), of(example, "oob")
    assert (inband["slurm-01"], inband["ufm-01"], inband["train-001"]) == ("10.64.0.16", "10.64.0.17", "10.64.0.32")
    assert oob["compute-leaf-01"] == "10.64.7.254"
    first = ipaddress.IPv4Address("10.64.0.15")
    assert all(ipaddress.IPv4Address(address) > first for address in inband.values())


def test_one_more_controller_moves_no_node(expanded, example):
    more = of(expanded(lambda data: data["control"]["slurm"]["controllers"].update(count=5)), "inband")
    before = of(example, "inband")
    assert {name: more[name] for name in before if name.startswith("train")} == {
        name: address for name, address in before.items() if name.startswith("train")
    }


def test_several_in_band_ports_share_one_bond(example):
    rows = {(row["device"], row["network"]): row["interface"] for row in example.addresses.iter_rows(named=True)}
    assert rows["train-001", "inband"] == "bond0"
    assert rows["ufm-01", "inband"] == "eno1"
    assert rows["train-001", "oob"] == "bmc"
    assert rows["compute-leaf-01", "oob"] == "mgmt0"


def test_a_compute_fabric_with_a_subnet_addresses_every_port(expanded):
    found = expanded(lambda data: data["fabrics"][0].update(subnet="10.70.0.0/23"))
    rows = [row for row in found.addresses.iter_rows(named=True) if row["network"] == "compute"]
    assert len(rows) == 31 * 8 + 4
    assert len({row["address"] for row in rows}) == len(rows)


@pytest.mark.parametrize("prefix", [26, 28, 31, 32])
def test_every_small_subnet_is_named_at_once(expanded, prefix):
    def change(data):
        data["fabrics"][2]["subnet"], data["fabrics"][3]["subnet"] = f"10.64.0.0/{prefix}", f"10.65.0.0/{prefix}"

    with pytest.raises(ProblemsError) as raised:
        expanded(change)
    assert [one.path for one in raised.value.problems] == ["fabrics[2].subnet", "fabrics[3].subnet"]


def test_the_advised_prefix_is_large_enough_and_the_next_is_not(expanded, data):
    assert expanded(lambda data: data["fabrics"][2].update(subnet="10.64.0.0/25"))
    with pytest.raises(ProblemsError, match="use a /25 or larger"):
        expanded(lambda data: data["fabrics"][2].update(subnet="10.64.0.0/26"))
