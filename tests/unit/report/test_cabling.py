from __future__ import annotations

from rackwright.model.evidence.fabric import NodeFabric
from rackwright.report import cabling


def test_as_planned_is_not_wrong(design, observed_links):
    assert (
        cabling.wrong_cables(design, {node: observed_links(node, design) for node in ("train-001", "train-002")}) == {}
    )


def test_swapped_cables_are_found_with_both_places(design, observed_links):
    wrong = cabling.wrong_cables(design, {"train-002": observed_links("train-002", design, "train-003")})["compute"]
    assert [(cable.node, cable.port, cable.planned_port, cable.found_device, cable.found_port) for cable in wrong] == [
        ("train-002", "mlx5_0", "p2", "compute-leaf-01", "p3"),
        ("train-002", "mlx5_1", "p2", "compute-leaf-02", "p3"),
    ]


def test_a_link_the_subnet_does_not_show_is_wrong_and_found_nowhere(design, observed_links):
    links = {**observed_links("train-001", design).links, "mlx5_1": None}
    wrong = cabling.wrong_cables(design, {"train-001": NodeFabric(links=links)})["compute"]
    assert [(cable.port, cable.found_device, cable.found_port) for cable in wrong] == [("mlx5_1", "", "")]


def test_an_adapter_that_was_not_looked_at_is_not_called_wrong(design):
    assert cabling.wrong_cables(design, {"train-001": NodeFabric(links={})}) == {}


def test_the_decorated_name_of_a_managed_switch_is_understood(design, observed_links):
    plain = observed_links("train-001", design)
    decorated = {
        port: link.model_copy(update={"remote_name": f"MF0;{link.remote_name}:MQM9700/U1"})
        for port, link in plain.links.items()
    }
    assert cabling.wrong_cables(design, {"train-001": NodeFabric(links=decorated)}) == {}
