from __future__ import annotations

import re
from dataclasses import replace

import polars as pl
import pytest

from rackwright import export
from rackwright.base.errors import ProblemsError, UsageError
from rackwright.export import ExportRequest
from rackwright.export.export_request import Guid
from rackwright.export.infiniband import differ, discovered_subnet, plan, rates
from rackwright.export.infiniband.guids import read
from rackwright.export.infiniband.subnets import subnets
from tests import build
from tests.unit.export.conftest import Data, domains, expand, planes, three_tiers
from tests.unit.export.fabric import client, simulated


def export_files(design, to: str, **wish) -> dict[str, str]:
    return {file.name: file.text() for file in export.export(design, to, ExportRequest(**wish))}


def ends(net: str) -> dict[tuple[str, int], tuple[str, int]]:
    result, node = {}, ""
    for line in net.splitlines():
        if head := re.match(r'(?:Switch|Hca)\t\d+ "([^"]+)"\t# "([^"]+)"$', line):
            node = head[1]
        elif port := re.match(r'\[(\d+)\]\t"([^"]+)"\[(\d+)\]', line):
            assert (node, int(port[1])) not in result
            result[node, int(port[1])] = (port[2], int(port[3]))
    return result


@pytest.mark.parametrize("design", [build.site_design, three_tiers, planes])
def test_every_link_stands_at_both_ends(design):
    files = export_files(design(), "ibsim")
    every = [ends(text) for text in files.values()]
    for result in every:
        assert all(result[far] == near for near, far in result.items())
    cables = design().cables.filter(pl.col("fabric").is_in(["compute", "storage"])).height
    assert sum(map(len, every)) == 2 * cables


def test_the_subnet_manager_comes_first(example):
    net = export_files(example, "ibsim")["compute.net"]
    assert re.search(r'^Hca\t1 "([^"]+)"', net, re.MULTILINE)[1] == "ufm-01:mlx5_0"
    assert net.startswith("# Subnet compute")


def test_planes_are_subnets_of_their_own():
    files = export_files(planes(), "ibsim")
    assert list(files) == ["compute-p1.net", "compute-p2.net", "storage.net"]
    assert "compute-p2" not in files["compute-p1.net"]
    assert files["compute-p1.net"].count("Hca\t1") == files["compute-p2.net"].count("Hca\t1")


def test_a_rate_that_ibsim_lacks_is_said(example):
    cables = example.cables.with_columns(gbps=pl.lit(800, pl.Int32))
    net = export_files(replace(example, cables=cables), "ibsim")["compute.net"]
    assert "# links of 800 Gb/s stand here without a rate" in net
    assert "w=" not in net


@pytest.mark.parametrize("name", ['mlx5"0', "mlx5 0", "mlx5\n0", "m" * 80])
def test_names_that_would_break_the_file(example, name):
    ports = example.ports.with_columns(port=example.ports["port"].replace({"mlx5_0": name}))
    cables = example.cables.with_columns(a_port=example.cables["a_port"].replace({"mlx5_0": name}))
    hostile = replace(example, cables=cables, ports=ports)
    with pytest.raises(ProblemsError, match="InfiniBand tools cannot hold this name"):
        export_files(hostile, "ibsim")


@pytest.mark.parametrize(
    ("wish", "says"),
    [
        ({"fabric": "comput"}, "did you mean compute"),
        ({"fabric": "inband"}, "its transport is ethernet, not InfiniBand; InfiniBand here is compute, storage"),
    ],
)
def test_a_fabric_that_does_not_fit(example, wish, says):
    for to in ("ibsim", "ibnetdiscover"):
        with pytest.raises(UsageError, match=says):
            export_files(example, to, **wish)


def test_a_site_without_infiniband():
    def change(data: Data) -> None:
        for fabric in data["fabrics"][:2]:
            fabric.update(transport="roce", switch="sn5600")
        del data["control"]["ufm"]

    with pytest.raises(UsageError, match="has no InfiniBand fabric; export its cabling with --to graph"):
        export_files(expand(change), "ibsim")


