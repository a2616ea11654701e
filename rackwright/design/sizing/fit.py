"""Turns the knobs until a site passes every rule, or reports the rule that cannot be passed.

Each round expands the site twice: once without limits, to measure the requirements on the building, and once as it will be written, for the
rules to judge. Large sites are first fitted on two scalable units, because what happens in a rack does not depend on how many racks there
are.
"""

from __future__ import annotations

from dataclasses import dataclass

from rackwright.base.errors import ProblemsError
from rackwright.catalog import Catalog, sizing_practice
from rackwright.design import rules
from rackwright.design.assemble import PLANT, expand
from rackwright.design.sizing import answers, building, limits, plant, tiers
from rackwright.design.sizing.draft import FABRICS, Data, draft_site
from rackwright.design.sizing.facts import Facts, HallSize, PlantUnits
from rackwright.design.sizing.knobs import RACK, Knobs, first_choice
from rackwright.design.sizing.notes import notes
from rackwright.design.sizing.request import Frame, SizeRequest, read_frame
from rackwright.design.sizing.rough_count import Rough, rough_counts
from rackwright.design.sizing.subnets import subnets
from rackwright.model.design import Design
from rackwright.model.site import Site
from rackwright.model.verdict import Outcome

ROUNDS = 24
"""More changes than there are knobs; a site that needs more never converges."""
ENDLESS = HallSize("hall-1", 1_000_000, 20)


@dataclass(frozen=True)
class Sized:
    """A site that passes every rule."""

    data: Data
    """The site file as plain data."""
    design: Design
    frame: Frame
    knobs: Knobs
    notes: list[str]
    """What was rounded, left out or chosen, one sentence each."""


def size_site(request: SizeRequest, catalog: Catalog) -> Sized:
    """The smallest site of the requested kind that passes every rule. Raises `ProblemsError` when there is none."""
    frame = read_frame(request, catalog)
    limits.check_request(frame, catalog)
    knobs = first_choice(frame, catalog)
    unit = knobs.scalable_unit
    if frame.nodes > 2 * unit:
        last_unit = frame.nodes % unit or unit
        knobs = _settle(frame.cut(unit + last_unit), knobs, catalog).knobs
    return _settle(frame, knobs, catalog)


def _settle(frame: Frame, knobs: Knobs, catalog: Catalog) -> Sized:
    for _ in range(ROUNDS):
        try:
            data, design = _round(frame, knobs, catalog)
        except ProblemsError as error:
            knobs = answers.to_problems(error, frame, knobs, catalog)
            continue
        failed = [verdict for verdict in rules.run_rules(design) if verdict.outcome is Outcome.FAIL]
        if not failed:
            return Sized(data, design, frame, knobs, notes(frame, knobs, design))
        knobs = answers.to_verdicts(failed, frame, knobs)
    raise answers.endless(frame)


def _round(frame: Frame, knobs: Knobs, catalog: Catalog) -> tuple[Data, Design]:
    facts = _facts(frame, knobs, catalog)
    boundless = expand(_site(draft_site(frame, knobs, facts)), catalog, PLANT)
    data = draft_site(frame, knobs, plant.measured(boundless, knobs, facts, catalog))
    return data, expand(_site(data), catalog)


def _facts(frame: Frame, knobs: Knobs, catalog: Catalog) -> Facts:
    """Halls and subnets; the plant without limits."""
    cdus = (PlantUnits(next(iter(catalog.cdus)), 1, ENDLESS.name),) if frame.server.liquid else ()
    anywhere = Facts((ENDLESS,), subnets={FABRICS["inband"]: sizing_practice.load().addresses}, cdus=cdus)
    anywhere = Facts(anywhere.halls, subnets=anywhere.subnets, cdus=cdus, storage_servers=tiers.servers(frame, catalog))
    counted = rough_counts(_site(draft_site(frame, knobs, anywhere)), catalog)
    halls = building.halls(frame.ask, counted, knobs.row_factor)
    return Facts(
        halls=halls,
        routes=building.routes(halls, catalog.racks[RACK], catalog.routing),
        subnets=subnets(_routed_fabrics(frame, counted), knobs.subnet_bits),
        cdus=cdus,
        storage_servers=anywhere.storage_servers,
    )


def _routed_fabrics(frame: Frame, counted: Rough) -> dict[str, tuple[int, int]]:
    """Fabrics whose hosts have IP addresses: all but InfiniBand and NVLink."""
    wide = [FABRICS[role] for role, network in frame.networks.items() if network.transport != "infiniband"]
    names = wide + (["compute"] if frame.preset.transport != "infiniband" else [])
    return {name: counted.addresses[name] for name in names}


def _site(data: Data) -> Site:
    return Site.model_validate(data)
