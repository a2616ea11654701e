"""Several sized pools as one site: their nodes in common halls, on common in-band and management networks, each on its own compute fabric.

Each pool was sized alone, so that its racks, cables and supplies fit; plant, halls and subnets are measured again on all of them together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

from rackwright.catalog import Catalog, sizing_practice
from rackwright.design import rules
from rackwright.design.assemble import PLANT, expand
from rackwright.design.sizing import building, plant
from rackwright.design.sizing.comments import comments
from rackwright.design.sizing.draft import FABRICS, Data, draft_site
from rackwright.design.sizing.facts import Facts, PlantUnits
from rackwright.design.sizing.fit import ENDLESS, Sized
from rackwright.design.sizing.knobs import RACK
from rackwright.design.sizing.refusal import refuse
from rackwright.design.sizing.request import POOL
from rackwright.design.sizing.rough_count import rough_counts
from rackwright.design.sizing.subnets import subnets
from rackwright.model.design import Design
from rackwright.model.site import Site
from rackwright.model.verdict import Outcome

OWN = ("compute", "nvlink")
"""Fabrics that every pool has for itself."""


@dataclass(frozen=True)
class SizedPools:
    """A site of one pool or of several that passes every rule."""

    data: Data
    """The site file as plain data."""
    design: Design
    comments: dict[str, str]
    """Reasons by field path."""
    notes: list[str]


def join_pools(sized: Mapping[str, Sized], catalog: Catalog) -> SizedPools:
    """The site of all pools, called by the names of `sized`. Raises ProblemsError when they do not fit one site."""
    pools = list(sized.values())
    data, notes = _joined_data(sized)
    reasons = _comments(sized)
    if len(pools) == 1:
        return SizedPools(data, expand(_site(data), catalog), reasons, pools[0].notes)
    lead = max(pools, key=lambda pool: (pool.knobs.circuit, pool.knobs.feeds, not pool.frame.server.liquid))
    feeds = max(pool.knobs.feeds for pool in pools)
    spare = max(pool.knobs.spare_share for pool in pools)
    lead = replace(lead, knobs=replace(lead.knobs, feeds=feeds, spare_share=spare, pdu=all(p.knobs.pdu for p in pools)))
    facts = _facts(data, pools, catalog)
    for pdu in (
        lead.knobs.pdu,
        False,
    ):  # where no PDU has outlets for racks of several pools, devices plug into circuits
        lead = replace(lead, knobs=replace(lead.knobs, pdu=pdu))
        boundless = expand(_site(_placed_pools(data, lead, pools, facts)), catalog, PLANT)
        final = _placed_pools(data, lead, pools, plant.measured(boundless, lead.knobs, facts, catalog))
        design = expand(_site(final), catalog)
        failed = [verdict for verdict in rules.run_rules(design) if verdict.outcome is Outcome.FAIL]
        if not failed:
            return SizedPools(final, design, reasons, [*notes, *dict.fromkeys(note for p in pools for note in p.notes)])
    worst = failed[0]
    raise refuse("--pools", f"pools {', '.join(sized)} together fail rule {worst.check}: {worst.says}",
                 worst.expected, worst.observed, "draft a site file for each")  # fmt: skip


def _joined_data(sized: Mapping[str, Sized]) -> tuple[Data, list[str]]:
    """The data of the first pool with pools, fabrics and control planes of the others added."""
    (first, lead), *others = sized.items()
    notes: list[str] = []
    data = _renamed_pool(lead.data, first, "")
    storage = next((fabric for fabric in data["fabrics"] if fabric["role"] == "storage"), None)
    for name, pool in others:
        more = _renamed_pool(pool.data, name, f"{name}-")
        data["pools"] += more["pools"]
        own_fabrics = [fabric for fabric in more["fabrics"] if fabric["role"] in OWN]
        at = next(at for at, fabric in enumerate(data["fabrics"]) if fabric["role"] not in OWN)
        data["fabrics"][at:at] = own_fabrics
        second = next((fabric for fabric in more["fabrics"] if fabric["role"] == "storage"), None)
        if storage and second and storage["switch"] == second["switch"]:
            storage["pools"].append(name)
        elif second:
            notes.append(
                f"The storage ports of pool {name} have another rate than those of {first}: they stay unconnected."
            )
        for plane, declared in more["control"].items():
            data["control"].setdefault(plane, declared)
    own_fabrics = [
        fabric for fabric in data["fabrics"] if fabric["role"] == "compute" and fabric["transport"] == "infiniband"
    ]
    if len(own_fabrics) > 1 and data["control"].pop("ufm", None):
        notes.append(
            "No subnet manager is declared: one appliance has no ports for several InfiniBand compute fabrics."
        )
    return data, notes


def _renamed_pool(data: Data, pool: str, prefix: str) -> Data:
    """`data` with the pool called `pool`, and `prefix` before the names of its own fabrics."""
    data = deepcopy(data)
    for entry in data["pools"]:
        entry["name"] = pool
    for fabric in data["fabrics"]:
        if "pools" in fabric:
            fabric["pools"] = [pool if member == POOL else member for member in fabric["pools"]]
        if fabric["role"] in OWN:
            fabric["name"] = prefix + fabric["name"]
    data["control"].get("slurm", {}).pop("partition", None)  # called as the pool; of several pools, ``all``
    return data


def _comments(sized: Mapping[str, Sized]) -> dict[str, str]:
    (_, lead), *others = sized.items()
    reasons = comments(lead)
    for name, pool in others:
        reasons[f"fabrics.{name}-compute"] = pool.frame.preset.says
    return reasons


def _routed_fabrics(data: Data) -> list[str]:
    """Fabrics whose hosts have IP addresses."""
    return [fabric["name"] for fabric in data["fabrics"] if fabric["transport"] not in ("infiniband", "nvlink")]


def _facts(data: Data, pools: Sequence[Sized], catalog: Catalog) -> Facts:
    """Halls, routes and subnets for all pools; the plant without limits."""
    wet = any(pool.frame.server.liquid for pool in pools)
    cdus = (PlantUnits(next(iter(catalog.cdus)), 1, ENDLESS.name),) if wet else ()
    anywhere = Facts((ENDLESS,), subnets={FABRICS["inband"]: sizing_practice.load().addresses}, cdus=cdus)
    counted = rough_counts(_site(_placed_pools(data, pools[0], pools, anywhere)), catalog)
    halls = building.halls(pools[0].frame.ask, counted, max(pool.knobs.row_factor for pool in pools))
    needs = {name: counted.addresses[name] for name in _routed_fabrics(data)}
    return Facts(
        halls=halls,
        routes=building.routes(halls, catalog.racks[RACK], catalog.routing),
        subnets=subnets(needs, max(pool.knobs.subnet_bits for pool in pools)),
        cdus=cdus,
    )


def _placed_pools(data: Data, lead: Sized, pools: Sequence[Sized], facts: Facts) -> Data:
    """`data` with facility, subnets and services as `facts` have them; power is that of `lead`."""
    placed = deepcopy(data)
    frame = replace(lead.frame, ask=replace(lead.frame.ask, scheduler="none"))
    drafted = draft_site(frame, lead.knobs, facts if lead.frame.server.liquid else replace(facts, cdus=()))
    placed["facility"] = drafted["facility"]
    wet = next((pool for pool in pools if pool.frame.server.liquid), None)
    if wet is not None and facts.cdus and "liquid" not in placed["facility"]:
        placed["facility"]["liquid"] = draft_site(wet.frame, wet.knobs, facts)["facility"]["liquid"]
    for fabric in placed["fabrics"]:
        fabric.pop("subnet", None)
        if fabric["name"] in facts.subnets:
            fabric["subnet"] = facts.subnets[fabric["name"]]
    placed["control"]["ntp_servers"] = drafted["control"]["ntp_servers"]
    placed["software"]["apt_mirror"] = drafted["software"]["apt_mirror"]
    return placed


def _site(data: Mapping[str, Any]) -> Site:
    return Site.model_validate(data)
