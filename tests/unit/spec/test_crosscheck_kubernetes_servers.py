"""Servers of a Kubernetes control plane that could not live are refused."""

from pathlib import Path

import pytest

from rackwright.base import yaml_text

MIXED = Path(__file__).resolve().parents[3] / "inventories" / "mixed-pod" / "site.yaml"
SERVERS = "control.kubernetes.servers"


@pytest.fixture
def with_servers(problems_of):
    """Problems of the site, changed field by field."""

    def load(servers=None, *, bill="1.34.2", drop=(), **fields):
        data = yaml_text.load(MIXED.read_text())
        cluster = data["control"]["kubernetes"]
        cluster["servers"] |= servers or {}
        cluster.update(fields)
        for name in drop:
            cluster.pop(name)
        data["software"]["kubernetes"] = bill
        return problems_of(data)

    return load


def test_three_servers_with_an_address_of_their_own_are_sound(with_servers):
    assert with_servers() == set()
    assert with_servers({"endpoint_by": "load-balancer"}, endpoint="api.example.com:6443") == set()
    assert with_servers({"count": 2, "etcd": ["10.80.4.5:2379", "10.80.4.6:2379", "10.80.4.7:2379"]}) == set()
    assert with_servers({"count": 1, "endpoint_by": None}) == set()


@pytest.mark.parametrize(
    ("servers", "changes", "problem"),
    [
        ({"count": 2}, {}, ("even_members", f"{SERVERS}.count")),
        ({"count": 9}, {}, ("too_many_members", f"{SERVERS}.count")),
        ({"etcd": ["10.80.4.5:2379", "10.80.4.6:2379"]}, {}, ("even_members", f"{SERVERS}.etcd")),
        ({"endpoint_by": None}, {}, ("no_endpoint", f"{SERVERS}.endpoint_by")),
        ({}, {"endpoint": "api.example.com:6443"}, ("endpoint_elsewhere", "control.kubernetes.endpoint")),
        ({}, {"endpoint": "10.99.0.1:6443"}, ("endpoint_elsewhere", "control.kubernetes.endpoint")),
        ({}, {"endpoint": "10.80.4.2:6443"}, ("endpoint_taken", "control.kubernetes.endpoint")),
        ({}, {"bill": "1.33.5"}, ("servers_release", "control.kubernetes.version")),
        ({}, {"drop": ["network"]}, ("no_network", "control.kubernetes.network")),
        ({"server": "no-such"}, {}, ("unknown_sku", f"{SERVERS}.server")),
    ],
)  # fmt: skip
def test_what_could_not_live_is_refused(with_servers, servers, changes, problem):
    assert with_servers(servers, **changes) == {(f"spec.{problem[0]}", problem[1])}


def test_a_cluster_of_somebody_else_is_recognised_by_its_ca(problems_of):
    data = yaml_text.load(MIXED.read_text())
    del data["control"]["kubernetes"]["servers"]
    assert problems_of(data) == {("spec.no_ca", "control.kubernetes.ca_sha256")}
