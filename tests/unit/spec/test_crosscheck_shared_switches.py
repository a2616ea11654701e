"""Fabrics on the switches of another one that cannot be, each with its reason."""

from __future__ import annotations

from typing import Any

import pytest

from rackwright import catalog
from rackwright.base import yaml_text
from rackwright.model.site import Site
from rackwright.spec.crosscheck import shared_switches

COMPUTE = {"transport": "roce", "switch": "sn5600"}
INBAND = {"switches_of": "compute", "switch": "sn5600", "topology": "rail-optimized"}


@pytest.fixture
def problems(example_site):
    """Problems of the example with compute and in-band on one set of Ethernet switches, changed: path after ``fabrics`` and code."""

    def find(compute: dict[str, Any], inband: dict[str, Any], storage: dict[str, Any] | None = None):
        data = yaml_text.load(example_site.read_text())
        by_name = {fabric["name"]: fabric for fabric in data["fabrics"]}
        for key in ("oversubscription", "ports_face", "survive"):
            by_name["inband"].pop(key, None)
        by_name["compute"].update(COMPUTE | compute)
        by_name["inband"].update(INBAND | inband)
        by_name["storage"].update(storage or {})
        entries = [*shared_switches.check(Site.model_validate(data), catalog.load())]
        assert all(entry.message and entry.expected and entry.found and entry.next_step for entry in entries)
        return [(entry.path.partition("]")[2].lstrip("."), entry.code.removeprefix("spec.")) for entry in entries]

    return find


def test_two_ethernet_fabrics_share_switches(problems):
    assert problems({}, {}) == []


@pytest.mark.parametrize(
    ("compute", "inband", "expected"),
    [
        ({}, {"switches_of": "compte"}, ("switches_of", "unknown_fabric")),
        ({}, {"switches_of": "inband"}, ("switches_of", "unknown_fabric")),
        ({"transport": "infiniband", "switch": "qm9700"}, {}, ("switches_of", "unshared_transport")),
        ({"planes": 2}, {}, ("switches_of", "unshared_planes")),
        ({"rail_planes": True}, {}, ("switches_of", "unshared_planes")),
        ({"topology": "dragonfly"}, {}, ("switches_of", "unshared_topology")),
        ({"switch": "sn2201"}, {"switch": "sn2201"}, ("switches_of", "unshared_switch")),
        ({}, {"switch": "sn4600c"}, ("switch", "unlike_owner")),
        ({}, {"topology": "leaf-spine"}, ("topology", "unlike_owner")),
        ({"switch_system": "cumulus"}, {"switch_system": "sonic"}, ("switch_system", "unused_key")),
        ({}, {"oversubscription": 2}, ("oversubscription", "unused_key")),
        ({"survive": None}, {"survive": {"switches": 1}}, ("survive.switches", "unsurvivable_loss")),
    ],
)
def test_what_cannot_be_shared_says_why(problems, compute, inband, expected):
    assert problems(compute, inband) == [expected]


def test_who_may_share(problems):
    """Compute has rails, by which jobs are placed, and keeps its switches; so do those that have none to give."""
    chain = {"transport": "roce", "switch": "sn5600", "switches_of": "inband", "topology": "rail-optimized"}
    assert ("switches_of", "no_switches") in problems({}, {}, chain)
    swapped = {"switches_of": None, "switch": "sn5600"}
    assert problems({"switches_of": "inband", "topology": "leaf-spine"}, swapped | {"topology": "leaf-spine"}) == [
        ("switches_of", "unshared_role")
    ]
