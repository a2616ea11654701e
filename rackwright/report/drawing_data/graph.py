"""Groups the devices of a fabric into tiles, and their cables into bands.

Tiles of switches are kept apart by column,
tier, pool and scalable unit; hosts by the same, or by rack; runs of units share a tile where there are too many.
"""

from __future__ import annotations

from collections import Counter

import polars as pl

from rackwright.report.drawing_data import graph_words
from rackwright.report.drawing_data.fabric_records import Band, Column, Graph, Tile
from rackwright.report.drawing_data.links import FabricLinks

WIDEST = 32
"""Tiles side by side in one tier."""
MOST_COLUMNS = 8
MOST_RACKS = 16
MOST_RING = 40
_SHARED = pl.col("tier").is_in(["core", "other"]) | (pl.col("column") < 0)


def build(
    name: str, title: str, fabric_links: FabricLinks, *, by_switch: bool, facts: list[str], spines_apart: bool = True
) -> Graph:
    """The graph of a fabric; with `by_switch` every switch is a tile, spines only with `spines_apart`."""
    devices = _keyed(fabric_links.devices, by_switch=by_switch, spines_apart=spines_apart)
    tiles = _tiles(devices)
    bands = _bands(devices, fabric_links.pairs)
    column_of = dict(devices.select("key", "drawn_column").unique("key", maintain_order=True).iter_rows())
    shared = [tile for tile in tiles if column_of[tile.key] < 0]
    by_column: dict[int, list[Tile]] = {}
    for tile in tiles:
        by_column.setdefault(column_of[tile.key], []).append(tile)
    by_column.pop(-1, None)
    ring = _ring_tiles(by_column, bands, column_of)
    if ring:
        mesh = _ring_bands(bands, {tile.key: tile.key for tile in ring} if len(by_column) == 1 else column_of)
        return Graph(name=name, title=title, columns=[], shared=[], ring=ring, bands=mesh, facts=facts)
    columns, bands_kept = _merged_columns(by_column, bands, graph_words.columns(fabric_links))
    return Graph(name=name, title=title, columns=columns, shared=shared, ring=[], bands=bands_kept, facts=facts)


