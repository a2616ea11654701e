"""The price of one piece and its source: the site's own prices, or the catalog's list prices where the site enables them.

An unknown price is None, never zero, and everything computed from it says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase

from rackwright.catalog import Catalog
from rackwright.design.bill.line import BillLine
from rackwright.model.site import Site
from rackwright.model.sku import Sku

LIST_CURRENCY = "USD"
"""Currency of the catalog's list prices."""


@dataclass(frozen=True)
class Price:
    """Price of one piece and its source; amount None when there is none."""

    amount: float | None
    source: str


def keys(line: BillLine) -> tuple[str, ...]:
    """Names under which the site may give the price of `line`: ``mcp4y10@1.5`` for a length, then ``mcp4y10``."""
    exact = () if line.length_meters is None else (f"{line.sku}@{line.length_meters:g}",)
    return (*exact, line.sku)


def price(line: BillLine, site: Site, catalog: Catalog) -> Price:
    """The price of one piece of `line`: the site's, else the list price if the site uses list prices, else none."""
    declared = site.economics.prices
    for key in keys(line):
        if key in declared:
            return Price(declared[key], f"site economics.prices.{key}")
    if site.economics.use_list_prices and site.economics.currency == LIST_CURRENCY:
        kind = catalog.kind_of(line.sku)
        part = catalog.of_kind(kind)[line.sku] if kind else None
        if part is not None and part.list_price_usd is not None:
            return Price(part.list_price_usd, f"list price {_price_source(part)}")
    return Price(None, "")


def _price_source(part: Sku) -> str:
    """Date and document of a list price; every number of the catalog has a source."""
    sources = (source for source in part.sources if any(fnmatchcase("list_price_usd", glob) for glob in source.covers))
    return next((f"of {source.date} ({source.doc})" for source in sources), "without a date")