@pytest.mark.parametrize(
    ("gbps", "port", "says"),
    [
        (400, 400, "4xNDR"),
        (200, 400, "2xNDR"),
        (200, 200, "4xHDR"),
        (100, 200, "2xHDR"),
        (800, 800, "4xXDR"),
        (7, 400, ""),
    ],
)
def test_names_of_rates(gbps, port, says):
    assert rates.speed(gbps, port) == says
    assert not says or rates.gbps(says) == gbps


def test_a_rate_of_eight_lanes():
    assert rates.gbps("8xHDR") == 400
    assert rates.gbps("4xSDR") == 10
    assert rates.gbps("fast") is None


def planned(design, fabric: str = "compute") -> pl.DataFrame:
    return plan.planned_links(design, ExportRequest(fabric=fabric))


def test_plan_lists_every_cable_once(any_design):
    fabrics = [fabric.name for fabric in any_design.site.fabrics if fabric.transport == "infiniband"]
    for fabric in fabrics:
        result = planned(any_design, fabric)
        assert result.height == any_design.cables.filter(pl.col("fabric") == fabric).height
        both = pl.concat(
            [result.select("switch", "port"), result.select(pl.col("peer").alias("switch"), port="peer_port")]
        )
        assert both.is_unique().all()


def test_plan_counts_ports_as_the_fabric_does(example):
    result = planned(example)
    row = result.filter(pl.col("peer") == "train-007 mlx5_3").row(0, named=True)
    assert row == {"switch": "compute-leaf-02", "port": 7, "peer": "train-007 mlx5_3", "peer_port": 1, "speed": "4xNDR"}


def test_no_difference_with_itself(example):
    assert differ.differences(planned(example), planned(example)) == []


def test_missing_extra_swapped_and_slow_cables_are_named(example):
    required = planned(example)
    port = pl.when(pl.col("port") == 1).then(2).when(pl.col("port") == 2).then(1).otherwise("port")
    swapped = pl.when(pl.col("switch") == "compute-leaf-01").then(port).otherwise("port").alias("port")
    there = required.with_columns(swapped)
    there = there.filter(pl.col("peer") != "train-009 mlx5_3")
    slow = pl.when(pl.col("peer") == "train-010 mlx5_3").then(pl.lit("2xNDR")).otherwise("speed")
    there = there.with_columns(slow.alias("speed"))
    more = pl.DataFrame({"switch": ["compute-leaf-99"], "port": [1], "peer": ["x"], "peer_port": [1], "speed": [""]})
    result = differ.differences(required, pl.concat([there, more.cast(dict(there.schema))]))
    assert [(entry.kind, entry.a, entry.b) for entry in result] == [
        ("swapped", ("compute-leaf-01", 1), ("train-001 mlx5_0", 1)),
        ("swapped", ("compute-leaf-01", 2), ("train-002 mlx5_0", 1)),
        ("missing", ("compute-leaf-02", 9), ("train-009 mlx5_3", 1)),
        ("speed", ("compute-leaf-02", 10), ("train-010 mlx5_3", 1)),
        ("extra", ("compute-leaf-99", 1), ("x", 1)),
    ]
    assert "train-001 mlx5_0[1] is plugged into compute-leaf-01[2]" in str(result[0])


def test_a_link_between_switches_read_from_either_end():
    text = """\
Switch\t64 "S-0000000000000002"\t\t# "MF0;spine-01:MQM9700/U1" base port 0 lid 4 lmc 0
[5]\t"S-0000000000000001"[33]\t\t# "MF0;leaf-01:MQM9700/U1" lid 3 4xNDR

Switch\t64 "S-0000000000000001"\t\t# "MF0;leaf-01:MQM9700/U1" base port 0 lid 3 lmc 0
[33]\t"S-0000000000000002"[5]\t\t# "MF0;spine-01:MQM9700/U1" lid 4 4xNDR
[1](aa)\t"H-0000000000000009"[1](bb)\t\t# "n1 mlx5_0" lid 7 4xNDR

Ca\t1 "H-0000000000000009"\t\t# "n1 mlx5_0"
[1](bb)\t"S-0000000000000001"[1]\t\t# lid 7 lmc 0 "MF0;leaf-01:MQM9700/U1" lid 3 4xNDR
"""
    assert discovered_subnet.read(text).rows() == [
        ("leaf-01", 1, "n1 mlx5_0", 1, "4xNDR"),
        ("leaf-01", 33, "spine-01", 5, "4xNDR"),
    ]


