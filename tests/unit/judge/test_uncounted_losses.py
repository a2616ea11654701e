"""A port of which the tool counts no loss is left out where the adapter is known for it, and missing elsewhere."""

import pytest

from rackwright import judge
from rackwright.model.evidence.link import Links
from rackwright.model.verdict import Outcome
from tests import build

STORAGE = {"ports": {"mlx5_1": {"downs": None}, "mlx5_7": {"downs": None}}}
FLAPPING = {"ports": {"mlx5_1": {"downs": None}, "mlx5_5": {"downs": 9}}}


def judged(adapter, change):
    ports = build.expected("train-001").node.server.ports
    fitted = [port.model_copy(update={"adapter": adapter}) if port.role == "storage" else port for port in ports]
    check = judge.load_checks()["link.flaps"]
    return check.judge(build.expectation(server={"ports": fitted}), build.healthy_record(Links, change))


@pytest.mark.parametrize(
    ("adapter", "change", "outcome"),
    [
        ("BlueField-3", STORAGE, Outcome.PASS),
        ("ConnectX-7", STORAGE, Outcome.INCONCLUSIVE),
        ("BlueField-3", FLAPPING, Outcome.FAIL),
    ],
)
def test_ports_without_the_counter(adapter, change, outcome):
    assert judged(adapter, change).outcome is outcome
