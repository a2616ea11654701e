"""Nodes beside each other: what most have is what all should have."""

from rackwright.compare import by_kind, network
from rackwright.model.verdict import Outcome
from tests import build


def compared(*values, kind="card"):
    names = [f"train-{number:03d}" for number in range(1, len(values) + 1)]
    peers = [(build.expectation(name), value) for name, value in zip(names, values, strict=True)]
    findings = by_kind.compare_parts(peers, lambda _, value: {"mlx5_0": (kind, value)}, what="firmware", source="peers")
    return [findings[name].outcome for name in names], [findings[name].says for name in names]


def test_the_odd_one_fails_and_the_others_pass() -> None:
    outcomes, says = compared("1", "1", "2")
    assert outcomes == [Outcome.PASS, Outcome.PASS, Outcome.FAIL]
    assert "mlx5_0: 2, where most have 1" in says[2]


def test_half_is_no_majority() -> None:
    assert compared("1", "1", "2", "2")[0] == [Outcome.INCONCLUSIVE] * 4
    assert compared("1", "2")[0] == [Outcome.INCONCLUSIVE] * 2


def test_one_alone_is_not_compared() -> None:
    assert compared("1")[0] == [Outcome.NOT_RUN]


def test_without_a_value_nothing_is_concluded() -> None:
    assert compared("1", "1", None)[0] == [Outcome.PASS, Outcome.PASS, Outcome.INCONCLUSIVE]
    assert compared(None, None)[0] == [Outcome.INCONCLUSIVE] * 2


def test_a_node_without_parts_is_inconclusive() -> None:
    peers = [(build.expectation(name), None) for name in ("train-001", "train-002")]
    findings = by_kind.compare_parts(peers, lambda *_: {}, what="firmware", source="peers")
    assert {finding.outcome for finding in findings.values()} == {Outcome.INCONCLUSIVE}


def test_ports_of_the_bmc_are_not_those_of_the_operating_system() -> None:
    node = build.expected("train-001")
    assert [link.port for link in network.bmc_links(node)] == ["bmc"]
    assert [link.port for link in network.ethernet_links(node)] == ["enp41s0f1np1", "enp170s0f1np1"]
    assert len(network.rdma_links(node)) == 10
