"""No single rack or hall takes all subnet managers, controllers or Kubernetes servers, where there are several of them."""

from __future__ import annotations

import polars as pl

from rackwright.design.rules.rule import DesignRule, Judged, finding
from rackwright.model.design import Design
from rackwright.model.fabric import Fabric
from rackwright.model.verdict import Finding, Outcome

ROLES = {"ufm": "subnet managers", "slurm": "Slurm controllers", "kubernetes": "Kubernetes servers"}
KINDS = {"racks": "rack", "halls": "hall"}


def judge(design: Design) -> Judged:
    """Per role with several machines: whether one rack holds all, and one hall where a fabric declares halls; accepted where a fabric declares less."""
    machines = design.devices.filter(pl.col("role").is_in(list(ROLES))).join(
        design.racks.select("rack", "hall"), on="rack", how="left"
    )
    for role, mine in sorted(machines.group_by("role"), key=lambda group: list(ROLES).index(str(group[0][0]))):
        fabrics = _fabrics(design, str(role[0]))
        for kind, element in KINDS.items():
            declared = any(fabric.survive and getattr(fabric.survive, kind) for fabric in fabrics)
            undeclared = kind == "racks" and all(fabric.survive is None for fabric in fabrics)
            if mine.height > 1 and fabrics and (declared or undeclared):
                yield f"{ROLES[str(role[0])]} {element}", _finding(str(role[0]), mine, element, bool(declared))


def _fabrics(design: Design, role: str) -> list[Fabric]:
    """The fabrics that depend on a role: those of InfiniBand on the subnet managers, the in-band one on the others."""
    fabrics = design.site.fabrics
    if role == "ufm":
        return [fabric for fabric in fabrics if fabric.transport == "infiniband"]
    return [fabric for fabric in fabrics if fabric.role == "inband"]


def _finding(role: str, machines: pl.DataFrame, element: str, declared: bool) -> Finding:
    places = sorted(machines[element].unique())
    names = " and ".join(sorted(machines["device"]))
    observed = f"{element} {places[0]} alone" if len(places) == 1 else f"{len(places)} {element}s"
    source = f"site survive.{element}s" if declared else "survive is not declared"
    step = (
        f"declare survive: {{{element}s: 1}} of the fabric, which puts every other of them into another {element}; or survive: {{}} to accept it"
        if not declared
        else f"give them places of their own with facility.racks, or halls with room for another {element}"
    )
    says = f"{names} stand in {observed}"
    expected = f"no single {element} that takes all {ROLES[role]}"
    bad = Outcome.FAIL if declared else Outcome.DEGRADED
    return finding(len(places) > 1, observed, expected, source, says, step, bad)


RULE = DesignRule("control_spread", "No single loss takes all machines of a control plane", judge)
