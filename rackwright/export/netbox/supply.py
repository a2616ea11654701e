"""The power chain as NetBox sees it: panel, feed, PDU or sockets, outlet, power supply.

A panel is what the circuits hang on (busway or feed), a power feed is a circuit. NetBox lets one
cable end on a power feed, so a circuit that ends in no PDU and serves several supplies gets a device that stands for its
sockets; a circuit of one power shelf is plugged into it directly.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import polars as pl

from rackwright.export.netbox.netbox_data import status, words
from rackwright.model.design import Design

INLET = "Inlet"
SOCKETS_MAKER = "Generic"
SOCKETS = "Circuit sockets (no rack PDU declared)"
SUFFIX = "-sockets"
PERCENT = 100


@dataclass(frozen=True, eq=False)
class PowerFeeds:
    """The power side of a design."""

    design: Design

    @cached_property
    def ends(self) -> pl.DataFrame:
        """End of every circuit: ``circuit``, ``rack``, ``holder`` (PDU, shelf or sockets), ``port``, ``kind``, ``sku``."""
        behind = self.design.power.filter(pl.col("kind") == "pdu").select(
            pl.col("parent").alias("circuit"), pl.col("element").alias("pdu"), "sku"
        )
        shelves = self._shelf_inlets
        circuits = self.design.circuits.select("circuit", "rack")
        used = self.design.psus.select("circuit").unique()
        ended = circuits.join(behind, on="circuit", how="left", maintain_order="left")
        ended = ended.join(shelves, on="circuit", how="left", maintain_order="left", suffix="_shelf")
        ended = ended.join(used.with_columns(used=pl.lit(True)), on="circuit", how="left", maintain_order="left")
        ended = ended.filter(pl.col("pdu").is_not_null() | pl.col("used"))
        kind = (
            pl.when(pl.col("pdu").is_not_null()).then(pl.lit("pdu"))
            .when(pl.col("shelf").is_not_null()).then(pl.lit("shelf"))
            .otherwise(pl.lit("sockets"))
        )  # fmt: skip
        return ended.select(
            "circuit",
            "rack",
            pl.coalesce("pdu", "shelf", pl.concat_str("circuit", pl.lit(SUFFIX))).alias("holder"),
            pl.coalesce("inlet", pl.lit(INLET)).alias("port"),
            kind.alias("kind"),
            pl.coalesce("sku", "sku_shelf").alias("sku"),
        )

    @cached_property
    def _shelf_inlets(self) -> pl.DataFrame:
        """Circuits that feed one shelf and nothing else, with the shelf and its inlet for them."""
        shelves = self.design.power.filter(pl.col("kind") == "shelf").select(pl.col("element").alias("shelf"), "sku")
        pairs = self.design.psus.select("circuit", pl.col("device").alias("shelf")).unique(maintain_order=True)
        alone = pl.len().over("circuit") == 1
        mine = pairs.filter(alone).join(shelves, on="shelf", maintain_order="left")
        number = pl.int_range(1, pl.len() + 1).over("shelf")
        inlet = pl.when(number > 1).then(pl.concat_str(pl.lit(INLET), number)).otherwise(pl.lit(INLET))
        return mine.with_columns(inlet.alias("inlet"))

    @property
    def has_sockets(self) -> bool:
        """Whether any circuit ends in sockets without a PDU."""
        return bool((self.ends["kind"] == "sockets").any())

    def panels(self) -> pl.DataFrame:
        """Panels that feed circuits (busways or feeds), with the hall if all racks behind one are in the same hall."""
        circuits = self.design.circuits.join(self.design.racks.select("rack", "hall"), on="rack", maintain_order="left")
        halls = circuits.group_by("parent", maintain_order=True).agg(pl.col("hall").unique().alias("halls"))
        hall = pl.when(pl.col("halls").list.len() == 1).then(pl.col("halls").list.first())
        return halls.select(
            pl.lit(self.design.site.site).alias("site"), hall.alias("location"), pl.col("parent").alias("name")
        )

    def feeds(self) -> pl.DataFrame:
        """One per circuit. Utilization is the derating; feeds beyond those that must stay are called redundant."""
        power = self.design.site.facility.power
        circuit = power.circuit
        spare = power.feeds[len(power.feeds) - min(power.survive.feeds, len(power.feeds) - 1) :]
        redundant = pl.col("feed").is_in(spare)
        frame = self.design.circuits.join(
            self.design.racks.select("rack", "hall"), on="rack", how="left", maintain_order="left"
        )
        return frame.select(
            pl.lit(self.design.site.site).alias("site"),
            pl.col("parent").alias("power_panel"),
            pl.col("hall").alias("location"),
            "rack",
            pl.col("circuit").alias("name"),
            pl.lit(status("feed")).alias("status"),
            pl.when(redundant).then(pl.lit("redundant")).otherwise(pl.lit("primary")).alias("type"),
            pl.lit("ac").alias("supply"),
            pl.lit("three-phase" if circuit.phases > 1 else "single-phase").alias("phase"),
            pl.lit(circuit.volts).alias("voltage"),
            pl.lit(circuit.amps).alias("amperage"),
            pl.lit(round(circuit.derating * PERCENT)).alias("max_utilization"),
            pl.format("feed {}", "feed").alias("description"),
        )

    def plugs(self) -> pl.DataFrame:
        """Every supply of a device with the outlet it is plugged into: ``device``, ``psu``, ``holder``, ``outlet``, ``leg``.

        Supplies behind a shelf's own inlet, and those for which a PDU has no outlet left, are not in it.
        """
        ends = self.ends.filter(pl.col("kind") != "shelf").select("circuit", "holder", "kind")
        plugs = self.design.psus.join(ends, on="circuit", maintain_order="left")
        number = pl.int_range(1, pl.len() + 1).over("circuit")
        outlet = pl.when(pl.col("kind") == "sockets").then(pl.concat_str(pl.lit("Socket"), number)).otherwise("outlet")
        leg = pl.col("phase").str.extract(r"^L(\d)").cast(pl.Int64) - 1
        letters = pl.lit(pl.Series(words()["legs"])).gather(leg)
        plugs = plugs.with_columns(outlet.alias("outlet"), letters.alias("leg")).drop_nulls("outlet")
        return plugs.select("device", pl.format("PSU{}", "psu").alias("psu"), "holder", "outlet", "leg", "kind")

    def unplugged(self) -> int:
        """How many supplies find no outlet left on their PDU."""
        pdus = self.ends.filter(pl.col("kind") == "pdu").select("circuit")
        return self.design.psus.filter(pl.col("outlet").is_null()).join(pdus, on="circuit", how="semi").height

    def outlets(self) -> pl.DataFrame:
        """Outlets that no device type brings: those of sockets."""
        mine = self.plugs().filter(pl.col("kind") == "sockets")
        legs = self.design.site.facility.power.circuit.phases > 1
        return mine.select(
            pl.col("holder").alias("device"),
            pl.col("outlet").alias("name"),
            pl.lit(INLET).alias("power_port"),
            (pl.col("leg") if legs else pl.lit(None, pl.String)).alias("feed_leg"),
        )

    def inlets(self) -> pl.DataFrame:
        """Power ports that no device type brings: the second and further inlets of power shelves."""
        return self.ends.filter((pl.col("kind") == "shelf") & (pl.col("port") != INLET)).select(
            pl.col("holder").alias("device"), pl.col("port").alias("name")
        )
