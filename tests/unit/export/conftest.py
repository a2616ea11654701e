"""Designs to export: the example, three tiers, planes, and NVL72 racks with everything that addresses can have."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from rackwright import catalog, design
from rackwright.base import yaml_text
from rackwright.model.design import Design
from rackwright.model.site import Site
from tests import build

Data = dict[str, Any]


def data() -> Data:
    """The example without what depends on its pools."""
    result: Data = yaml_text.load(build.EXAMPLE.read_text())
    for key in ("workloads", "storage"):
        result[key] = []
    result["deployment"] = {}
    result["facility"]["halls"][0].update(rows=8, racks_per_row=20)
    result["facility"]["power"].update(feed_kw=9000)
    return result


def expand(change: Callable[[Data], None], extra: list[dict[str, Any]] | None = None) -> Design:
    """The example with `change` made to its data, and parts of its own."""
    result = data()
    change(result)
    return design.expand(Site.model_validate(result), catalog.load(extra or []))


@cache
def three_tiers() -> Design:
    def change(result: Data) -> None:
        result["pools"][0].update(count=128)
        result["fabrics"][0].update(tiers=3, switch="qm8700")
        result["fabrics"][1].update(switch="qm8700")
        del result["control"]["ufm"]

    return expand(change)


@cache
def planes() -> Design:
    def change(result: Data) -> None:
        result["pools"][0].update(count=20)
        result["fabrics"][0].update(planes=2, topology="fat-tree", partition_key=0x10)
        del result["control"]["ufm"]

    return expand(change)


@cache
def domains() -> Design:
    """Two NVL72 racks, one of them not full, beside a pool of plain servers; no rack PDU."""

    def change(result: Data) -> None:
        power = result["facility"]["power"]
        power.pop("rack_pdu", None)
        rack = {"servers_per_rack": 18, "scalable_unit": 36, "rack": "rack-nvl72"}
        result["pools"] = [
            {"name": "gb", "server": "gb200-nvl72", "count": 20, "scheduler": "kubernetes", **rack},
            {"name": "srv", "server": "l40s-2u", "count": 3, "servers_per_rack": 4, "scheduler": "slurm"},
        ]
        compute = {"name": "compute", "role": "compute", "transport": "roce", "topology": "rail-optimized"}
        compute |= {"pools": ["gb"], "switch": "sn5600", "subnet": "10.1.0.0/16", "subnet6": "fd00:1::/48"}
        compute |= {"vlan": 100, "vni": 5000, "loopbacks": "10.9.0.0/22"}
        nvlink = {"name": "nvl", "role": "nvlink", "transport": "nvlink", "topology": "nvlink", "pools": ["gb"]}
        storage = result["fabrics"][1] | {"pools": ["gb"], "partition_key": 0x10}
        result["fabrics"] = [compute, storage, nvlink | {"switch": "nvlink5-switch-tray"}, *result["fabrics"][2:]]
        del result["control"]["ufm"]

    return expand(change)


DESIGNS: dict[str, Callable[[], Design]] = {
    "example": build.site_design,
    "three_tiers": three_tiers,
    "planes": planes,
    "domains": domains,
}


@pytest.fixture(params=DESIGNS, scope="session")
def any_design(request: pytest.FixtureRequest) -> Design:
    return DESIGNS[request.param]()


@pytest.fixture(scope="session")
def example() -> Design:
    return build.site_design()
