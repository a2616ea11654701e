"""Whether accelerators can read a tier without a copy through host memory.

The device next to the storage must reach accelerator memory by itself: a local NVMe drive by DMA, an adapter by RDMA (`SOURCE`).
"""

from __future__ import annotations

from rackwright.design.storage import path as ways
from rackwright.design.storage.study import TierPath
from rackwright.model.design import Design
from rackwright.model.workload import StorageTier

SOURCE = "NVIDIA GPUDirect Storage O_DIRECT Requirements Guide, summary of basic requirements, read 2026-11-21"
RDMA = ("infiniband", "roce")


def problems(design: Design, tier: StorageTier, path: TierPath) -> list[str]:
    """Why the nodes that reach `tier` cannot use GPUDirect Storage with it."""
    reasons = []
    for pool in design.site.pools:
        server = design.servers.get(pool.server)
        if pool.name in path.pools and server and not server.gpudirect_storage:
            reasons.append(f"{server.sku} of pool {pool.name} declares no gpudirect_storage")
    fabric = ways.fabric_of(design, tier)
    if tier.tier == "local":
        return reasons if path.pools else ["no pool has local drives"]
    if fabric is None:
        return [*reasons, "no fabric leads to it"]
    if fabric.transport not in RDMA:
        reasons.append(f"fabric {fabric.name} is plain {fabric.transport}, without RDMA")
    if fabric.role in ("inband", "bmc"):
        reasons.append(f"fabric {fabric.name} has role {fabric.role}: its adapters are not beside the accelerators")
    return reasons
