from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rackwright import catalog, design
from rackwright.model.design import Design
from rackwright.model.site import Site

SHARED = {
    "name": "scratch",
    "tier": "parallel",
    "read_gbytes_per_s": 300,
    "write_gbytes_per_s": 200,
    "capacity_pbytes": 2.0,
    "servers": {"server": "store", "count": 8},
}
LOCAL = {
    "name": "nvme",
    "tier": "local",
    "read_gbytes_per_s": 1000,
    "write_gbytes_per_s": 500,
    "capacity_pbytes": 0.5,
}
DRIVES = {"drives": 8, "terabytes_each": 3.84, "read_gbytes_per_s_each": 6.0, "write_gbytes_per_s_each": 3.0}
PORTS = [
    {"role": "storage", "count": 2, "gbps": 400, "names": ["mlx5_0", "mlx5_1"], "adapter": "ConnectX-7"},
    {"role": "inband", "count": 2, "gbps": 100, "names": ["eth0", "eth1"], "adapter": "ConnectX-7"},
    {"role": "bmc", "count": 1, "gbps": 1, "names": ["bmc"], "adapter": "AST2600"},
]


@pytest.fixture(scope="session")
def parts(parts_catalog) -> catalog.Catalog:
    """The catalog with a node with local drives, one without anything, and a storage server: round numbers."""

    def part(like: str, sku: str, **changes: Any) -> dict[str, Any]:
        return {**parts_catalog.servers[like].model_dump(), "sku": sku, **changes}

    promise = {"read_gbytes_per_s": 50.0, "write_gbytes_per_s": 25.0, "capacity_pbytes": 0.25}
    return catalog.load(
        [
            part("dgx-h100", "node", local_storage=DRIVES, gpudirect_storage=True),
            part("dgx-h100", "bare-node", local_storage=None, gpudirect_storage=False),
            part("head-node-1u", "store", storage=promise, ports=PORTS),
        ]
    )


@pytest.fixture
def studied(data, parts) -> Callable[..., Design]:
    """The example with a shared tier of eight servers (400 GB/s read, 200 GB/s write) and local drives, and one change."""

    def make(change: Callable[[dict[str, Any]], None] = lambda data: None, *workloads: dict[str, Any]) -> Design:
        data["pools"][0]["server"] = "node"
        data["storage"] = [dict(SHARED), dict(LOCAL)]
        data["workloads"] = list(workloads)
        change(data)
        return design.expand(Site.model_validate(data), parts)

    return make
