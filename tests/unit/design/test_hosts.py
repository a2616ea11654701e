"""Nodes with names and in-band addresses that they have already (`pools[].hosts`)."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from rackwright import design, spec
from rackwright.base import yaml_text
from rackwright.base.errors import ProblemsError
from rackwright.model.design import Design
from tests import build

HOSTS = [{"name": "old-b", "address": "10.64.1.77"}, {"name": "gpu7"}, {"name": "a", "address": "10.64.1.5"}]


def expanded(folder: Path, hosts: list[dict[str, str]], routed: dict[int, list[str]] | None = None) -> Design:
    data = yaml_text.load(build.EXAMPLE.read_text(encoding="utf-8"))
    data["pools"][0] |= {"count": 3, "hosts": hosts}
    for fabric, subnets in (routed or {}).items():
        data["fabrics"][fabric]["routed_subnets"] = subnets
    del data["workloads"], data["deployment"]
    file = folder / "site.yaml"
    file.write_text(yaml.safe_dump(data), encoding="utf-8")
    loaded = spec.load(file)
    return design.expand(loaded.site, loaded.catalog)


def test_nodes_have_the_names_and_addresses_of_the_file(tmp_path: Path) -> None:
    plan, usual = expanded(tmp_path, HOSTS), expanded(tmp_path, [])
    nodes = plan.nodes("accelerator")
    assert [node.name for node in nodes] == ["old-b", "gpu7", "a"]
    assert [node.inband_address for node in nodes] == [
        "10.64.1.77", usual.nodes("accelerator")[1].inband_address, "10.64.1.5",
    ]  # fmt: skip
    assert [node.inband_address for node in plan.nodes("slurm")] == [
        node.inband_address for node in usual.nodes("slurm")
    ]
    assert [node.rack for node in nodes] == [node.rack for node in usual.nodes("accelerator")]
    assert {cable for cable in plan.cables["cable"].to_list() if cable.startswith("gpu7:")}


def test_a_host_in_a_routed_subnet_keeps_its_address_and_prefix(tmp_path: Path) -> None:
    hosts = [HOSTS[0] | {"address": "192.168.7.9"}, *HOSTS[1:]]
    plan, usual = expanded(tmp_path, hosts, {2: ["192.168.7.0/26"]}), expanded(tmp_path, HOSTS)
    addresses = plan.addresses.filter(plan.addresses["network"] == "inband")
    by_address = dict(zip(addresses["address"], addresses["prefix"], strict=True))
    assert by_address["192.168.7.9"] == 26
    assert by_address["10.64.1.5"] == 22
    assert plan.node("a").inband_address == usual.node("a").inband_address


@pytest.mark.parametrize(
    ("routed", "code"),
    [
        ({0: ["192.168.7.0/26"]}, "spec.routed_subnets"),
        ({2: ["10.64.0.0/24"]}, "spec.subnets_overlap"),
        ({2: ["224.0.0.0/24"]}, "spec.not_for_hosts"),
    ],
)
def test_a_routed_subnet_belongs_to_an_inband_fabric_and_is_apart(
    tmp_path: Path, routed: dict[int, list[str]], code: str
) -> None:
    with pytest.raises(ProblemsError) as refused:
        expanded(tmp_path, HOSTS, routed)
    assert {problem.code for problem in refused.value.problems} == {code}


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"name": "gpu7"}, "spec.host_twice"),
        ({"address": "10.64.1.5"}, "spec.host_twice"),
        ({"address": "10.65.0.1"}, "spec.host_outside"),
        ({"address": "10.64.0.0"}, "spec.host_outside"),
        ({"address": "host"}, "spec.host_address"),
        ({"name": "slurm-01"}, "design.same_name"),
        ({"address": "10.64.0.16"}, "design.same_address"),
    ],
)
def test_what_no_node_can_have_is_refused(tmp_path: Path, changes: dict[str, str], code: str) -> None:
    with pytest.raises(ProblemsError) as refused:
        expanded(tmp_path, [HOSTS[0] | changes, *HOSTS[1:]])
    assert {problem.code for problem in refused.value.problems} == {code}


def test_every_node_has_an_entry_or_none(tmp_path: Path) -> None:
    with pytest.raises(ProblemsError, match="not every node has an entry"):
        expanded(tmp_path, HOSTS[:2])
