"""Is this a published design, and is anything wrong in what was published about it?

A study and not a rule, because a wrong print elsewhere does not make this design worse.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from rackwright.catalog import Catalog, errata
from rackwright.catalog.errata import Errata, Erratum, PublishedDesign
from rackwright.model.design import Design
from rackwright.model.fabric import Fabric
from rackwright.model.sku import Sku

Found = dict[str, Any]


def add(design: Design, catalog: Catalog) -> Design:
    """`design` with what is known about its published like; `catalog` is part of the shape of every step."""
    del catalog
    known = errata.load()
    matches = [one for fabric in design.site.fabrics for one in _matches(design, fabric, known)]
    study = {
        "matches": [_match(one, known) for one in matches],
        "errata": [_erratum(one, known, about) for one, about in _errata(design, matches, known)],
        "conflicts": list(_conflicts(design)),
    }
    return replace(design, studies={**design.studies, "published": study})


def _matches(design: Design, fabric: Fabric, known: Errata) -> Iterator[PublishedDesign]:
    """Rows of the same servers and switches; a node may be missing where a subnet manager has its port."""
    if fabric.role != "compute":
        return
    row = design.totals["fabrics"][fabric.name]
    pools = [pool for pool in design.site.pools if not fabric.pools or pool.name in fabric.pools]
    servers, nodes = {pool.server for pool in pools}, sum(pool.count for pool in pools)
    for one in known.designs:
        switches = (one.leaf, one.spine, one.core) == (row["leaf"], row["spine"], row["core"])
        if switches and servers <= set(one.servers) and nodes in (one.nodes, one.nodes - 1):
            yield one


def _errata(design: Design, matches: list[PublishedDesign], known: Errata) -> Iterator[tuple[Erratum, str]]:
    by_design = {name: one.name for one in matches for name in one.errata}
    used = {part.sku for part in _parts(design)}
    circuit = design.site.facility.power.circuit
    for one in known.errata:
        if one.id in by_design:
            yield one, f"design {by_design[one.id]}"
        elif used & set(one.parts):
            yield one, f"part {', '.join(sorted(used & set(one.parts)))}"
        elif (one.circuit_volts, one.circuit_amps) == (circuit.volts, circuit.amps):
            yield one, f"circuit of {circuit.volts} V {circuit.amps} A"
        elif one.failure_rates and design.studies.get("availability"):
            yield one, "failure rates"


def _parts(design: Design) -> Iterator[Sku]:
    for parts in (design.servers, design.switches, design.accelerators, design.plant_parts):
        yield from parts.values()


def _match(one: PublishedDesign, known: Errata) -> Found:
    document = known.documents[one.document]
    tiers = f"{one.leaf} leaves, {one.spine} spines" + (f", {one.core} cores" if one.core else "")
    says = f"{one.name} has the same compute fabric: {one.nodes} nodes, {tiers} ({document.doc}, {document.date})."
    return {"design": one.name, "document": document.doc, "url": document.url, "date": document.date, "says": says}


def _erratum(one: Erratum, known: Errata, about: str) -> Found:
    document = known.documents[one.document]
    says = f"{document.doc} ({document.date}) prints {one.printed}; right is {one.right}, for {one.why}."
    told = {"id": one.id, "about": about, "printed": one.printed, "right": one.right, "why": one.why}
    return told | {"document": document.doc, "url": document.url, "date": document.date, "says": says}


def _conflicts(design: Design) -> Iterator[Found]:
    """What other sources print for a field of a part in use."""
    for part in _parts(design):
        for one in part.conflicts:
            yield {
                "part": part.sku,
                "field": one.field,
                "used": _value(part, one.field),
                "printed": one.value,
                "document": one.doc,
            }


def _value(part: Sku, path: str) -> Any:
    value: Any = part
    for step in path.split("."):
        value = getattr(value, step, None)
    return value if isinstance(value, (int, float, str, bool, type(None))) else str(value)
