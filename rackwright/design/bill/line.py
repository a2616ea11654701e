"""One line of the bill before it has a price: part, quantity, and the part it is delivered in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from rackwright.model.sku import Sku


@dataclass(frozen=True)
class BillLine:
    """A quantity of a part. `included_in` names the parts it is bought inside of; it then costs nothing extra."""

    sku: str
    kind: str
    manufacturer: str
    model: str
    quantity: int
    length_meters: float | None = None
    """Of one cable; None for everything else, and for cables whose route has no known length."""
    unit: str = "piece"
    included_in: str | None = None

    @property
    def key(self) -> tuple[str, float]:
        """(SKU, length in metres, -1 without one): lines with the same key are merged."""
        return self.sku, -1.0 if self.length_meters is None else self.length_meters


def of_row(row: Mapping[str, Any]) -> BillLine:
    """The line that a row of the table ``bill`` stands for."""
    return BillLine(**{field.name: row[field.name] for field in fields(BillLine)})


def of_part(
    part: Sku, quantity: int, *, length: float | None = None, unit: str = "piece", inside: str | None = None
) -> BillLine:
    """The line of `quantity` pieces of `part`; its kind is that of the catalog (``server``, ``cable`` ...)."""
    kind = str(part.model_dump(include={"kind"})["kind"])
    return BillLine(part.sku, kind, part.manufacturer, part.model, quantity, length, unit, inside)


def of_name(sku: str, kind: str, quantity: int, *, inside: str | None = None) -> BillLine:
    """The line of a part that the catalog does not describe; its own name stands for maker and model."""
    return BillLine(sku, kind, "", sku, quantity, included_in=inside)
