from __future__ import annotations

from rackwright.model.evidence.fabric import NodeFabric
from rackwright.report import cabling


def test_as_planned_is_not_wrong(design, seen):
    assert cabling.wrong_cables(design, {node: seen(node, design) for node in ("train-001", "train-002")}) == {}


def test_swapped_cables_are_found_with_both_places(design, seen):
    found = cabling.wrong_cables(design, {"train-002": seen("train-002", design, "train-003")})["compute"]
    assert [(one.node, one.port, one.planned_port, one.found_device, one.found_port) for one in found] == [
        ("train-002", "mlx5_0", "p2", "compute-leaf-01", "p3"),
        ("train-002", "mlx5_1", "p2", "compute-leaf-02", "p3"),
    ]


def test_a_link_the_subnet_does_not_show_is_wrong_and_found_nowhere(design, seen):
    links = {**seen("train-001", design).links, "mlx5_1": None}
    found = cabling.wrong_cables(design, {"train-001": NodeFabric(links=links)})["compute"]
    assert [(one.port, one.found_device, one.found_port) for one in found] == [("mlx5_1", "", "")]


def test_an_adapter_that_was_not_looked_at_is_not_called_wrong(design):
    assert cabling.wrong_cables(design, {"train-001": NodeFabric(links={})}) == {}


def test_the_decorated_name_of_a_managed_switch_is_understood(design, seen):
    plain = seen("train-001", design)
    decorated = {
        port: link.model_copy(update={"remote_name": f"MF0;{link.remote_name}:MQM9700/U1"})
        for port, link in plain.links.items()
    }
    assert cabling.wrong_cables(design, {"train-001": NodeFabric(links=decorated)}) == {}
