"""Losing one CDU, one pump or one CRAH: what is said, what goes down, whether the loop survives.

In: a `Design`. Out: `Loss`es: one by name for what-if, or the worst of every kind and loop for the table ``losses``.
Cut here because it turns numbers of `losing` into machines and sentences.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import polars as pl

from rackwright.design.cooling.losing import Left, left, worst_pumps, worst_units
from rackwright.design.cooling.plant import Loop, loops
from rackwright.errors import Problem, ProblemsError
from rackwright.model.design import Design
from rackwright.model.schemas import SCHEMAS

KINDS = ("cdu", "pump", "crah")
LISTED = 10
"""Names that fit into a sentence."""


@dataclass(frozen=True)
class Loss:
    """What happens when one thing of the cooling plant fails."""

    kind: str
    element: str
    racks_down: tuple[str, ...]
    nodes_down: int
    accelerators_down: int
    remaining_share: float
    """Of all capacity or flow of the loop, whichever is less."""
    survives: bool
    must_survive: bool
    says: str


def lose(design: Design, kind: str, name: str | None = None) -> Loss:
    """Loses the unit `name` (or one of its pumps); without a name the one that hurts most over all loops.

    `kind`: ``cdu``, ``pump`` (of the CDU `name`) or ``crah``. Raises `ProblemsError` when the design has no such thing.
    """
    served = [loop for loop in loops(design) if loop.kind == _loop_kind(kind) and loop.units]
    if name is None:
        candidates = [_simulate(design, loop, kind, _worst(loop, kind)) for loop in served]
        if candidates:
            return min(candidates, key=lambda one: (one.survives, -one.nodes_down, one.remaining_share, one.element))
    for loop in served:
        if any(unit.name == name for unit in loop.units):
            return _simulate(design, loop, kind, (str(name),))
    names = [unit.name for loop in served for unit in loop.units]
    raise ProblemsError([_unknown(kind, name, names)])


def all_losses(design: Design) -> list[Loss]:
    """The worst loss of every kind in every loop that carries heat; of as many units as must survive, where that is more."""
    return [loss for loop in loops(design) if loop.units and loop.load_watts for loss in _of_loop(design, loop)]


def rows(found: Collection[Loss]) -> pl.DataFrame:
    """Rows of the table ``losses``."""
    return pl.DataFrame(
        [
            (
                "cooling",
                one.kind,
                one.element,
                one.nodes_down,
                one.accelerators_down,
                one.remaining_share,
                one.survives,
                one.must_survive,
                one.says,
            )
            for one in found
        ],
        schema=SCHEMAS["losses"],
        orient="row",
    )


def _of_loop(design: Design, loop: Loop) -> Iterator[Loss]:
    yield _simulate(design, loop, loop.kind, _worst(loop, loop.kind))
    if 1 < loop.survive <= len(loop.units):
        yield _simulate(design, loop, loop.kind, worst_units(loop, loop.survive))
    if loop.kind == "cdu" and any(unit.pumps for unit in loop.units):
        yield _simulate(design, loop, "pump", _worst(loop, "pump"))


def _worst(loop: Loop, kind: str) -> tuple[str, ...]:
    return (worst_pumps(loop),) if kind == "pump" else worst_units(loop, 1)


def _simulate(design: Design, loop: Loop, kind: str, names: tuple[str, ...]) -> Loss:
    if kind == "pump":
        pumps = max(1, loop.survive_pumps)
        what = left(loop, pumps={names[0]: pumps})
        lost = f"{pumps} pump{'s' if pumps > 1 else ''} of {names[0]}"
        must = loop.survive_pumps > 0
    else:
        what, must = left(loop, names), loop.survive >= len(names)
        lost = f"{loop.noun} {' and '.join(names)}"
    nodes, accelerators = _machines(design, what.racks_down)
    element = ", ".join(names)
    says = f"Without {lost}, {_carried(loop, what)}: {_outcome(what, nodes, accelerators)}."
    return Loss(kind, element, what.racks_down, nodes, accelerators, what.share, not what.racks_down, must, says)


def _carried(loop: Loop, what: Left) -> str:
    can = f"{what.watts / 1000:,.1f} kW and {what.flow:,.0f} {loop.flow_unit}"
    asked = f"{loop.load_watts / 1000:,.1f} kW and {loop.load_flow:,.0f} {loop.flow_unit}"
    return f"{loop.name} can carry {can} where its racks ask for {asked}"


def _outcome(what: Left, nodes: int, accelerators: int) -> str:
    racks = what.racks_down
    if not racks:
        return "nothing goes down"
    where = f"rack {racks[0]} has" if len(racks) == 1 else f"{len(racks)} racks from {racks[0]} to {racks[-1]} have"
    return f"{where} no cooling, with {nodes} nodes and {accelerators} accelerators"


def _machines(design: Design, racks: tuple[str, ...]) -> tuple[int, int]:
    if not racks:
        return 0, 0
    inside = design.node_table.filter(pl.col("rack").is_in(racks))
    return len(inside), int(inside["accelerators"].sum())


def _loop_kind(kind: str) -> str:
    return "cdu" if kind == "pump" else kind


def _unknown(kind: str, name: str | None, names: list[str]) -> Problem:
    listed = ", ".join(names[:LISTED]) + (" ..." if len(names) > LISTED else "")
    return Problem(
        place="what-if",
        path="",
        message=f"the design has no {kind} to lose" if not names else f"the design has no {kind} {name}",
        expected=f"one of {listed}" if names else "a cooling plant under facility.liquid or facility.air",
        found=name or "none declared",
        next_step="name one of them" if names else "declare the plant in the site",
        code="design.unknown_element",
    )
