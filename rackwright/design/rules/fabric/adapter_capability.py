"""The adapters of servers can do what their fabric asks: its transport, its rate, ports for its rails and planes."""

from __future__ import annotations

from collections.abc import Iterator

from rackwright.design.rules.rule import DesignRule, Judged, finding
from rackwright.model import lanes
from rackwright.model.design import Design
from rackwright.model.fabric import Fabric
from rackwright.model.peripheral import Nic
from rackwright.model.sku import ServerPort
from rackwright.model.verdict import Finding

SPEAKS = {"infiniband": "infiniband", "roce": "ethernet", "ethernet": "ethernet"}
"""What an adapter must speak for the transport of a fabric."""


def judge(design: Design) -> Judged:
    """Per fabric and server: its adapters, as far as the catalog has them."""
    pairs = design.node_table.select("sku", "pool", "role").unique(["sku", "pool"], maintain_order=True)
    for fabric in design.site.fabrics:
        for sku, pool, role in pairs.iter_rows():
            if fabric.pools and pool not in fabric.pools and role == "accelerator":
                continue
            for group in design.servers[sku].ports:
                adapter = design.nic_parts.get(group.adapter)
                if group.role == fabric.role and adapter:
                    split = lanes.by_role(design.site, pool, design.servers[sku]).get(group.role, 1)
                    yield f"{fabric.name} {sku} in {pool}", _finding(fabric, sku, group, adapter, split)


def _finding(fabric: Fabric, sku: str, group: ServerPort, adapter: Nic, split: int) -> Finding:
    wrong = [*_wrong(fabric, group, adapter, split)]
    speaks = ", ".join(adapter.transport) or "not published"
    observed = "; ".join(wrong) or f"{adapter.ports} x {adapter.gbps} Gb/s, {speaks}"
    says = f"Adapters {group.adapter} of {sku} in {fabric.name}: {observed}"
    expected = f"{fabric.transport}, {group.gbps} Gb/s a port, {fabric.planes} plane{'s' if fabric.planes > 1 else ''}"
    step = f"change transport or planes of {fabric.name}, or choose a server with another adapter"
    return finding(not wrong, observed, expected, f"SKU {adapter.sku}", says, step)


def _wrong(fabric: Fabric, group: ServerPort, adapter: Nic, split: int) -> Iterator[str]:
    speaks = SPEAKS.get(fabric.transport, "")
    if adapter.transport and speaks not in adapter.transport:
        yield f"it speaks {' and '.join(adapter.transport)}"
    if split not in adapter.breakouts:
        yield f"its ports cannot be split into {split} lanes"
    if group.gbps > adapter.gbps:
        yield f"its ports have {adapter.gbps} Gb/s"
    if group.role == "compute" and group.per_rail > adapter.ports:
        yield f"it has {adapter.ports} port{'s' if adapter.ports > 1 else ''} for {group.per_rail} of a rail"


RULE = DesignRule("adapter_capability", "Adapters can do what their fabric asks", judge)