def test_unknown_guids_are_left_to_fill(example):
    files = export_files(example, "ibnetdiscover")
    names = files["compute.node-name-map"].splitlines()
    assert not [line for line in names if not line.startswith("#")]
    assert '# "train-031 mlx5_11"' in names
    rows = files["guids.csv"].splitlines()
    assert rows[0] == "device,port,node_guid,port_guid"
    assert "compute-leaf-01,,," in rows
    assert "train-001,mlx5_0,," in rows
    assert "partitions.conf" not in "".join(files)


def test_guids_table(tmp_path):
    file = tmp_path / "guids.csv"
    file.write_text(
        "device,port,node_guid,port_guid\nleaf-01,,0xfc6a1c0300000001,\nn1,mlx5_0,b8:3f:d2:03:00:00:00:01,B83FD20300000002\nn2,mlx5_0,,\n"
    )
    assert read(file) == {
        ("leaf-01", ""): Guid("0xfc6a1c0300000001", ""),
        ("n1", "mlx5_0"): Guid("0xb83fd20300000001", "0xb83fd20300000002"),
    }


def test_every_mistake_of_a_guids_table(tmp_path):
    file = tmp_path / "guids.csv"
    file.write_text(
        "device,port,node_guid,port_guid\na,,12,\nb,,0xfc6a1c0300000001,\nc,,0xfc6a1c0300000001,\nd\nb,,0xfc6a1c0300000009,\n"
    )
    with pytest.raises(ProblemsError) as caught:
        read(file)
    assert [(problem.place.rsplit(":", 1)[1], problem.message) for problem in caught.value.problems] == [
        ("2", "no GUID"),
        ("4", "given twice"),
        ("5", "no GUID"),
        ("6", "given twice"),
    ]
    file.write_text("a,b\n")
    with pytest.raises(ProblemsError, match="wrong columns"):
        read(file)
    with pytest.raises(ProblemsError, match="cannot be read"):
        read(tmp_path / "none.csv")


def test_partitions_say_what_is_missing():
    text = export_files(domains(), "ibnetdiscover")["storage.partitions.conf"]
    assert "Default=0x7fff,ipoib,defmember=limited : ALL_SWITCHES=full, SELF=full, ALL_CAS ;" in text
    assert "# storage-gb: 40 ports of gb, 40 of them without a GUID yet" in text
    assert "storage-gb=0x0010,defmember=full : ALL_SWITCHES ;" in text


def counted(design) -> dict[tuple[str, str], Guid]:
    """GUIDs for everything, as a table that somebody has filled; ibsim makes the port GUID one more than the node's."""
    rows = [line.split(",") for line in export_files(design, "ibnetdiscover")["guids.csv"].splitlines()[1:]]
    base = 0xB83FD20300000000
    return {
        (device, port): Guid(f"{base + 2 * at:#018x}", f"{base + 2 * at + 1:#018x}" if port else "")
        for at, (device, port, *_) in enumerate(rows)
    }


@pytest.mark.fabric
@pytest.mark.parametrize("design", [build.site_design, planes])
def test_the_real_tools_read_back_what_was_planned(design, tmp_path):
    for net in export.export(design(), "ibsim", ExportRequest(fabric="compute")):
        subnet = next(
            each_subnet for each_subnet in subnets(design(), "compute") if f"{each_subnet.name}.net" == net.name
        )
        with simulated(tmp_path, net) as env:
            result = discovered_subnet.read(client(env, "ibnetdiscover"))
        assert result.height == subnet.links.height
        assert differ.differences(plan.planned(subnet), result) == []


