"""No loss takes more of a fabric than it declares to survive; a single one that takes all of an undeclared one is advised of."""

from __future__ import annotations

from typing import Any

from rackwright.design.rules.rule import DesignRule, Judged, finding
from rackwright.model.design import Design
from rackwright.model.fabric import Fabric
from rackwright.model.verdict import Finding, Outcome

SINGLE = {"switches": "switch", "racks": "rack", "rows": "row", "halls": "hall", "feeds": "feed", "cdus": "CDU"}
PLANT = {"feeds": "facility.power.survive.feeds", "cdus": "facility.liquid.survive.cdus"}
"""Kinds whose loss takes whatever hangs on them, and where the plant declares it."""


def judge(design: Design) -> Judged:
    """Per fabric and kind of element: the worst loss, against ``survive`` of the fabric."""
    advised = _advised(design)
    for fabric in design.site.fabrics:
        domains = design.studies.get("fabrics", {}).get(fabric.name, {}).get("domains", {})
        for kind, loss in domains.items():
            declared = fabric.survive and getattr(fabric.survive, kind)
            if fabric.role != "nvlink" and (declared or (fabric.survive is None and kind in advised)):
                yield f"{fabric.name} {SINGLE[kind]}", _finding(fabric, kind, loss, declared or 0)


def _advised(design: Design) -> list[str]:
    """Kinds of elements that get advice if the fabric declares nothing. Not rows, because one row is often the whole site, nor an only hall.

    Feeds and CDUs that the plant declares to survive have rules of their own.
    """
    facility = design.site.facility
    halls = ["halls"] if len(facility.halls) > 1 else []
    feeds = [] if facility.power.survive.feeds else ["feeds"]
    cdus = ["cdus"] if facility.liquid and not facility.liquid.survive.cdus else []
    return ["switches", "racks", *halls, *feeds, *cdus]


def _finding(fabric: Fabric, kind: str, loss: dict[str, Any], declared: int) -> Finding:
    cut, element = loss["nodes_cut_off"], SINGLE[kind]
    good = loss["connected"] and not (declared and cut)
    others = "that still runs" if kind in PLANT else "elsewhere"
    plural = others.replace("runs", "run")
    lost = f"{cut} node {others} loses every link" if cut == 1 else f"{cut} nodes {plural} lose every link"
    keeps = f"every node {others} keeps a link" if loss["connected"] else f"no two nodes {plural} reach each other"
    observed = f"{lost if cut else keeps}, and {loss['bisection_share']:.1%} of the bisection is left"
    says = f"Without {element} {loss['worst']}, {observed} in {fabric.name}"
    if declared:
        expected = f"every node {others} connected"
        return finding(good, observed, expected, f"site survive.{kind}", says, _declared_step(fabric, kind))
    expected = f"no single {element} that takes all"
    step = _step(fabric, kind)
    return finding(good, observed, expected, "survive is not declared", says, step, Outcome.DEGRADED)


def _declared_step(fabric: Fabric, kind: str) -> str:
    if kind in PLANT:
        return f"{_more(kind)}; or lower survive.{kind}"
    element = SINGLE[kind]
    return (
        f"give {fabric.name} more switches above the leaves, or leaves of a unit in pairs, so that half of them stand in another {element};"
        f" or lower survive.{kind}"
    )


def _step(fabric: Fabric, kind: str) -> str:
    if kind in PLANT:
        return f"declare {PLANT[kind]}: 1; {_more(kind)}; or declare survive: {{}} to accept it"
    return (
        f"declare what {fabric.name} must survive (survive: {{switches: 1, racks: 1}}), which puts half of its switches into other racks;"
        " a second spine or leaf where there is one; or declare survive: {} to accept it"
    )


def _more(kind: str) -> str:
    if kind == "feeds":
        return "give the site feeds that carry its switches and nodes without one of them (design.power_supplies, design.feed_capacity)"
    return "add a CDU to the loop, so that the others carry all racks (design.cdu_capacity)"


RULE = DesignRule("failure_domain", "No single loss takes more of a fabric than it declares", judge)
