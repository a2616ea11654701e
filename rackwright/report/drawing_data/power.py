"""Power from the feeds to the racks, at a level of detail that fits one sheet."""

from __future__ import annotations

from typing import Any

import polars as pl

from rackwright.model.design import Design
from rackwright.report.drawing_data import plant
from rackwright.report.drawing_data.flow_records import Branch, PowerWay, SingleLine, Tap

MOST_RACKS = 24
MOST_ROWS = 48
_PHASES = ("l1_watts", "l2_watts", "l3_watts")


def single_line(design: Design) -> SingleLine | None:
    """The diagram; None when the design has no circuits."""
    if design.circuits.is_empty():
        return None
    circuits = _circuits(design)
    per, branches = _branches(design, circuits)
    declared = design.site.facility.power
    rating = declared.circuit
    phases = "three-phase" if rating.phases == 3 else "single-phase"
    return SingleLine(
        sources=plant.sources(design),
        branches=branches,
        per=per,
        circuit=f"{rating.volts} V {phases} {rating.amps} A, loaded to {rating.derating:.0%}, power factor {rating.power_factor:g}",
        pdu=declared.rack_pdu or "",
        survives=_survival_sentence(design),
        losses=plant.losses(design, "power"),
    )


def _survival_sentence(design: Design) -> str:
    declared = design.site.facility.power.survive
    parts = [
        f"{number} {name}{'s' if number > 1 else ''}"
        for number, name in ((declared.feeds, "feed"), (declared.ups, "UPS module"), (declared.pdus, "rack PDU"), (declared.psus, "power supply"))
        if number
    ]  # fmt: skip
    return f"must survive the loss of {', '.join(parts)}, one kind at a time" if parts else "no loss must be survived"


def _circuits(design: Design) -> pl.DataFrame:
    """One row per circuit with its place and its load after the worst loss as a share of its rating."""
    places = design.racks.select("rack", "hall", "row", pl.int_range(pl.len()).alias("at"))
    worst = pl.coalesce(pl.col("worst_watts"), pl.col("load_watts"))
    return (
        design.circuits.join(places, on="rack", how="left", maintain_order="left")
        .with_columns((worst / pl.col("usable_watts")).alias("worst_share"))
        .sort("at", maintain_order=True)
    )


def _branches(design: Design, circuits: pl.DataFrame) -> tuple[str, list[Branch]]:
    if design.racks.height <= MOST_RACKS:
        return "rack", _branches_with_heads(design, circuits)
    rows = _equal(_rows(design, circuits, ["hall", "row"]))
    if len(rows) <= MOST_ROWS:
        return "row", rows
    return "hall", _rows(design, circuits, ["hall"])


def _branches_with_heads(design: Design, circuits: pl.DataFrame) -> list[Branch]:
    """The racks as branches; racks under a busway follow a branch with the busways of their row."""
    racks = _rows(design, circuits, ["rack"])
    heads = {branch.name: branch for branch in _rows(design, circuits, ["hall", "row"])}
    row_of = {row["rack"]: _name((row["hall"], row["row"])) for row in design.racks.iter_rows(named=True)}
    branches: list[Branch] = []
    for rack in racks:
        head = heads.pop(row_of[rack.name], None)
        if head and any(tap.way for tap in head.taps):
            ways = [tap.model_copy(update={"circuits": 0}) for tap in head.taps if tap.way]
            branches.append(head.model_copy(update={"taps": ways}))
        branches.append(rack)
    return branches


def _rows(design: Design, circuits: pl.DataFrame, keys: list[str]) -> list[Branch]:
    """One branch per value of `keys`, in design order."""
    racks = design.racks.group_by(*keys, maintain_order=True).agg(pl.len().alias("racks"), pl.col("peak_watts").sum())
    taps = circuits.group_by(*keys, "feed", maintain_order=True).agg(
        pl.col("circuit").first().alias("first"),
        pl.col("circuit").last().alias("last"),
        pl.len().alias("circuits"),
        pl.col("load_watts").sum(),
        pl.col("usable_watts").sum(),
        pl.col("worst_share").max(),
        *(pl.col(phase).fill_null(0.0).sum() for phase in _PHASES),
    )
    ways, counts = _ways(design, circuits, keys), _counts(design, keys)
    taps_by_key: dict[tuple[Any, ...], list[Tap]] = {}
    feeds = plant.feeds(design)
    for row in taps.iter_rows(named=True):
        key = tuple(row[key_column] for key_column in keys)
        taps_by_key.setdefault(key, []).append(_tap_of_rack(row, feeds, ways.get((*key, row["feed"])), keys))
    return [
        Branch(
            name=_name(key := tuple(row[key_column] for key_column in keys)),
            racks=row["racks"],
            kw=row["peak_watts"] / 1000,
            pdus=counts.get((*key, "pdu"), 0),
            shelves=counts.get((*key, "shelf"), 0),
            taps=sorted(taps_by_key.get(key, []), key=lambda tap: tap.feed),
        )
        for row in racks.iter_rows(named=True)
    ]