@pytest.mark.fabric
def test_the_real_tools_read_back_a_thousand_nodes(tmp_path):
    """640 switches, 8,188 adapters, 24,572 links: ibsim gets enough room, and has it."""

    def change(data: Data) -> None:
        data["pools"][0].update(count=1023)
        data["facility"]["halls"][0].update(rows=16, racks_per_row=24)
        data["facility"]["power"].update(feed_kw=40_000)
        for fabric, subnet in zip(data["fabrics"][2:], ("10.64.0.0/16", "10.65.0.0/16"), strict=True):
            fabric["subnet"] = subnet

    design = expand(change)
    (net,) = export.export(design, "ibsim", ExportRequest(fabric="compute"))
    with simulated(tmp_path, net) as env:
        result = discovered_subnet.read(client(env, "ibnetdiscover"))
    assert result.height == net.rows > 24_000
    assert differ.differences(planned(design), result) == []


@pytest.mark.fabric
def test_a_swapped_cable_is_found_in_the_live_fabric(example, tmp_path):
    (net,) = export.export(example, "ibsim", ExportRequest(fabric="storage"))
    first, second = '[1]\t"train-001:mlx5_1"[1]', '[2]\t"train-002:mlx5_1"[1]'
    swapped = (
        net.text()
        .replace(first, "@")
        .replace(second, '[2]\t"train-001:mlx5_1"[1]')
        .replace("@", '[1]\t"train-002:mlx5_1"[1]')
    )
    swapped = swapped.replace('[1]\t"storage-leaf-01"[1] ', "@").replace(
        '[1]\t"storage-leaf-01"[2] ', '[1]\t"storage-leaf-01"[1] '
    )
    swapped = swapped.replace("@", '[1]\t"storage-leaf-01"[2] ')
    with simulated(tmp_path, export.ExportFile(net.name, (swapped,), net.rows)) as env:
        result = discovered_subnet.read(client(env, "ibnetdiscover"))
    differing = differ.differences(planned(example, "storage"), result)
    assert [(first.kind, first.a) for first in differing] == [
        ("swapped", ("storage-leaf-01", 1)),
        ("swapped", ("storage-leaf-01", 2)),
    ]


@pytest.mark.fabric
def test_ibnetdiscover_takes_the_name_map(example, tmp_path):
    parts_catalog = counted(example)
    files = {file.name: file for file in export.export(example, "ibnetdiscover", ExportRequest(guids=parts_catalog))}
    (net,) = export.export(example, "ibsim", ExportRequest(fabric="storage", guids=parts_catalog))
    renamed = files["storage.node-name-map"].text().replace('"storage-leaf-01"', '"as the map says"')
    (tmp_path / "map").write_text(renamed)
    with simulated(tmp_path, net) as env:
        text = client(env, "ibnetdiscover", "--node-name-map", str(tmp_path / "map"))
    assert '# "as the map says"' in text
    assert '"storage-leaf-01"' not in text


@pytest.mark.fabric
def test_opensm_takes_the_partitions(tmp_path):
    design = planes()
    parts_catalog = counted(design)
    files = {file.name: file for file in export.export(design, "ibnetdiscover", ExportRequest(guids=parts_catalog))}
    net = next(
        entry
        for entry in export.export(design, "ibsim", ExportRequest(guids=parts_catalog))
        if entry.name == "compute-p1.net"
    )
    (tmp_path / "partitions.conf").write_text(files["compute-p1.partitions.conf"].text())
    with simulated(tmp_path, net) as env:
        env = {**env, "OSM_CACHE_DIR": str(tmp_path), "OSM_TMP_DIR": str(tmp_path)}
        log = tmp_path / "opensm.log"
        client(env, "opensm", "-o", "-f", str(log), "-P", str(tmp_path / "partitions.conf"))
        keys = client(env, "smpquery", "-D", "pkeys", "0")
    assert not [line for line in log.read_text().splitlines() if re.search(r"PARSE ERROR|ERR.*part", line)]
    assert "0x8010" in keys
    assert "0x7fff" in keys
