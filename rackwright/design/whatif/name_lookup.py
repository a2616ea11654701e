"""Finds the element of a design by a name: any case, with or without the word of its kind.

`ups A-1`, `psu train-001 2` and `cable train-001:mlx5_0` mean what an engineer means by them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from difflib import get_close_matches

import polars as pl

from rackwright.base.errors import UsageError
from rackwright.design.power import names
from rackwright.design.power.survey import survey_power
from rackwright.design.whatif.scenario import Loss
from rackwright.model.design import Design

LISTED = 8
"""Names that an error message lists."""


def resolve_name(design: Design, loss: Loss) -> Loss:
    """`loss` with the name that the tables use."""
    candidates = list(dict.fromkeys(NAMES_BY_KIND[loss.kind](design)))
    requested = loss.name.casefold()
    exact = [name for name in candidates if name.casefold() == requested]
    near = exact or [
        name for name in candidates if _normalised_name(name, loss.kind) == _normalised_name(loss.name, loss.kind)
    ]
    if len(near) == 1:
        return Loss(loss.kind, near[0])
    raise UsageError(_unknown_sentence(loss, candidates))


def _normalised_name(name: str, kind: str) -> str:
    """Letters and digits only, numbers without leading zeros, without the word of the kind."""
    parts = re.findall(r"[a-z]+|\d+", name.casefold())
    return "-".join(str(int(part)) if part.isdecimal() else part for part in parts if part != kind)


def _unknown_sentence(loss: Loss, candidates: list[str]) -> str:
    if not candidates:
        return f"the design has no {loss.kind} that could be lost"
    lower = {name.casefold(): name for name in candidates}
    guess = get_close_matches(loss.name.casefold(), list(lower), n=1)
    hint = f"did you mean {lower[guess[0]]}? " if guess else ""
    listed = ", ".join(candidates[:LISTED]) + (f" ... {candidates[-1]}" if len(candidates) > LISTED else "")
    return f"the design has no {loss.kind} {loss.name}; {hint}there are {listed}"


def _column(table: str, column: str, kind: str = "") -> Callable[[Design], Iterable[str]]:
    def values(design: Design) -> Iterable[str]:
        rows: pl.DataFrame = getattr(design, table)
        rows = rows.filter(pl.col("kind") == kind) if kind else rows
        return [str(value) for value in rows[column]]

    return values


def _supplies(design: Design) -> Iterable[str]:
    """Power supplies of devices; rectifiers of shelves fail with their shelf."""
    supplies = survey_power(design).grid.supplies
    return [names.supply(device, psu) for device, psu in supplies.select("device", "psu").iter_rows()]


def _planes(design: Design) -> Iterable[str]:
    return [
        f"{fabric.name} {number + 1}"
        for fabric in design.site.fabrics
        if fabric.planes > 1
        for number in range(fabric.planes)
    ]


def _cables(design: Design) -> Iterable[str]:
    cables = design.cables
    yield from cables["cable"]
    for side in ("a", "b"):
        yield from cables.select(pl.concat_str(f"{side}_device", pl.lit(":"), f"{side}_port")).to_series()


def _rows(design: Design) -> Iterable[str]:
    return [f"{hall} {row}" for hall, row in design.racks.select("hall", "row").unique(maintain_order=True).iter_rows()]


NAMES_BY_KIND: dict[str, Callable[[Design], Iterable[str]]] = {
    "feed": _column("power", "element", "feed"),
    "ups": _column("power", "element", "ups"),
    "busway": _column("power", "element", "busway"),
    "circuit": _column("circuits", "circuit"),
    "pdu": _column("power", "element", "pdu"),
    "shelf": _column("power", "element", "shelf"),
    "psu": _supplies,
    "cdu": _column("cooling", "unit", "cdu"),
    "pump": _column("cooling", "unit", "cdu"),
    "crah": _column("cooling", "unit", "crah"),
    "switch": _column("devices", "device", "switch"),
    "plane": _planes,
    "cable": _cables,
    "hall": _column("racks", "hall"),
    "row": _rows,
    "rack": _column("racks", "rack"),
    "node": _column("node_table", "node"),
    "server": _column("devices", "device", "server"),
}
"""Names by kind."""