def _keyed(devices: pl.DataFrame, *, by_switch: bool, spines_apart: bool) -> pl.DataFrame:
    """Every device with the ``key`` of its tile and the ``drawn_column`` it is drawn in."""
    switch = pl.col("tier").is_in(["leaf", "spine", "core"])
    units = devices.filter(switch & (pl.col("tier") == "leaf")).select("column", "pool", "scalable_unit").n_unique()
    columns = max(1, devices.filter(pl.col("column") >= 0)["column"].n_unique())
    chunk = 1 if columns > MOST_COLUMNS else max(1, -(-units // WIDEST))
    unit = ((pl.col("scalable_unit") - 1) // chunk).fill_null(-1)
    column = pl.when(_SHARED).then(-1).otherwise(pl.col("column"))
    racks = devices.filter(pl.col("tier") == "host")["rack"].n_unique()
    host = pl.col("rack") if by_switch and racks <= MOST_RACKS else pl.format("{}/{}", "pool", unit)
    group = (
        pl.when(pl.col("tier") == "host")
        .then(pl.when(column < 0).then(pl.col("pool")).otherwise(host))
        .when((pl.col("tier") == "leaf") & switch)
        .then(pl.format("{}/{}", "pool", unit))
        .otherwise(pl.lit(""))
    )
    if by_switch:
        single = switch if spines_apart else pl.col("tier") == "leaf"
        group = pl.when(single).then(pl.col("device")).otherwise(group)
    role = pl.when(pl.col("tier") == "host").then(pl.col("role")).otherwise(pl.col("sku"))
    return devices.with_columns(
        column.alias("drawn_column"),
        pl.format("{}|{}|{}|{}", column, "tier", role.fill_null(""), group.fill_null("")).alias("key"),
    )


def _tiles(devices: pl.DataFrame) -> list[Tile]:
    grouped = devices.group_by("key", maintain_order=True).agg(
        pl.col("tier", "role", "sku", "pool", "kind", "fabric").first(),
        pl.col("device").first().alias("first"),
        pl.col("device").last().alias("last"),
        pl.col("scalable_unit").min().alias("low"),
        pl.col("scalable_unit").max().alias("high"),
        pl.col("rack").n_unique().alias("racks"),
        pl.col("rack").first(),
        pl.len().alias("count"),
    )
    order = {"core": 0, "other": 1, "spine": 2, "leaf": 3, "host": 4}
    rows = sorted(grouped.iter_rows(named=True), key=lambda row: order[row["tier"]])
    return [
        Tile(
            key=row["key"],
            tier=row["tier"],
            label=graph_words.label(row),
            count=row["count"],
            noun=graph_words.device_word(row),
            first=row["first"],
            last=row["last"],
        )
        for row in rows
    ]


def _bands(devices: pl.DataFrame, pairs: pl.DataFrame) -> list[Band]:
    keys = devices.select("id", "key")
    grouped = (
        pairs.join(keys.rename({"id": "a", "key": "a_key"}), on="a", maintain_order="left")
        .join(keys.rename({"id": "b", "key": "b_key"}), on="b", maintain_order="left")
        .group_by("a_key", "b_key", "gbps", maintain_order=True)
        .agg(pl.col("cables").sum(), pl.len().alias("pairs"))
    )
    return [
        Band(a=row["a_key"], b=row["b_key"], cables=row["cables"], gbps=row["gbps"], pairs=row["pairs"])
        for row in grouped.iter_rows(named=True)
    ]


def _ring_tiles(by_column: dict[int, list[Tile]], bands: list[Band], column_of: dict[str, int]) -> list[Tile]:
    """Tiles of a mesh: the columns, if they are joined directly, or the leaves of the only column; empty if it is no mesh."""
    across = [band for band in bands if -1 not in (c := {column_of[band.a], column_of[band.b]}) and len(c) == 2]
    if across and len(by_column) > 2:
        return [_column_tile(number, tiles) for number, tiles in by_column.items()]
    leaves = {tile.key: tile for tiles in by_column.values() for tile in tiles if tile.tier == "leaf"}
    mesh = [band for band in bands if band.a != band.b and band.a in leaves and band.b in leaves]
    if not (len(by_column) == 1 and len(leaves) > 2 and mesh):
        return []
    hosts: Counter[str] = Counter()
    for band in bands:
        if band.a not in leaves and band.b in leaves:
            hosts[band.b] += band.pairs
    return [
        tile.model_copy(update={"noun": graph_words.with_hosts(tile.noun, hosts[tile.key])}) for tile in leaves.values()
    ]


def _column_tile(number: int, tiles: list[Tile]) -> Tile:
    """A whole column as one tile of the ring."""
    switches = [tile for tile in tiles if tile.tier != "host"]
    nodes = sum(tile.count for tile in tiles if tile.tier == "host")
    return Tile(
        key=str(number),
        tier="leaf",
        label=f"group {number + 1}",
        count=sum(tile.count for tile in switches),
        noun=graph_words.with_hosts(switches[0].noun, nodes),
        first=switches[0].first,
        last=switches[-1].last,
    )


def _ring_bands(bands: list[Band], of: dict[str, str] | dict[str, int]) -> list[Band]:
    """Bands between the members of a ring, both directions together."""
    sums: dict[tuple[str, str, int], list[int]] = {}
    for band in bands:
        a, b = str(of.get(band.a, "")), str(of.get(band.b, ""))
        if a and b and a != b and "-1" not in (a, b):
            low, high = sorted((a, b))
            entry = sums.setdefault((low, high, band.gbps), [0, 0])
            entry[0] += band.cables
            entry[1] += band.pairs
    return [Band(a=a, b=b, cables=n, gbps=gbps, pairs=pairs) for (a, b, gbps), (n, pairs) in sums.items()]


def _merged_columns(
    by_column: dict[int, list[Tile]], bands: list[Band], words: dict[int, str]
) -> tuple[list[Column], list[Band]]:
    """The columns and bands to draw; with more than a few columns, equal ones are drawn once and bands of the others are dropped."""
    shapes: dict[object, list[int]] = {}
    inside = _column_figures(by_column, bands)
    for number, tiles in by_column.items():
        shape = (tuple((tile.tier, tile.noun, tile.count) for tile in tiles), inside[number])
        shapes.setdefault(shape if len(by_column) > MOST_COLUMNS else number, []).append(number)
    drawn = [
        Column(
            label=graph_words.column_text([words[number] for number in group]) if len(by_column) > 1 else "",
            alike=len(group),
            tiles=by_column[group[0]],
        )
        for group in shapes.values()
    ]
    removed = {tile.key for group in shapes.values() for number in group[1:] for tile in by_column[number]}
    return drawn, [band for band in bands if band.a not in removed and band.b not in removed]


def _column_figures(by_column: dict[int, list[Tile]], bands: list[Band]) -> dict[int, tuple[tuple[int, int, int], ...]]:
    """Column -> sorted (cables, Gb/s, pairs) of its bands, to compare columns."""
    of = {tile.key: number for number, tiles in by_column.items() for tile in tiles}
    cables_by_column: dict[int, Counter[tuple[int, int, int]]] = {number: Counter() for number in by_column}
    for band in bands:
        for number in {of[end] for end in (band.a, band.b) if end in of}:
            cables_by_column[number][band.cables, band.gbps, band.pairs] += 1
    return {number: tuple(sorted(counts.elements())) for number, counts in cables_by_column.items()}
