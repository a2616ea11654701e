"""The table ``bill`` in two steps, and its sums.

`count` comes before the availability study, which reckons spares from it; `add` puts them and the prices in, and makes
``studies["bill"]``. A part whose price nobody gave has no total, and the sum names it: a sum is never silently short.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from rackwright.catalog import Catalog
from rackwright.design.bill import links, plant
from rackwright.design.bill.inventory import inventory
from rackwright.design.bill.line import BillLine, of_name, of_row
from rackwright.design.bill.prices import price
from rackwright.model.design import Design
from rackwright.model.schemas import SCHEMAS

Spares = Mapping[tuple[str, float], int]
"""Spares by the key of a line."""


def count(design: Design, catalog: Catalog) -> Design:
    """The design with everything to buy counted, without spares and prices."""
    rows = [_unpriced_row(line) for line in inventory(design, catalog)]
    return replace(design, bill=pl.DataFrame(rows, schema=SCHEMAS["bill"], orient="row"))


def add(design: Design, catalog: Catalog) -> Design:
    """The design with spares and prices in its counted bill.

    Spares come from ``studies["availability"]``, none when it is absent.
    """
    spares = _spares(design)
    counted = [of_row(row) for row in design.bill.iter_rows(named=True)]
    rows = [_row(line, spares, design, catalog) for line in _all_lines(counted, spares)]
    table = pl.DataFrame(rows, schema=SCHEMAS["bill"], orient="row")
    return replace(design, bill=table, studies={**design.studies, "bill": _study(table, design)})


def _unpriced_row(line: BillLine) -> tuple[Any, ...]:
    return (*_head(line), line.quantity, 0, line.included_in, None, None, None)


def _head(line: BillLine) -> tuple[Any, ...]:
    return line.sku, line.length_meters, line.kind, line.manufacturer, line.model, line.unit


def _spares(design: Design) -> dict[tuple[str, float], int]:
    spares = design.studies.get("availability", {}).get("spares", [])
    return {
        (spare["sku"], -1.0 if spare["length_meters"] is None else spare["length_meters"]): spare["spares"]
        for spare in spares
    }


def _all_lines(lines: Sequence[BillLine], spares: Spares) -> list[BillLine]:
    """The counted lines, and one for every spare part that is otherwise bought only inside another."""
    keys = {line.key for line in lines}
    return [*lines, *(of_name(key[0], "spare", 0) for key, count in spares.items() if key not in keys and count)]


def _row(line: BillLine, spares: Spares, design: Design, catalog: Catalog) -> tuple[Any, ...]:
    """One row of the table ``bill``. Pieces inside another part cost nothing extra; their spares do."""
    spare = spares.get(line.key, 0)
    quote = price(line, design.site, catalog)
    bought = spare if line.included_in else line.quantity + spare
    total = quote.amount * bought if quote.amount is not None else (None if bought else 0.0)
    source = quote.source or (f"included in {line.included_in}" if line.included_in and not spare else None)
    return (*_head(line), line.quantity, spare, line.included_in, quote.amount, source, total)


def _study(table: pl.DataFrame, design: Design) -> dict[str, Any]:
    missing = table.filter(pl.col("total").is_null())["sku"].unique(maintain_order=True).to_list()
    priced = len(table.filter(pl.col("price").is_not_null()))
    return {
        "currency": design.site.economics.currency,
        "lines": len(table),
        "lines_with_price": priced,
        "total": float(table["total"].sum()) if priced else None,
        "total_spares": _spare_total(table) if priced else None,
        "without_prices_of": missing,
        "by_kind": _by_kind(table),
        "says": describe_total(
            design.site.economics.currency, float(table["total"].sum()) if priced else None, missing
        ),
        "rules": [*links.RULES, plant.COOLANT_RULE],
    }


def _by_kind(table: pl.DataFrame) -> dict[str, dict[str, Any]]:
    """Sum of every kind, null where no line of it has a price, and how many of its lines lack one."""
    total = pl.when(pl.col("total").is_not_null().any()).then(pl.col("total").sum()).alias("total")
    lacking = pl.col("total").is_null().sum().alias("lines_without_price")
    sums = table.group_by("kind", maintain_order=True).agg(pl.col("quantity").sum(), total, lacking)
    return {str(row.pop("kind")): row for row in sums.iter_rows(named=True)}


def _spare_total(table: pl.DataFrame) -> float:
    return float((table["price"] * table["spares"]).sum())


def describe_total(currency: str, total: float | None, missing: Iterable[str]) -> str:
    """The sum in one sentence, with what is missing."""
    names = list(missing)
    if total is None:
        return "No price is known of anything; give prices under economics.prices."
    lacking = f", without prices of {', '.join(names)}" if names else ""
    return f"{currency} {total:,.0f}{lacking}."
