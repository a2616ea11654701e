"""Places: region, site, halls, rows, racks.

A hall is a location, a row a rack group; row and position also make the facility ID of a rack, because NetBox has no field for them.
"""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from rackwright.export.netbox.netbox_data import slug, status, words
from rackwright.model.design import Design
from rackwright.model.sku import Rack


def regions(design: Design) -> pl.DataFrame:
    """The region."""
    return pl.DataFrame({"name": [design.site.region], "slug": [design.site.region]})


def sites(design: Design) -> pl.DataFrame:
    """The site."""
    name = design.site.site
    return pl.DataFrame({"name": [name], "slug": [name], "status": [status("site")], "region": [design.site.region]})


def locations(design: Design) -> pl.DataFrame:
    """The halls."""
    halls = [hall.name for hall in design.site.facility.halls]
    return pl.DataFrame({"site": design.site.site, "name": halls, "slug": halls, "status": status("location")})


def rack_roles(design: Design) -> pl.DataFrame:
    """Kinds of rack."""
    kinds = design.racks["kind"].unique(maintain_order=True).to_list()
    colors = [words()["roles"].get(kind, words()["color_otherwise"]) for kind in kinds]
    return pl.DataFrame({"name": kinds, "slug": kinds, "color": colors}, schema_overrides={"color": pl.String})


def rack_groups(design: Design) -> pl.DataFrame:
    """Rows that have racks."""
    rows = design.racks.select("hall", "row").unique(maintain_order=True)
    return rows.select(_row().alias("name"), _row().str.replace_all(" ", "-", literal=True).alias("slug"))


def rack_types(design: Design) -> pl.DataFrame:
    """Rack parts in use."""
    return pl.DataFrame(list(_rack_types(design)))


def _rack_types(design: Design) -> Iterator[dict[str, object]]:
    for part in design.rack_parts.values():
        yield {
            "manufacturer": part.manufacturer,
            "model": _model(part),
            "slug": slug(f"{part.manufacturer}-{part.sku}"),
            "form_factor": words()["rack"]["form_factor"],
            "width": words()["rack"]["width_inches"],
            "u_height": part.rack_units,
            "starting_unit": 1,
            "outer_width": part.width_mm,
            "outer_depth": part.depth_mm,
            "outer_unit": "mm",
            "weight": part.weight_kg or None,
            "max_weight": int(part.max_weight_kg),
            "weight_unit": "kg",
        }


def racks(design: Design) -> pl.DataFrame:
    """The racks; height and limits also stand here, for those who import no rack types."""
    rows = [
        (sku, _model(part), part.weight_kg or None, int(part.max_weight_kg)) for sku, part in design.rack_parts.items()
    ]
    kinds = {"sku": pl.String, "rack_type": pl.String, "weight": pl.Float64, "max_weight": pl.Int64}
    parts = pl.DataFrame(rows, schema=kinds, orient="row")
    frame = design.racks.join(parts, on="sku", how="left", maintain_order="left")
    return frame.select(
        pl.lit(design.site.site).alias("site"),
        pl.col("hall").alias("location"),
        _row().alias("group"),
        pl.col("rack").alias("name"),
        pl.format("{}-{}", "row", "position").alias("facility_id"),
        pl.lit(status("rack")).alias("status"),
        pl.col("kind").alias("role"),
        "rack_type",
        pl.lit(words()["rack"]["width_inches"]).alias("width"),
        pl.col("rack_units").alias("u_height"),
        "weight",
        "max_weight",
        pl.lit("kg").alias("weight_unit"),
        pl.format("row {} position {}", "row", "position").alias("description"),
    )


def _row() -> pl.Expr:
    return pl.format("{} row {}", "hall", "row")


def _model(part: Rack) -> str:
    return part.model
