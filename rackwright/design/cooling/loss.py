"""Losing one CDU, one pump or one CRAH: the sentence about it, the racks that go down, whether the loop survives."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import polars as pl

from rackwright.design.cooling.plant import CoolingLoop, loops
from rackwright.design.cooling.remaining_capacity import RemainingCapacity, remaining_capacity, worst_pumps, worst_units
from rackwright.model.design import Design
from rackwright.model.schemas import SCHEMAS

KINDS = ("cdu", "pump", "crah")


@dataclass(frozen=True)
class CoolingLossResult:
    """The state of the site after a loss."""

    kind: str
    name: str
    says: str
    """One sentence, with its full stop."""
    survives: bool
    """Every rack keeps its cooling."""
    racks_down: tuple[str, ...]
    nodes_down: int
    accelerators_down: int
    remaining_share: float
    """Remaining share of all capacity or flow of the loop, whichever is less."""
    must_survive: bool
    """The site declares to survive this many failures."""


def simulate_loss(design: Design, kind: str, name: str | None = None) -> CoolingLossResult:
    """The result of losing a unit: kind is cdu, pump (of a CDU) or crah; several names are joined by ``+``.

    Names are those of the table ``cooling``. Without a name, the unit with the worst effect of all loops is lost. Raises `KeyError` for an unknown
    kind or name, and if the design has no unit of that kind.
    """
    if kind not in KINDS:
        raise KeyError(kind)
    served = [loop for loop in loops(design) if loop.kind == _loop_kind(kind) and loop.units]
    if name is None:
        if not served:
            raise KeyError(kind)
        losses = [_simulate(design, loop, kind, _worst_units(loop, kind)) for loop in served]
        return min(losses, key=lambda loss: (loss.survives, -loss.nodes_down, loss.remaining_share, loss.name))
    requested = dict.fromkeys(name.split("+"))
    inside = [(loop, tuple(unit.name for unit in loop.units if unit.name in requested)) for loop in served]
    unknown = requested.keys() - {loss for _, names in inside for loss in names}
    if unknown:
        raise KeyError(min(unknown))
    return _combined_loss(name, [_simulate(design, loop, kind, names) for loop, names in inside if names])


def _combined_loss(name: str, parts: list[CoolingLossResult]) -> CoolingLossResult:
    """Losses in different halls, which share no rack."""
    return CoolingLossResult(
        kind=parts[0].kind,
        name=name,
        says=" ".join(part.says for part in parts),
        survives=all(part.survives for part in parts),
        racks_down=tuple(rack for part in parts for rack in part.racks_down),
        nodes_down=sum(part.nodes_down for part in parts),
        accelerators_down=sum(part.accelerators_down for part in parts),
        remaining_share=min(part.remaining_share for part in parts),
        must_survive=all(part.must_survive for part in parts),
    )


def all_losses(design: Design) -> list[CoolingLossResult]:
    """The worst loss of every kind in every loop that carries heat; and of as many units as must survive, where that is more."""
    return [loss for loop in loops(design) if loop.units and loop.load_watts for loss in _of_loop(design, loop)]


def rows(losses: Collection[CoolingLossResult]) -> pl.DataFrame:
    """Rows of the table ``losses``."""
    return pl.DataFrame(
        [
            (
                "cooling",
                loss.kind,
                loss.name,
                loss.nodes_down,
                loss.accelerators_down,
                loss.remaining_share,
                loss.survives,
                loss.must_survive,
                loss.says,
            )
            for loss in losses
        ],
        schema=SCHEMAS["losses"],
        orient="row",
    )


def _of_loop(design: Design, loop: CoolingLoop) -> Iterator[CoolingLossResult]:
    yield _simulate(design, loop, loop.kind, _worst_units(loop, loop.kind))
    if 1 < loop.survive <= len(loop.units):
        yield _simulate(design, loop, loop.kind, worst_units(loop, loop.survive))
    if loop.kind == "cdu" and any(unit.pumps for unit in loop.units):
        yield _simulate(design, loop, "pump", _worst_units(loop, "pump"))


def _worst_units(loop: CoolingLoop, kind: str) -> tuple[str, ...]:
    return (worst_pumps(loop),) if kind == "pump" else worst_units(loop, 1)


def _simulate(design: Design, loop: CoolingLoop, kind: str, names: tuple[str, ...]) -> CoolingLossResult:
    pumps = max(1, loop.survive_pumps)
    if kind == "pump":
        what, must = (
            remaining_capacity(loop, pumps=dict.fromkeys(names, pumps)),
            loop.survive_pumps > 0 and len(names) == 1,
        )
        lost = f"{pumps} pump{'s' if pumps > 1 else ''} of {' and '.join(names)}"
    else:
        what, must = remaining_capacity(loop, names), loop.survive >= len(names)
        lost = f"{loop.noun} {' and '.join(names)}"
    nodes, accelerators = _machines(design, what.racks_down)
    return CoolingLossResult(
        kind=kind,
        name="+".join(names),
        says=f"Without {lost}, {_carried_share(loop, what)}: {_outcome(what, nodes, accelerators)}.",
        survives=not what.racks_down,
        racks_down=what.racks_down,
        nodes_down=nodes,
        accelerators_down=accelerators,
        remaining_share=what.share,
        must_survive=must,
    )


def _carried_share(loop: CoolingLoop, what: RemainingCapacity) -> str:
    can = f"{what.watts / 1000:,.1f} kW and {what.flow:,.0f} {loop.flow_unit}"
    required = f"{loop.load_watts / 1000:,.1f} kW and {loop.load_flow:,.0f} {loop.flow_unit}"
    return f"{loop.name} can carry {can} where its racks ask for {required}"


def _outcome(what: RemainingCapacity, nodes: int, accelerators: int) -> str:
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
