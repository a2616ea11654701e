"""The consequences of several losses together: power and cooling first, then the fabrics without the devices that are down.

A switch without power or cooling counts as lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from rackwright.design.whatif import cooling_side, declarations, power_side, storage_side
from rackwright.design.whatif.consequence_text import describe_consequence
from rackwright.design.whatif.fabric_side import Fabrics, remaining_fabrics
from rackwright.design.whatif.name_lookup import resolve_name
from rackwright.design.whatif.result import Consequence, Failing
from rackwright.design.whatif.scenario import Loss, Scenario
from rackwright.model.design import Design

NEEDED = ("compute", "inband")
"""A node that is cut off from one of these fabrics is unusable."""


def simulate_scenario(design: Design, scenario: Scenario) -> Consequence:
    """The consequence of the losses of `scenario`. Raises `UsageError` for a name that the design does not have."""
    losses = [resolve_name(design, loss) for loss in dict.fromkeys(scenario.losses)]
    power, cooling = power_side.lost_power(design, losses), cooling_side.lost_cooling(design, losses)
    down = set(power.down | cooling.down) | {name for loss in losses for name in _lost_devices(design, loss)}
    remaining = remaining_fabrics(design, down, {name for loss in losses for name in _cables(design, loss)})
    promised = declarations.matching_declarations(design, losses)
    failing = (
        *power.failing,
        *cooling.failing,
        *storage_side.lost_storage_rates(design, down),
        *_cut_off_fabrics(design, remaining),
    )
    counts = _counts(design, down, remaining)
    consequence = Consequence(
        what_if=scenario.text,
        lost=tuple(str(loss) for loss in losses),
        devices_down=tuple(name for name in design.devices["device"] if name in down),
        loads=(*power.loads, *cooling.loads),
        fabrics=remaining.remaining,
        declared=tuple(promised.statements),
        failing=failing,
        survives=not failing and not counts["nodes_down"] and not counts["nodes_cut_off"],
        must_survive=promised.covers,
        **counts,
    )
    return replace(consequence, says=tuple(describe_consequence(consequence)))


def _counts(design: Design, down: set[str], remaining: Fabrics) -> dict[str, Any]:
    nodes = design.node_table.filter(pl.col("role") == "accelerator").select("node", "accelerators")
    roles = {fabric.name: fabric.role for fabric in design.site.fabrics}
    apart = {node for name, cut in remaining.cut_off.items() if roles[name] in NEEDED for node in cut}
    running = nodes.filter(~pl.col("node").is_in(list(down | apart)))
    return {
        "nodes": nodes.height,
        "accelerators": int(nodes["accelerators"].sum()),
        "nodes_down": nodes.filter(pl.col("node").is_in(list(down))).height,
        "nodes_cut_off": nodes.filter(pl.col("node").is_in(list(apart - down))).height,
        "nodes_left": running.height,
        "accelerators_left": int(running["accelerators"].sum()),
    }


def _lost_devices(design: Design, loss: Loss) -> Sequence[str]:
    """Devices that are lost by their name or their place."""
    devices = design.devices
    if loss.kind in ("switch", "node", "server"):
        return [loss.name]
    if loss.kind == "rack":
        return devices.filter(pl.col("rack") == loss.name)["device"].to_list()
    if loss.kind in ("hall", "row"):
        hall, _, row = loss.name.rpartition(" ") if loss.kind == "row" else (loss.name, "", "")
        racks = design.racks.filter(pl.col("hall") == hall)
        racks = racks.filter(pl.col("row") == int(row)) if row else racks
        return devices.filter(pl.col("rack").is_in(racks["rack"].implode()))["device"].to_list()
    return _plane(design, loss.name) if loss.kind == "plane" else []


def _plane(design: Design, name: str) -> Sequence[str]:
    """Every switch that the cables of a plane lead to."""
    fabric, _, number = name.rpartition(" ")
    mine = design.cables.filter((pl.col("fabric") == fabric) & (pl.col("plane") == int(number) - 1))
    switches = design.devices.filter((pl.col("kind") == "switch") & (pl.col("fabric") == fabric))["device"]
    ends = set(mine["a_device"]) | set(mine["b_device"])
    return [switch for switch in switches if switch in ends]


def _cables(design: Design, loss: Loss) -> Iterator[str]:
    """The cable of a name, or at an end ``device:port``."""
    if loss.kind != "cable":
        return
    ends = [pl.concat_str(f"{side}_device", pl.lit(":"), f"{side}_port") == loss.name for side in ("a", "b")]
    yield from design.cables.filter((pl.col("cable") == loss.name) | ends[0] | ends[1])["cable"]


def _cut_off_fabrics(design: Design, remaining: Fabrics) -> Iterator[Failing]:
    """Fabrics from which running nodes are cut off."""
    roles = {fabric.name: fabric.role for fabric in design.site.fabrics}
    for fabric in remaining.remaining:
        if not fabric.nodes_cut_off:
            continue
        what = "have a BMC that cannot be reached" if roles[fabric.fabric] == "bmc" else "reach nobody"
        yield Failing(
            f"fabric {fabric.fabric}", f"{fabric.nodes_cut_off} nodes that still run {what} on {fabric.fabric}."
        )
