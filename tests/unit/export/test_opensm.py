"""Configuration of opensm: engines and roots by topology, and what the real opensm makes of it on ibsim."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from rackwright import export
from rackwright.base.errors import ProblemsError
from rackwright.export import ExportRequest
from rackwright.export.infiniband.subnets import subnets
from tests.unit.export.conftest import Data, expand, planes
from tests.unit.export.fabric import client, simulated
from tests.unit.export.test_infiniband import counted


def opensm_files(design, **request) -> dict[str, str]:
    return {file.name: file.text() for file in export.export(design, "opensm", ExportRequest(**request))}


def keyed():
    def change(data: Data) -> None:
        data["fabrics"][0]["partition_key"] = 0x10

    return expand(change)


def test_roots_are_named_once_all_have_guids(example):
    files = opensm_files(example, fabric="compute")
    assert "\nrouting_engine ftree,updn\n" in files["compute/opensm.conf"]
    assert "\nroot_guid_file" not in files["compute/opensm.conf"]
    assert files["compute/root-guids.conf"].count(": no GUID yet") == 4
    guids = counted(example)
    complete = opensm_files(example, fabric="compute", guids=guids)
    assert "\nroot_guid_file /etc/opensm/compute/root-guids.conf\n" in complete["compute/opensm.conf"]
    assert complete["compute/root-guids.conf"].startswith(f"{guids['compute-spine-01', ''].node} # compute-spine-01\n")
    assert f"\nguid {guids['ufm-01', 'mlx5_0'].port}\n" in complete["compute/opensm.conf"]


def test_two_switches_have_no_root(example):
    files = opensm_files(example, fabric="storage", guids=counted(example))
    assert files["storage/root-guids.conf"] == ""
    assert "\nrouting_engine updn\n" in files["storage/opensm.conf"], "a fat tree has two tiers at least"
    assert "\nroot_guid_file" not in files["storage/opensm.conf"]


def test_hosts_share_the_default_partition_where_they_have_no_other(example):
    assert "defmember=full : ALL ;" in opensm_files(example)["compute/partitions.conf"]
    assert "defmember=limited : ALL_SWITCHES=full" in opensm_files(keyed(), fabric="compute")["compute/partitions.conf"]


def test_every_plane_has_a_folder():
    assert {name.split("/")[0] for name in opensm_files(planes())} == {"compute-p1", "compute-p2", "storage"}


def test_a_topology_without_an_engine_is_refused(example):
    fabrics = [fabric.model_copy(update={"topology": "management"}) for fabric in example.site.fabrics]
    strange = replace(example, site=example.site.model_copy(update={"fabrics": fabrics}))
    with pytest.raises(ProblemsError, match="no routing engine for this topology"):
        opensm_files(strange)


@pytest.mark.fabric
def test_opensm_routes_as_a_fat_tree_from_the_roots(tmp_path):
    design = keyed()
    guids = counted(design)
    (net,) = export.export(design, "ibsim", ExportRequest(fabric="compute", guids=guids))
    for name, text in opensm_files(design, fabric="compute", guids=guids).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text.replace("/etc/opensm", str(tmp_path)).replace("/var/log", str(tmp_path)))
    with simulated(tmp_path, net) as env:
        env |= {"OSM_CACHE_DIR": str(tmp_path), "OSM_TMP_DIR": str(tmp_path)}
        printed = client(env, "opensm", "--config", str(tmp_path / "compute" / "opensm.conf"), "--once")
        keys = client(env, "smpquery", "-D", "pkeys", "0,1")
    options = set(re.findall(r"Loading Cached Option:(\w+)", printed))
    written = set(re.findall(r"^(\w+) ", (tmp_path / "compute" / "opensm.conf").read_text(), re.MULTILINE))
    assert options == written, "opensm takes every option of the file"
    log = (tmp_path / "opensm-compute.log").read_text()
    assert "ftree tables configured on all switches" in log
    switches = subnets(design, "compute")[0].switches.height
    assert "Fabric has 4 switches at rank 0 (roots)" in log
    assert f"{switches} switches" in log
    assert "SUBNET UP" in log
    assert not re.search(r"PARSE ERROR|ERR ", log)
    assert "0x8010" in keys
