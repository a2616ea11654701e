"""A site whose compute fabric is RoCE: the same checks, by the Ethernet side of its ports."""

from dataclasses import replace
from pathlib import Path

import pytest

from rackwright import catalog, design, spec
from rackwright.base import yaml_text
from rackwright.model.verdict import Outcome
from rackwright.twin import faults
from rackwright.twin.campaign.play import Stage, collect_evidence, judge
from rackwright.twin.hardware import state
from rackwright.twin.tools import link
from tests import build

NODES = ("train-001", "train-002", "train-003")
CASES = Path(__file__).parents[2] / "cases" / "collectors"
DOMAINS = ("fabric.", "link.", "nic.", "ethernet.", "rdma.")


@pytest.fixture(scope="module")
def stage() -> Stage:
    data = yaml_text.load(build.EXAMPLE.read_text())
    data["fabrics"][0].update(transport="roce", switch="sn5600", switch_system="sonic", subnet="10.80.0.0/16")
    site = spec.load(build.EXAMPLE).site.model_validate(data)
    return Stage(design.expand(site, catalog.load()), NODES, build.TAKEN)


def red(stage: Stage, **change: object) -> dict[str, str]:
    """Checks of the network that do not pass on the first node, with `change` on the link of its fourth rail."""
    hardware = state.build(stage.design, stage.machines)
    machine = hardware.machines[NODES[0]]
    nics = tuple(
        replace(nic, link=replace(nic.link, **change)) if nic.name == "mlx5_5" else nic for nic in machine.nics
    )
    hardware = hardware.with_machine(NODES[0], lambda machine: replace(machine, nics=nics))
    checks = {name: check for name, check in stage.checks.items() if name.startswith(DOMAINS)}
    verdicts = judge.judge_evidence(stage.design, collect_evidence(stage, hardware), checks, stage.limits)
    assert {verdict.check for verdict in verdicts if verdict.target == NODES[0]} >= {
        "nic.roce",
        "ethernet.cabling",
        "link.ber",
    }
    return {verdict.check: verdict.says for verdict in verdicts if verdict.outcome != Outcome.PASS}


def test_a_healthy_site_passes_though_sonic_announces_other_names(stage: Stage) -> None:
    nics = state.build(stage.design, stage.machines).machines[NODES[0]].nics
    ends = {nic.name: nic.link.far[1] for nic in nics if nic.link.far}
    planned = {link.port: link.remote_port for link in stage.design.links(NODES[0])}
    assert ends["mlx5_5"].startswith("etp")
    assert planned["mlx5_5"].startswith("swp")
    assert red(stage) == {}


def test_a_port_without_an_address_is_named(stage: Stage) -> None:
    findings = red(stage, gid=False)
    assert set(findings) == {"nic.roce"}
    assert "mlx5_5" in findings["nic.roce"]


def test_a_cable_in_another_port_is_found_by_lldp(stage: Stage) -> None:
    [(switch, port)] = [
        (link.remote_device, link.remote_port) for link in stage.design.links(NODES[1]) if link.port == "mlx5_5"
    ]
    ends = {nic.name: nic.link.far for nic in state.build(stage.design, stage.machines).machines[NODES[1]].nics}
    findings = red(stage, far=ends["mlx5_5"])
    assert set(findings) == {"ethernet.cabling"}
    assert f"is on {switch} port {port}, where train-002 mlx5_5 belongs" in findings["ethernet.cabling"]


def test_a_port_without_flow_control_is_named(stage: Stage) -> None:
    assert set(red(stage, lossless=())) == {"nic.lossless"}


def test_a_slow_port_is_seen_from_both_sides(stage: Stage) -> None:
    assert set(red(stage, gbps=100)) == {"ethernet.speed", "link.rate"}


@pytest.mark.parametrize("name", sorted(name for name, fault in faults.load_faults().items() if any(
    check.startswith(DOMAINS) for check in fault.checks
)))  # fmt: skip
def test_a_fault_of_a_fabric_that_is_not_there_changes_nothing_and_breaks_nothing(name: str, stage: Stage) -> None:
    hardware = state.build(stage.design, stage.machines)
    faults.apply_faults(hardware, faults.assign_nodes([name], NODES))


def test_ports_read_as_the_recorded_one(stage):
    hardware = state.build(stage.design, stage.machines)
    ports = link.observe(hardware, stage.design, NODES[0]).ports
    ethernet = [port for port in ports.values() if not port.speed.startswith("IB-")]
    recorded = yaml_text.load((CASES / "link" / "ethernet_and_infiniband.yaml").read_text())["evidence"]["ports"]
    counted = {"symbol_errors", "symbol_ber", "effective_errors", "effective_ber", "raw_ber"}
    assert ethernet
    for port in ethernet:
        assert port.physical_state == recorded["mlx5_4"]["physical_state"]
        assert {name for name in counted if getattr(port, name) is None} == {"symbol_errors", "symbol_ber"}
    text = link.render(link.observe(hardware, stage.design, NODES[0]))
    assert b"Symbol" not in text or any(port.speed.startswith("IB-") for port in ports.values())
