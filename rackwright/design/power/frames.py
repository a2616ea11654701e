"""Circuits and supplies of all racks as tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from rackwright.design.power.block import Ints, RackBlock, sum_by
from rackwright.design.power.capacity import PHASES, Floats
from rackwright.design.power.cords import group_loads
from rackwright.design.power.hookup import Hookup
from rackwright.design.power.rack_losses import rack_losses
from rackwright.design.power.rack_wiring import Pattern
from rackwright.design.power.terms import Terms
from rackwright.model.schemas import SCHEMAS

RACK = "{rack}"
"""Stands for the rack name in the texts of a pattern."""


@dataclass(frozen=True, eq=False)
class RowOrigin:
    """For every row of a table: its rack, and its row among the rows of all patterns."""

    rack: Ints
    row: Ints


def circuits(hookup: Hookup) -> pl.DataFrame:
    """One row per circuit, rack by rack, then feed by feed."""
    frames = [_circuits(pattern, hookup.terms) for pattern in hookup.patterns]
    if not frames:
        return pl.DataFrame(schema=SCHEMAS["circuits"])
    at = _gathered_rows(hookup, [frame.height for frame in frames])
    rack = pl.Series("rack", hookup.racks, dtype=pl.String).gather(pl.Series(at.rack))
    above = pl.Series("above", hookup.above, dtype=pl.String).gather(pl.Series(at.rack))
    rows = pl.concat(frames)[at.row].with_columns(rack, above)
    turned = _turned_phases(rows.select("l1_watts", "l2_watts", "l3_watts").to_numpy(), np.array(hookup.turn)[at.rack])
    rows = rows.with_columns(pl.Series(f"l{n + 1}_watts", turned[:, n]) for n in range(PHASES))
    rows = rows.with_columns(
        (pl.col("rack") + pl.col("circuit")).alias("circuit"),
        (pl.col("above") + pl.col("feed")).alias("parent"),
        pl.col("worst_loss").str.replace_all(RACK, pl.col("rack"), literal=True),
    )
    return rows.select(pl.col(name).cast(kind) for name, kind in SCHEMAS["circuits"].items())


def psus(hookup: Hookup) -> pl.DataFrame:
    """One row per supply that exists, rack by rack, device by device, then the rectifiers of the shelves."""
    frames = [_psus(pattern, hookup.terms) for pattern in hookup.patterns]
    if not frames:
        return pl.DataFrame(schema=SCHEMAS["psus"])
    at = _gathered_rows(hookup, [frame.height for frame in frames])
    rack = pl.Series("rack", hookup.racks, dtype=pl.String).gather(pl.Series(at.rack))
    rows = pl.concat(frames)[at.row].with_columns(rack)
    holders = [devices + shelves for devices, shelves in zip(hookup.devices, hookup.shelves, strict=True)]
    sizes = np.array([len(names) for names in holders], dtype=np.int64)
    first = (np.cumsum(sizes) - sizes)[at.rack]
    flat = pl.Series([name for names in holders for name in names], dtype=pl.String)
    phase = (rows["phase"].to_numpy() + np.array(hookup.turn, dtype=np.int64)[at.rack]) % PHASES
    rows = rows.with_columns(
        flat.gather(pl.Series(first + rows["holder"].to_numpy())).alias("device"),
        (pl.col("rack") + pl.col("circuit")).alias("circuit"),
        pl.Series(hookup.terms.lines.names, dtype=pl.String).gather(pl.Series(phase)).alias("phase"),
    )
    return rows.select(pl.col(name).cast(kind) for name, kind in SCHEMAS["psus"].items())


def _gathered_rows(hookup: Hookup, sizes: Sequence[int]) -> RowOrigin:
    pattern = np.array(hookup.pattern, dtype=np.int64)
    size = np.array(sizes, dtype=np.int64)
    first = np.cumsum(size) - size
    lengths = size[pattern]
    ends = np.cumsum(lengths)
    inside = np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - lengths, lengths)
    return RowOrigin(np.repeat(np.arange(len(pattern)), lengths), np.repeat(first[pattern], lengths) + inside)


def _turned_phases(phases: Floats, turn: Ints) -> Floats:
    """The columns of every row, rotated by its turn."""
    order = (np.arange(PHASES)[None, :] - turn[:, None]) % PHASES
    return np.take_along_axis(phases, order, axis=1)


def _psus(pattern: Pattern, terms: Terms) -> pl.DataFrame:
    suffixes = pattern.suffixes(terms.feeds)
    circuit = pattern.block.circuit
    rows = []
    for at, (cord, plug) in enumerate(zip(pattern.cords, pattern.plugs, strict=True)):
        if cord.shelf < 0 and not pattern.slots[cord.slot].present:
            continue
        holder = len(pattern.slots) + cord.shelf if cord.shelf >= 0 else cord.slot
        tail = (suffixes[circuit[at]], terms.feeds[cord.feed], plug.phase, plug.outlet)
        rows.append((holder, cord.psu, cord.watts, *tail))
    kinds: dict[str, Any] = {"holder": pl.Int64, "psu": pl.Int32, "watts": pl.Int32, "circuit": pl.String}
    kinds |= {"feed": pl.String, "phase": pl.Int64, "outlet": pl.String}
    return pl.DataFrame(rows, schema=kinds, orient="row")


def _circuits(pattern: Pattern, terms: Terms) -> pl.DataFrame:
    """Loads of the devices that exist, with every feed alive and after the worst declared loss."""
    block = _present(pattern)
    phases = block.phases(block.draws(np.zeros(len(block.group), dtype=bool)))
    worst, what = _worst_circuit_loads(block, terms, [RACK + suffix for suffix in pattern.suffixes(terms.feeds)])
    share = _by_circuit(block, group_loads(pattern.slots, [s.design if s.present else 0.0 for s in pattern.slots]))
    rating = sum_by(block.circuit, block.watts, len(block.usable))
    return pl.DataFrame(
        {
            "circuit": pattern.suffixes(terms.feeds),
            "feed": [terms.feeds[feed] for feed, _ in pattern.circuits],
            "usable_watts": np.round(block.usable, 1),
            "load_watts": np.round(phases.sum(axis=1), 1),
            **{f"l{n + 1}_watts": np.round(phases[:, n], 1) for n in range(PHASES)},
            "nameplate_watts": rating,
            "design_watts": np.round(share, 1),
            "worst_watts": np.round(worst, 1),
            "worst_loss": what,
        },
        schema_overrides={"circuit": pl.String, "feed": pl.String, "worst_loss": pl.String},
    )


def _present(pattern: Pattern) -> RackBlock:
    """The block without reserved places."""
    block = pattern.block
    present = np.array([c.shelf >= 0 or pattern.slots[c.slot].present for c in pattern.cords], dtype=bool)
    columns = {name: getattr(block, name)[present] for name in ("group", "circuit", "feed", "phase", "watts")}
    peaks = [slot.peak if slot.present else 0.0 for slot in pattern.slots]
    capped = [slot.capped.watts if slot.present else 0.0 for slot in pattern.slots]
    load, capped_load = (np.array(group_loads(pattern.slots, watts)) for watts in (peaks, capped))
    return RackBlock(load, block.needed, capped_load, block.capped_needed, **columns, usable=block.usable,
                     circuit_feed=block.circuit_feed, lines=block.lines)  # fmt: skip


def _by_circuit(block: RackBlock, loads: Sequence[float]) -> Floats:
    """`loads` of the groups spread over their supplies, by circuit."""
    count = np.bincount(block.group, minlength=len(loads))
    share = np.array(loads) / np.maximum(count, 1)
    return sum_by(block.circuit, share[block.group], len(block.usable))


def _worst_circuit_loads(block: RackBlock, terms: Terms, names: Sequence[str]) -> tuple[Floats, list[str | None]]:
    """Highest load of every circuit over the declared losses, and the loss that causes it."""
    worst = np.full(len(block.usable), -1.0)
    what: list[str | None] = [None] * len(worst)
    for case in rack_losses(block, len(terms.feeds), terms.survive):
        carried = block.phases(block.draws(case.lost)).sum(axis=1)
        for at in np.flatnonzero(carried > worst + 1e-6):
            worst[at], what[at] = carried[at], case.text(terms.feeds, names) or None
    return np.maximum(worst, 0.0), what
