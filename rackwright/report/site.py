"""The design for the drawings of the report: racks with the status of their devices, fabrics with bundled cables.

A fabric of one scalable unit has hundreds of cables; they are bundled per rack and switch, because single lines would be
indistinguishable.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from rackwright.model.design import Design
from rackwright.report import view
from rackwright.report.view import NodeStatus

MOST_RACKS = 64
"""A site with more racks is drawn only where the run covered something: otherwise the page would be unreadable."""

MOST_NODES = 48
"""A fabric with more machines is drawn only where the run covered something: otherwise its lines would be indistinguishable."""

MOST_BUNDLES = 600
"""Lines of a large fabric: a tier that would exceed them is only in the drawing of the whole fabric."""

TIERS = ("leaf", "spine", "core")

_SAYS = {
    NodeStatus.ACCEPTED: "accepted",
    NodeStatus.REFUSED: "refused",
    NodeStatus.UNDECIDED: "covered by this run, not subject to a decision of the gate",
    NodeStatus.NOT_COVERED: "not covered by this run",
    NodeStatus.UNJUDGED: "not judged on its own",
}


def racks(design: Design, status: Mapping[str, NodeStatus]) -> list[view.ReportRack]:
    """The racks to draw, in design order; for a large site only those with a covered machine."""
    placed: dict[str, list[view.RackDevice]] = {}
    for row in design.devices.iter_rows(named=True):
        if row["rack"] is not None and row["rack_units"] > 0:
            placed.setdefault(row["rack"], []).append(_device(row, status))
    all_racks = [_rack(row, placed.get(row["rack"], [])) for row in design.racks.iter_rows(named=True)]
    if len(all_racks) <= MOST_RACKS:
        return all_racks
    return [rack for rack in all_racks if any(device.device in status for device in rack.devices)]


def _device(row: Mapping[str, Any], status: Mapping[str, NodeStatus]) -> view.RackDevice:
    absent = NodeStatus.NOT_COVERED if row["kind"] == "server" else NodeStatus.UNJUDGED
    state = status.get(row["device"], absent)
    return view.RackDevice(
        device=row["device"],
        kind=row["kind"],
        role=row["role"] or "",
        sku=row["sku"],
        unit=row["unit"],
        rack_units=row["rack_units"],
        status=state,
        says=f"{row['device']}: {row['sku']}, {_units(row['unit'], row['rack_units'])}, {_SAYS[state]}",
    )


def _units(unit: int, height: int) -> str:
    return f"U{unit}" if height == 1 else f"U{unit} to U{unit + height - 1}"


def _rack(row: Mapping[str, Any], devices: list[view.RackDevice]) -> view.ReportRack:
    return view.ReportRack(
        rack=row["rack"],
        hall=row["hall"],
        row=row["row"],
        position=row["position"],
        kind=row["kind"],
        rack_units=row["rack_units"],
        peak_kw=row["peak_watts"] / 1000,
        weight_kg=row["weight_kg"],
        devices=sorted(devices, key=lambda device: device.unit),
    )


def fabrics(
    design: Design,
    status: Mapping[str, NodeStatus],
    shown_racks: Sequence[view.ReportRack],
    wrong: Mapping[str, list[view.WrongCable]],
) -> list[view.ReportFabric]:
    """Every InfiniBand fabric of the site, with the machines of the `drawn` racks."""
    racks_drawn = {rack.rack for rack in shown_racks}
    rack_of = {
        row["device"]: row["rack"]
        for row in design.devices.iter_rows(named=True)
        if row["kind"] == "server" and row["rack"] in racks_drawn
    }
    infiniband = [fabric for fabric in design.site.fabrics if fabric.transport == "infiniband"]
    return [
        _fabric(design, asked_for.name, asked_for.topology, asked_for.switch, rack_of, status, wrong)
        for asked_for in infiniband
    ]


def _fabric(
    design: Design,
    name: str,
    topology: str,
    switch: str,
    rack_of: Mapping[str, str],
    status: Mapping[str, NodeStatus],
    wrong: Mapping[str, list[view.WrongCable]],
) -> view.ReportFabric:
    cables = design.cables.filter(pl.col("fabric") == name)
    switches = design.devices.filter((pl.col("fabric") == name) & (pl.col("kind") == "switch"))
    switches = switches.sort("scalable_unit", "index", "device")
    names = set(switches["device"])
    tiers = {tier: list(switches.filter(pl.col("role") == tier)["device"]) for tier in TIERS}
    everyone, all_bundles = _bundle(cables, names, rack_of, status)
    groups, bundles = _shown_part(everyone, all_bundles, status)
    reached = {bundle.b for bundle in bundles} | {bundle.a for bundle in bundles}
    return view.ReportFabric(
        name=name,
        topology=topology,
        switch=switch,
        tiers={
            tier: [name_of_switch for name_of_switch in members if name_of_switch in reached]
            for tier, members in tiers.items()
            if members
        },
        groups=groups,
        groups_left_out=len(everyone) - len(groups),
        bundles=bundles,
        wrong=list(wrong.get(name, [])),
    )


def _shown_part(
    groups: list[view.RackGroup], bundles: list[view.CableBundle], status: Mapping[str, NodeStatus]
) -> tuple[list[view.RackGroup], list[view.CableBundle]]:
    """A small fabric completely; of a large one the racks with covered machines, and as many tiers above them as are readable."""
    if sum(len(group.nodes) for group in groups) <= MOST_NODES and len(bundles) <= MOST_BUNDLES:
        return groups, bundles
    covered = [group for group in groups if any(node in status for node in group.nodes)]
    above = {group.name for group in covered}
    remaining = list(bundles)
    shown_bundles: list[view.CableBundle] = []
    while climbed := [bundle for bundle in remaining if bundle.a in above]:
        if shown_bundles and len(shown_bundles) + len(climbed) > MOST_BUNDLES:
            break
        remaining = [bundle for bundle in remaining if bundle.a not in above]
        above |= {bundle.b for bundle in climbed}
        shown_bundles += climbed
    return covered, shown_bundles


def _bundle(
    cables: pl.DataFrame, switches: set[str], rack_of: Mapping[str, str], status: Mapping[str, NodeStatus]
) -> tuple[list[view.RackGroup], list[view.CableBundle]]:
    racks = pl.DataFrame(
        {"a_device": list(rack_of), "rack": list(rack_of.values())}, schema={"a_device": pl.String, "rack": pl.String}
    )
    near = (
        cables.join(racks, on="a_device", how="left", maintain_order="left")
        .filter(pl.col("rack").is_not_null() | pl.col("a_device").is_in(list(switches)))
        .with_columns(pl.coalesce("rack", "a_device").alias("near"))
    )
    counted = near.group_by("near", "b_device", "gbps", maintain_order=True).len()
    members: dict[str, dict[str, NodeStatus]] = {}
    placed = near.filter(pl.col("rack").is_not_null()).select("rack", "a_device").unique(maintain_order=True)
    for rack, node in placed.iter_rows():
        members.setdefault(rack, {})[node] = status.get(node, NodeStatus.NOT_COVERED)
    groups = [view.RackGroup(name=rack, nodes=nodes) for rack, nodes in members.items()]
    bundles = [view.CableBundle(a=a, b=b, cables=count, gbps=gbps) for a, b, gbps, count in counted.iter_rows()]
    return groups, bundles
