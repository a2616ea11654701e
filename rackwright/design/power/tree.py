"""The power tree as a table: feeds, UPS modules, busways, rack PDUs, power shelves."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from rackwright.design.power import names
from rackwright.design.power.capacity import usable_watts
from rackwright.design.power.shelves import shelf_watts
from rackwright.design.power.survey import Survey
from rackwright.design.power.terms import reaching
from rackwright.design.power.worst_loads import worst_busways, worst_feeds
from rackwright.model.design import Design
from rackwright.model.plant import Pdu, PowerShelf
from rackwright.model.schemas import SCHEMAS

FIGURES = ("load_watts", "worst_watts", "worst_loss", "nameplate_watts", "design_watts")


def power_tree(design: Design, survey: Survey) -> pl.DataFrame:
    """Every element above or behind the circuits."""
    frames = [_table(_feeds(design, survey)), _table(_ups(design, survey)), _table(_busways(design, survey))]
    frames += [_pdus(design), _shelves(design)]
    return pl.concat(frames)


Row = dict[str, object]


def _table(rows: Iterator[Row]) -> pl.DataFrame:
    return pl.DataFrame(list(rows), schema=SCHEMAS["power"])


def _feeds(design: Design, survey: Survey) -> Iterator[Row]:
    worst, what = worst_feeds(survey)
    behind = _sums(design, "feed")
    for at, feed in enumerate(survey.grid.feeds):
        figures = _figures(
            float(survey.undisturbed.feeds[at]), float(worst[at]), what[at], behind.get(feed, (0.0, 0.0))
        )
        yield {"element": feed, "kind": "feed", "feed": feed, "capacity_watts": survey.limits.feed, **figures}


def _ups(design: Design, survey: Survey) -> Iterator[Row]:
    """One row per UPS module. Modules of a feed share its load; the worst case is a lost feed, or as many lost modules as declared."""
    power, modules = design.site.facility.power, survey.limits.modules
    if power.ups is None:
        return
    worst, what = worst_feeds(survey)
    lost = min(power.survive.ups, modules - 1)
    behind = _sums(design, "feed")
    for at, feed in enumerate(survey.grid.feeds):
        load = float(survey.undisturbed.feeds[at])
        cases = [(float(worst[at]) / modules, what[at]), (load / (modules - lost), f"{lost} UPS of feed {feed}")]
        high, why = max(cases)
        nameplate, busy = behind.get(feed, (0.0, 0.0))
        figures = _figures(load / modules, high, why, (nameplate / modules, busy / modules))
        for number in range(modules):
            yield {
                "element": names.ups(feed, number + 1),
                "kind": "ups",
                "parent": feed,
                "feed": feed,
                "sku": power.ups.sku,
                "capacity_watts": survey.limits.module,
                **figures,
            }


def _busways(design: Design, survey: Survey) -> Iterator[Row]:
    power, grid = design.site.facility.power, survey.grid
    if power.busway is None:
        return
    worst, what = worst_busways(survey)
    behind = _sums(design, "parent")
    reach = {hall.name: reaching(hall, grid.feeds) for hall in design.site.facility.halls}
    for row, (hall, number) in enumerate(grid.rows):
        for at in reach[hall]:
            feed = grid.feeds[at]
            name = names.busway(hall, number, feed)
            why = what[row * len(grid.feeds) + at]
            load, high = float(survey.undisturbed.busways[row, at]), float(worst[row, at])
            yield {
                "element": name,
                "kind": "busway",
                "parent": feed,
                "feed": feed,
                "sku": power.busway,
                "capacity_watts": survey.limits.busway,
                **_figures(load, high, why, behind.get(name, (0.0, 0.0))),
            }


def _figures(load: float, worst: float, what: str, behind: tuple[float, float]) -> Row:
    values = (load, worst, what or None, *behind)
    rounded = (round(value, 1) if isinstance(value, float) else value for value in values)
    return dict(zip(FIGURES, rounded, strict=True))


def _sums(design: Design, by: str) -> dict[str, tuple[float, float]]:
    frame = design.circuits.group_by(by, maintain_order=True).agg(pl.sum("nameplate_watts", "design_watts"))
    return {name: (nameplate, busy) for name, nameplate, busy in frame.iter_rows()}


def _pdus(design: Design) -> pl.DataFrame:
    """One PDU at the end of every circuit that does not feed a shelf."""
    power = design.site.facility.power
    part = design.plant_parts.get(power.rack_pdu) if power.rack_pdu else None
    if not isinstance(part, Pdu):
        return pl.DataFrame(schema=SCHEMAS["power"])
    rated = power.circuit.model_copy(update={"amps": part.amps, "phases": part.phases})
    ended = pl.concat_str(pl.col("circuit"), pl.lit(names.pdu("")))
    shelves = _rectifiers(design)["circuit"]
    plain = design.circuits.join(shelves.unique().to_frame(), on="circuit", how="anti", maintain_order="left")
    return _elements_behind(plain, ended, "pdu", part.sku, usable_watts(rated))


def _shelves(design: Design) -> pl.DataFrame:
    rectifiers = _rectifiers(design)
    if rectifiers.is_empty():
        return pl.DataFrame(schema=SCHEMAS["power"])
    first = rectifiers.unique("device", keep="first", maintain_order=True).select("device", "circuit")
    rows = first.join(design.circuits, on="circuit", maintain_order="left")
    parts = {sku: design.plant_parts.get(rack.power_shelf or "") for sku, rack in design.rack_parts.items()}
    shelf_parts = {sku: part for sku, part in parts.items() if isinstance(part, PowerShelf)}
    skus = design.racks.select("rack", pl.col("sku").alias("rack_sku"), "rack_units")
    rows = rows.join(skus, on="rack", maintain_order="left")
    frames = [
        _elements_behind(
            rows.filter(pl.col("rack_sku") == sku).with_columns(_from_top(part).alias("unit")),
            pl.col("device"),
            "shelf",
            part.sku,
            float(shelf_watts(part)),
        )
        for sku, part in shelf_parts.items()
    ]
    return pl.concat([pl.DataFrame(schema=SCHEMAS["power"]), *frames])


def _from_top(part: PowerShelf) -> pl.Expr:
    """The lowest unit of every shelf of a rack: the first at the top, the others below it."""
    number = pl.int_range(1, pl.len() + 1).over("rack")
    return pl.col("rack_units") - number * part.rack_units + 1


def _rectifiers(design: Design) -> pl.DataFrame:
    """Rows of `psus` that belong to no server or switch."""
    loads = design.devices.filter(pl.col("kind").is_in(["server", "switch"])).select("device")
    return design.psus.join(loads, on="device", how="anti", maintain_order="left")


def _elements_behind(circuits: pl.DataFrame, element: pl.Expr, kind: str, sku: str, capacity: float) -> pl.DataFrame:
    """Elements at the end of a circuit, with its load."""
    columns = {
        "element": element,
        "kind": pl.lit(kind),
        "parent": pl.col("circuit"),
        "sku": pl.lit(sku),
        "capacity_watts": pl.lit(round(capacity, 1)),
    }
    if "unit" not in circuits.columns:
        columns["unit"] = pl.lit(None)
    return circuits.select(
        columns.get(name, pl.col(name)).cast(to).alias(name) for name, to in SCHEMAS["power"].items()
    )
