"""Measured requirements of a site on its building and its addresses."""

from __future__ import annotations

from dataclasses import dataclass, field

ENOUGH_KW = 1_000_000_000
"""A feed that limits nothing, before its load is known."""


@dataclass(frozen=True)
class HallSize:
    """One hall."""

    name: str
    rows: int
    racks_per_row: int


@dataclass(frozen=True)
class PlantUnits:
    """Equal machines of the plant in one hall."""

    sku: str
    count: int
    hall: str


@dataclass(frozen=True)
class Cap:
    """The most that a server draws."""

    server: str
    watts: int
    applies: str
    """As in ``PowerCap.applies``."""


@dataclass(frozen=True)
class Facts:
    """Measured values, or assumptions until they are measured."""

    halls: tuple[HallSize, ...]
    routes: dict[tuple[str, str], float] = field(default_factory=dict)
    """Metres between two halls."""
    subnets: dict[str, str] = field(default_factory=dict)
    """By fabric."""
    feed_kw: int = ENOUGH_KW
    caps: tuple[Cap, ...] = ()
    ups: tuple[str, int] | None = None
    """SKU and modules of a feed."""
    floor_kg: int = 100_000
    cdus: tuple[PlantUnits, ...] = ()
    crahs: tuple[PlantUnits, ...] = ()
    trays: dict[str, int] = field(default_factory=dict)
    """By hall, how many trays of the usual size its cables need; halls with one are left out."""
    storage_servers: int = 0