def _name(key: tuple[Any, ...]) -> str:
    return str(key[0]) if len(key) == 1 else f"{key[0]} row {key[1]}"


def _tap_of_rack(row: dict[str, Any], feeds: list[str], way: PowerWay | None, keys: list[str]) -> Tap:
    head = f"{row['rack']}-" if keys == ["rack"] else ""
    names = [row["first"]] if row["circuits"] == 1 else [row["first"], row["last"]]
    return Tap(
        feed=feeds.index(row["feed"]) if row["feed"] in feeds else 0,
        names=[name.removeprefix(head) for name in names],
        circuits=row["circuits"],
        load_kw=row["load_watts"] / 1000,
        usable_kw=row["usable_watts"] / 1000,
        worst_share=row["worst_share"] or 0.0,
        phase_kw=[row[phase] / 1000 for phase in _PHASES],
        way=way,
    )


def _ways(design: Design, circuits: pl.DataFrame, keys: list[str]) -> dict[tuple[Any, ...], PowerWay]:
    """(*`keys`, feed) -> its busways; a busway belongs to the row whose circuits hang on it."""
    ways = design.power.filter(pl.col("kind") == "busway")
    if ways.is_empty() or keys == ["rack"]:
        return {}
    served = circuits.select(*keys, pl.col("parent").alias("element")).unique(maintain_order=True)
    sums = (
        served.join(ways, on="element")
        .group_by(*keys, "feed", maintain_order=True)
        .agg(
            pl.col("sku").first(),
            pl.len().alias("count"),
            *(pl.col(f"{quantity}_watts").sum() / 1000 for quantity in ("load", "capacity", "worst")),
        )
    )
    return {
        (*(row[quantity] for quantity in keys), row["feed"]): PowerWay(
            sku=row["sku"] or "",
            count=row["count"],
            load_kw=row["load_watts"],
            capacity_kw=row["capacity_watts"],
            worst_kw=row["worst_watts"],
        )
        for row in sums.iter_rows(named=True)
    }


def _counts(design: Design, keys: list[str]) -> dict[tuple[Any, ...], int]:
    """Rack PDUs and power shelves by branch."""
    placed = design.power.filter(pl.col("kind").is_in(["pdu", "shelf"]) & pl.col("rack").is_not_null())
    places = design.racks.select("rack", "hall", "row")
    grouped = placed.join(places, on="rack", how="left").group_by(*keys, "kind").len()
    return {tuple(row[:-1]): row[-1] for row in grouped.iter_rows()}


def _equal(branches: list[Branch]) -> list[Branch]:
    """The branches with neighbouring equal rows merged into one; the figures stay those of one row."""
    merged: list[tuple[Branch, Branch, int]] = []
    for branch in branches:
        if merged and _figures(merged[-1][1]) == _figures(branch):
            merged[-1] = (merged[-1][0], branch, merged[-1][2] + 1)
        else:
            merged.append((branch, branch, 1))
    return [_merged_branch(first, last, rows) for first, last, rows in merged]


def _merged_branch(first: Branch, last: Branch, rows: int) -> Branch:
    if rows == 1:
        return first
    name = f"{first.name} to {last.name.rpartition(' ')[2]}, each of {rows} rows"
    return first.model_copy(update={"name": name})


def _figures(branch: Branch) -> tuple[Any, ...]:
    hall = branch.name.rpartition(" row ")[0]
    taps = [
        (tap.feed, tap.circuits, round(tap.load_kw, 1), round(tap.usable_kw, 1), round(tap.worst_share, 3))
        for tap in branch.taps
    ]
    return (hall, branch.racks, round(branch.kw, 1), branch.pdus, branch.shelves, taps)
