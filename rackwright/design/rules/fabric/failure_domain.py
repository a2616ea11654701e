"""No single switch, rack, row or hall takes more of a fabric than it declares; one that takes all of an undeclared one is advised of."""

from __future__ import annotations

from typing import Any

from rackwright.design.rules.rule import DesignRule, Judged, finding
from rackwright.model.design import Design
from rackwright.model.fabric import Fabric
from rackwright.model.verdict import Finding, Outcome

SINGLE = {"switches": "switch", "racks": "rack", "rows": "row", "halls": "hall"}
UNDECLARED = ("switches", "racks")
"""Kinds that advice is given of where nothing is declared: a row or a hall is often the whole site."""


def judge(design: Design) -> Judged:
    """Per fabric and kind of element: the worst loss of one, against ``survive`` of the fabric."""
    for fabric in design.site.fabrics:
        domains = design.studies.get("fabrics", {}).get(fabric.name, {}).get("domains", {})
        for kind, loss in domains.items():
            declared = fabric.survive and getattr(fabric.survive, kind)
            if fabric.role != "nvlink" and (declared or (fabric.survive is None and kind in UNDECLARED)):
                yield f"{fabric.name} {SINGLE[kind]}", _finding(fabric, kind, loss, bool(declared))


def _finding(fabric: Fabric, kind: str, loss: dict[str, Any], declared: bool) -> Finding:
    cut, element = loss["nodes_cut_off"], SINGLE[kind]
    good = loss["connected"] and not (declared and cut)
    lost = f"{cut} node{'' if cut == 1 else 's'} elsewhere lose{'s' if cut == 1 else ''} every link"
    observed = f"{lost if cut else 'every node elsewhere keeps a link'}, and {loss['bisection_share']:.1%} of the bisection is left"
    says = f"Without {element} {loss['worst']}, {observed} in {fabric.name}"
    if declared:
        step = (
            f"give {fabric.name} more switches above the leaves, or leaves of a unit in pairs, so that half of them stand in another {element};"
            f" or lower survive.{kind}"
        )
        return finding(good, observed, "every node elsewhere connected", f"site survive.{kind}", says, step)
    step = (
        f"declare what {fabric.name} must survive (survive: {{switches: 1, racks: 1}}), which puts half of its switches into other racks;"
        " a second spine or leaf where there is one; or declare survive: {} to accept it"
    )
    return finding(
        good, observed, f"no single {element} that takes all", "survive is not declared", says, step, Outcome.DEGRADED
    )


RULE = DesignRule("failure_domain", "No single loss takes more of a fabric than it declares", judge)
