"""The design as the report draws it: racks with the status of what is in them, fabrics with their cables bundled.

A fabric of one scalable
unit has hundreds of cables; they are bundled per rack and switch, because single lines could not be told apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from rackwright.model.design import Design
from rackwright.report import view
from rackwright.report.view import Status

MOST_RACKS = 64
"""A site with more racks is drawn only where the run covered something: beyond it a page can no longer be read."""

MOST_NODES = 48
"""A fabric with more machines is drawn only where the run covered something: their lines could not be told apart."""

MOST_BUNDLES = 600
"""Lines of a large fabric: a tier that would go beyond them is left to the drawing of the whole fabric."""

TIERS = ("leaf", "spine", "core")

_SAYS = {
    Status.ACCEPTED: "accepted",
    Status.REFUSED: "refused",
    Status.UNDECIDED: "covered by this run, not subject to a decision of the gate",
    Status.NOT_COVERED: "not covered by this run",
    Status.UNJUDGED: "not judged on its own",
}


def racks(design: Design, status: Mapping[str, Status]) -> list[view.Rack]:
    """The racks to draw, in design order; of a large site only those that hold a covered machine."""
    placed: dict[str, list[view.Device]] = {}
    for row in design.devices.iter_rows(named=True):
        if row["rack"] is not None and row["rack_units"] > 0:
            placed.setdefault(row["rack"], []).append(_device(row, status))
    drawn = [_rack(row, placed.get(row["rack"], [])) for row in design.racks.iter_rows(named=True)]
    if len(drawn) <= MOST_RACKS:
        return drawn
    return [rack for rack in drawn if any(device.device in status for device in rack.devices)]


def _device(row: Mapping[str, Any], status: Mapping[str, Status]) -> view.Device:
    absent = Status.NOT_COVERED if row["kind"] == "server" else Status.UNJUDGED
    state = status.get(row["device"], absent)
    return view.Device(
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


def _rack(row: Mapping[str, Any], devices: list[view.Device]) -> view.Rack:
    return view.Rack(
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
    status: Mapping[str, Status],
    drawn: Sequence[view.Rack],
    wrong: Mapping[str, list[view.WrongCable]],
) -> list[view.Fabric]:
    """Every InfiniBand fabric of the site, with the machines of the `drawn` racks."""
    racks_drawn = {rack.rack for rack in drawn}
    rack_of = {
        row["device"]: row["rack"]
        for row in design.devices.iter_rows(named=True)
        if row["kind"] == "server" and row["rack"] in racks_drawn
    }
    asked = [fabric for fabric in design.site.fabrics if fabric.transport == "infiniband"]
    return [
        _fabric(design, asked_for.name, asked_for.topology, asked_for.switch, rack_of, status, wrong)
        for asked_for in asked
    ]


def _fabric(
    design: Design,
    name: str,
    topology: str,
    switch: str,
    rack_of: Mapping[str, str],
    status: Mapping[str, Status],
    wrong: Mapping[str, list[view.WrongCable]],
) -> view.Fabric:
    cables = design.cables.filter(pl.col("fabric") == name)
    switches = design.devices.filter((pl.col("fabric") == name) & (pl.col("kind") == "switch"))
    switches = switches.sort("scalable_unit", "index", "device")
    names = set(switches["device"])
    tiers = {tier: list(switches.filter(pl.col("role") == tier)["device"]) for tier in TIERS}
    everyone, all_bundles = _bundle(cables, names, rack_of, status)
    groups, bundles = _drawn(everyone, all_bundles, status)
    reached = {bundle.b for bundle in bundles} | {bundle.a for bundle in bundles}
    return view.Fabric(
        name=name,
        topology=topology,
        switch=switch,
        tiers={tier: [one for one in members if one in reached] for tier, members in tiers.items() if members},
        groups=groups,
        groups_left_out=len(everyone) - len(groups),
        bundles=bundles,
        wrong=list(wrong.get(name, [])),
    )


def _drawn(
    groups: list[view.Group], bundles: list[view.Bundle], status: Mapping[str, Status]
) -> tuple[list[view.Group], list[view.Bundle]]:
    """All of a small fabric; of a large one the racks with covered machines, and the tiers above them that can be read."""
    if sum(len(group.nodes) for group in groups) <= MOST_NODES and len(bundles) <= MOST_BUNDLES:
        return groups, bundles
    kept = [group for group in groups if any(node in status for node in group.nodes)]
    above = {group.name for group in kept}
    left = list(bundles)
    drawn: list[view.Bundle] = []
    while climbed := [bundle for bundle in left if bundle.a in above]:
        if drawn and len(drawn) + len(climbed) > MOST_BUNDLES:
            break
        left = [bundle for bundle in left if bundle.a not in above]
        above |= {bundle.b for bundle in climbed}
        drawn += climbed
    return kept, drawn


def _bundle(
    cables: pl.DataFrame, switches: set[str], rack_of: Mapping[str, str], status: Mapping[str, Status]
) -> tuple[list[view.Group], list[view.Bundle]]:
    racks = pl.DataFrame(
        {"a_device": list(rack_of), "rack": list(rack_of.values())}, schema={"a_device": pl.String, "rack": pl.String}
    )
    near = (
        cables.join(racks, on="a_device", how="left", maintain_order="left")
        .filter(pl.col("rack").is_not_null() | pl.col("a_device").is_in(list(switches)))
        .with_columns(pl.coalesce("rack", "a_device").alias("near"))
    )
    counted = near.group_by("near", "b_device", "gbps", maintain_order=True).len()
    members: dict[str, dict[str, Status]] = {}
    held = near.filter(pl.col("rack").is_not_null()).select("rack", "a_device").unique(maintain_order=True)
    for rack, node in held.iter_rows():
        members.setdefault(rack, {})[node] = status.get(node, Status.NOT_COVERED)
    groups = [view.Group(name=rack, nodes=nodes) for rack, nodes in members.items()]
    bundles = [view.Bundle(a=a, b=b, cables=count, gbps=gbps) for a, b, gbps, count in counted.iter_rows()]
    return groups, bundles
