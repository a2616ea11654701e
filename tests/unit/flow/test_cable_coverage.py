"""Cables of every fabric are counted: of nodes and between switches, over InfiniBand and Ethernet."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rackwright.flow.cable_coverage import FabricCoverage
from rackwright.flow.evidence_extract import gate_extract
from rackwright.model.evidence.fabric import LinkTable, NodeFabric, Subnets
from rackwright.model.evidence.network import Ethernet
from rackwright.twin.campaign.play import Stage, collect_evidence
from tests import build

NODES = ("train-001", "train-002")


@pytest.fixture(scope="module")
def evidence():
    stage = Stage(build.site_design(), NODES, build.TAKEN)
    return collect_evidence(stage, stage.healthy)


def coverage_of(evidence):
    return gate_extract(build.site_design(), {}, evidence.values(), NODES).coverage


def without(evidence, kind, *nodes):
    return {
        name: node
        if name not in nodes
        else replace(node, records={k: v for k, v in node.records.items() if k is not kind})
        for name, node in evidence.items()
    }


def test_a_healthy_site_shows_every_cable(evidence):
    coverage = coverage_of(evidence)
    assert coverage["compute"] == FabricCoverage(16 + 256, 16 + 256, 0)
    assert coverage["inband"].observed == coverage["inband"].planned == 2 * 2
    assert coverage["inband"].blind > 0, "nobody looks at the cables between Ethernet switches"
    assert "bmc" not in coverage


def test_cables_between_switches_that_no_machine_of_the_run_saw_count_neither_way(evidence):
    coverage = coverage_of({name: evidence[name] for name in NODES})
    assert coverage["compute"] == FabricCoverage(16, 16, 256)


@pytest.mark.parametrize(("kind", "fabric", "lost"), [(NodeFabric, "compute", 8), (Ethernet, "inband", 2)])
def test_a_node_without_a_reading_has_no_cable_that_was_seen(evidence, kind, fabric, lost):
    healthy = coverage_of(evidence)[fabric]
    coverage = coverage_of(without(evidence, kind, "train-002"))[fabric]
    assert (coverage.observed, coverage.planned) == (healthy.observed - lost, healthy.planned)


def test_a_cable_that_no_manager_of_the_subnet_shows_is_not_seen(evidence):
    managers = {name: record for name, node in evidence.items() if (record := node.get(Subnets)) is not None}
    first = next(iter(managers.values()))
    trunks = [
        link for subnet in first.subnets.values() for link in subnet.links if link.kind == link.remote_kind == "Switch"
    ]
    gone = {(trunks[0].guid, trunks[0].port), (trunks[0].remote_guid, trunks[0].remote_port)}
    silenced = dict(evidence)
    for name, record in managers.items():
        subnets = {
            device: subnet.model_copy(
                update={"links": LinkTable.of(link for link in subnet.links if (link.guid, link.port) not in gone)}
            )
            for device, subnet in record.subnets.items()
        }
        records = {**evidence[name].records, Subnets: record.model_copy(update={"subnets": subnets})}
        silenced[name] = replace(evidence[name], records=records)
    coverage = coverage_of(silenced)
    assert sum(fabric.planned - fabric.observed for fabric in coverage.values()) == 1
