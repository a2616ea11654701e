"""Cables of every fabric are counted: of nodes and between switches, over InfiniBand and Ethernet."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rackwright.flow.cable_coverage import FabricCoverage, coverage_by_fabric
from rackwright.model.evidence.fabric import LinkTable, NodeFabric, Subnets
from rackwright.model.evidence.network import Ethernet
from rackwright.twin.campaign.play import Stage, collect_evidence
from tests import build

NODES = ("train-001", "train-002")


@pytest.fixture(scope="module")
def seen():
    stage = Stage(build.site_design(), NODES, build.TAKEN)
    return collect_evidence(stage, stage.healthy)


def without(seen, kind, *nodes):
    return {
        name: one
        if name not in nodes
        else replace(one, records={k: v for k, v in one.records.items() if k is not kind})
        for name, one in seen.items()
    }


def test_a_healthy_site_shows_every_cable(seen):
    found = coverage_by_fabric(build.site_design(), seen, NODES)
    assert found["compute"] == FabricCoverage(16 + 256, 16 + 256, 0)
    assert found["inband"].observed == found["inband"].planned == 2 * 2
    assert found["inband"].blind > 0, "nobody looks at the cables between Ethernet switches"
    assert "bmc" not in found


def test_cables_between_switches_that_no_machine_of_the_run_saw_count_neither_way(seen):
    found = coverage_by_fabric(build.site_design(), {name: seen[name] for name in NODES}, NODES)
    assert found["compute"] == FabricCoverage(16, 16, 256)


@pytest.mark.parametrize(("kind", "fabric", "lost"), [(NodeFabric, "compute", 8), (Ethernet, "inband", 2)])
def test_a_node_without_a_reading_has_no_cable_that_was_seen(seen, kind, fabric, lost):
    whole = coverage_by_fabric(build.site_design(), seen, NODES)[fabric]
    found = coverage_by_fabric(build.site_design(), without(seen, kind, "train-002"), NODES)[fabric]
    assert (found.observed, found.planned) == (whole.observed - lost, whole.planned)


def test_a_cable_that_no_manager_of_the_subnet_shows_is_not_seen(seen):
    managers = {name: record for name, one in seen.items() if (record := one.get(Subnets)) is not None}
    first = next(iter(managers.values()))
    trunks = [
        link for subnet in first.subnets.values() for link in subnet.links if link.kind == link.remote_kind == "Switch"
    ]
    gone = {(trunks[0].guid, trunks[0].port), (trunks[0].remote_guid, trunks[0].remote_port)}
    told = dict(seen)
    for name, record in managers.items():
        subnets = {
            device: subnet.model_copy(
                update={"links": LinkTable.of(one for one in subnet.links if (one.guid, one.port) not in gone)}
            )
            for device, subnet in record.subnets.items()
        }
        left = {**seen[name].records, Subnets: record.model_copy(update={"subnets": subnets})}
        told[name] = replace(seen[name], records=left)
    found = coverage_by_fabric(build.site_design(), told, NODES)
    assert sum(one.planned - one.observed for one in found.values()) == 1
