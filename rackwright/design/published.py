"""Whether the design matches a published one, and the known errors in what was published about it.

A study and not a rule, because a misprint elsewhere does not make this design worse.
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

PublishedNote = dict[str, Any]


def add(design: Design, catalog: Catalog) -> Design:
    """`design` with the published designs it matches and their errata; `catalog` is unused: every step has the same signature."""
    del catalog
    record = errata.load()
    matches = [match for fabric in design.site.fabrics for match in _matches(design, fabric, record)]
    study = {
        "matches": [_match(match, record) for match in matches],
        "errata": [_erratum(match, record, about) for match, about in _errata(design, matches, record)],
        "conflicts": list(_conflicts(design)),
    }
    return replace(design, studies={**design.studies, "published": study})


def _matches(design: Design, fabric: Fabric, errata: Errata) -> Iterator[PublishedDesign]:
    """Published designs of the same servers and switches; a node may be missing where a subnet manager has its port."""
    if fabric.role != "compute":
        return
    row = design.totals["fabrics"][fabric.name]
    pools = [pool for pool in design.site.pools if not fabric.pools or pool.name in fabric.pools]
    servers, nodes = {pool.server for pool in pools}, sum(pool.count for pool in pools)
    for published in errata.designs:
        switches = (published.leaf, published.spine, published.core) == (row["leaf"], row["spine"], row["core"])
        if switches and servers <= set(published.servers) and nodes in (published.nodes, published.nodes - 1):
            yield published


def _errata(design: Design, matches: list[PublishedDesign], errata: Errata) -> Iterator[tuple[Erratum, str]]:
    by_design = {name: match.name for match in matches for name in match.errata}
    used = {part.sku for part in _parts(design)}
    circuit = design.site.facility.power.circuit
    for match in errata.errata:
        if match.id in by_design:
            yield match, f"design {by_design[match.id]}"
        elif used & set(match.parts):
            yield match, f"part {', '.join(sorted(used & set(match.parts)))}"
        elif (match.circuit_volts, match.circuit_amps) == (circuit.volts, circuit.amps):
            yield match, f"circuit of {circuit.volts} V {circuit.amps} A"
        elif match.failure_rates and design.studies.get("availability"):
            yield match, "failure rates"


def _parts(design: Design) -> Iterator[Sku]:
    for parts in (design.servers, design.switches, design.accelerators, design.plant_parts):
        yield from parts.values()


def _match(published: PublishedDesign, errata: Errata) -> PublishedNote:
    document = errata.documents[published.document]
    tiers = f"{published.leaf} leaves, {published.spine} spines" + (
        f", {published.core} cores" if published.core else ""
    )
    says = f"{published.name} has the same compute fabric: {published.nodes} nodes, {tiers} ({document.doc}, {document.date})."
    return {
        "design": published.name,
        "document": document.doc,
        "url": document.url,
        "date": document.date,
        "says": says,
    }


def _erratum(erratum: Erratum, errata: Errata, about: str) -> PublishedNote:
    document = errata.documents[erratum.document]
    says = f"{document.doc} ({document.date}) prints {erratum.printed}; right is {erratum.right}, for {erratum.why}."
    data = {"id": erratum.id, "about": about, "printed": erratum.printed, "right": erratum.right, "why": erratum.why}
    return data | {"document": document.doc, "url": document.url, "date": document.date, "says": says}


def _conflicts(design: Design) -> Iterator[PublishedNote]:
    """Different values that other sources print for a field of a part in use."""
    for part in _parts(design):
        for conflict in part.conflicts:
            yield {
                "part": part.sku,
                "field": conflict.field,
                "used": _value(part, conflict.field),
                "printed": conflict.value,
                "document": conflict.doc,
            }


def _value(part: Sku, path: str) -> Any:
    value: Any = part
    for step in path.split("."):
        value = getattr(value, step, None)
    return value if isinstance(value, (int, float, str, bool, type(None))) else str(value)
