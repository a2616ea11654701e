from __future__ import annotations

import ipaddress

import numpy as np
import polars as pl
import pytest

from rackwright.base.errors import ProblemsError
from rackwright.design.addressing import text


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


def test_a_compute_fabric_with_a_subnet_is_addressed_rail_by_rail(expanded):
    expanded_design = expanded(lambda data: data["fabrics"][0].update(subnet="10.70.0.0/22", vlan=100, vni=5000))
    rows = expanded_design.addresses.filter(pl.col("network").str.starts_with("compute"))
    assert len(rows) == 31 * 8 + 4
    assert rows["address"].n_unique() == len(rows)
    rails = expanded_design.networks.filter(pl.col("fabric") == "compute")
    assert rails["subnet"].to_list() == [f"10.70.{rail // 2}.{rail % 2 * 128}/25" for rail in range(8)]
    assert rails["vlan"].to_list() == list(range(100, 108))
    assert rails["vni"].to_list() == list(range(5000, 5008))
    first = rows.filter(pl.col("device") == "train-001").rows(named=True)
    assert [(row["network"], row["address"], row["interface"]) for row in first[:2]] == [
        ("compute-rail1", "10.70.0.32", "mlx5_0"),
        ("compute-rail2", "10.70.0.160", "mlx5_3"),
    ]


def test_a_rail_that_is_too_small_names_the_prefix_of_the_whole(expanded):
    with pytest.raises(ProblemsError, match=r"in each of 8 rails(.|\n)*use a /22 or larger"):
        expanded(lambda data: data["fabrics"][0].update(subnet="10.70.0.0/23"))


def test_ipv6_has_the_same_host_numbers(expanded):
    def change(data):
        data["fabrics"][2]["subnet6"] = "fd00:64:0:1::/64"
        data["fabrics"][0]["subnet6"] = "fd00:70::/56"

    expanded_design = expanded(change)
    six = expanded_design.addresses.filter(pl.col("family") == 6)
    at = {(row["device"], row["network"]): row["address"] for row in six.iter_rows(named=True)}
    assert at["train-001", "inband"] == "fd00:64:0:1::20"
    assert at["train-001", "compute-rail2"] == "fd00:70:0:1::20"
    assert all(str(ipaddress.IPv6Address(address)) == address for address in six["address"])
    assert expanded_design.node("train-001").inband_address == "10.64.0.32"


def test_loopbacks_of_a_tier_stay_in_their_part(expanded):
    expanded_design = expanded(lambda data: data["fabrics"][0].update(loopbacks="10.80.0.0/24"))
    rows = expanded_design.addresses.filter(pl.col("network") == "compute-loopback")
    at = dict(rows.select("device", "address").iter_rows())
    assert (at["compute-leaf-01"], at["compute-spine-01"]) == ("10.80.0.1", "10.80.0.128")
    assert set(rows["prefix"]) == {32}
    with pytest.raises(ProblemsError, match="loopback range of compute is too small"):
        expanded(lambda data: data["fabrics"][0].update(loopbacks="10.80.0.0/29"))


def test_every_pool_has_a_partition_of_its_own(expanded):
    expanded_design = expanded(lambda data: data["fabrics"][0].update(partition_key=0x10))
    keys = expanded_design.networks.filter(pl.col("partition_key").is_not_null())
    assert keys.select("network", "pool", "partition_key").rows() == [("compute-train", "train", 16)]


@pytest.mark.parametrize("number", [0, 1, 255, 256, 2**32 - 2, 0x0A40_0020])
def test_addresses_as_text(number):
    offset = np.array([number], dtype=np.int64)
    assert text.ipv4_text(offset)[0] == str(ipaddress.IPv4Address(number))
    if number:
        base = ipaddress.IPv6Address("fd00:1:2:3::")
        assert text.ipv6_text(base.packed, offset)[0] == str(base + number)


@pytest.mark.parametrize("prefix", [26, 28, 31, 32])
def test_every_small_subnet_is_named_at_once(expanded, prefix):
    def change(data):
        data["fabrics"][2]["subnet"], data["fabrics"][3]["subnet"] = f"10.64.0.0/{prefix}", f"10.65.0.0/{prefix}"

    with pytest.raises(ProblemsError) as raised:
        expanded(change)
    assert [problem.path for problem in raised.value.problems] == ["fabrics[2].subnet", "fabrics[3].subnet"]


def test_the_advised_prefix_is_large_enough_and_the_next_is_not(expanded, data):
    assert expanded(lambda data: data["fabrics"][2].update(subnet="10.64.0.0/25"))
    with pytest.raises(ProblemsError, match="use a /25 or larger"):
        expanded(lambda data: data["fabrics"][2].update(subnet="10.64.0.0/26"))


def test_eight_rails_need_eight_ipv6_networks(expanded):
    with pytest.raises(ProblemsError, match=r"use a /61 or larger"):
        expanded(lambda data: data["fabrics"][0].update(subnet6="fd00:70::/62"))


def managed(data):
    liquid = {"cdus": [{"sku": "xdu1350", "count": 3}], "supply_celsius": 40, "delta_t_kelvin": 10}
    data["facility"]["liquid"] = {**liquid, "management": "redfish"}
    data["facility"]["power"]["management"] = "redfish"


def test_pdus_and_cdus_count_down_below_the_switches_and_move_nothing(expanded, example):
    before = of(expanded(lambda data: data["facility"]["power"].update(management="none")), "oob")
    now = of(example, "oob")
    assert {name: now[name] for name in before} == before
    assert now["oob-site-switch-01"] == "10.64.7.237"
    assert (now["train-r01-A1-pdu"], now["train-r01-B1-pdu"]) == ("10.64.7.236", "10.64.7.235")
    cooled = of(expanded(managed), "oob")
    assert cooled["hall-1-xdu1350-01"] == "10.64.7.236"
    assert cooled["train-r01-A1-pdu"] == "10.64.7.220"


def test_a_cdu_more_moves_no_pdu(expanded):
    def more(data):
        managed(data)
        data["facility"]["liquid"]["cdus"][0]["count"] = 5

    before, after = of(expanded(managed), "oob"), of(expanded(more), "oob")
    assert {name: after[name] for name in before} == before


def test_a_plant_without_room_or_network_is_refused(expanded):
    def thin(data):
        data["fabrics"][3]["subnet"] = "10.64.4.0/25"
        data["pools"][0]["servers_per_rack"] = 1
        data["facility"]["halls"][0]["rows"] = 5

    with pytest.raises(
        ProblemsError, match=r"too small for the PDUs, power shelves and CDUs of the site(.|\n)*use a /24 or larger"
    ):
        expanded(thin)
    with pytest.raises(ProblemsError, match="there is no network for them"):
        expanded(lambda data: data["fabrics"][3].pop("subnet"))
