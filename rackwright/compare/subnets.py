"""The cables between switches: what a subnet shows of them beside the plan, as tables. In: an expectation, a subnet. Out: tables, ends, sentences.

Cut from `network`, whose checks look at the ports of one node: here a check looks at half a million ends at once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

import polars as pl

from rackwright.model.check import Expectation
from rackwright.model.evidence.fabric import LinkTable, Subnet

End = tuple[str, int]
"""Switch and port number."""
END = ("switch", "number")
FAR = ("far_switch", "far_number")


@dataclass(frozen=True)
class Trunk:
    """One planned cable between two switches, seen from one of them."""

    cable: str
    far: End


def named(column: str) -> pl.Expr:
    """`compare.switch_name` of a column of descriptions."""
    return pl.coalesce(pl.col(column).str.extract("^MF0;([^:]*)"), pl.col(column))


def at_switches(subnet: Subnet) -> pl.DataFrame:
    """Every end of a link at a switch: the columns of its links, with the name of the switch as ``switch`` and the port as ``number``."""
    shown = subnet.links.frame.filter(pl.col("kind") == "Switch")
    return shown.with_columns(named("name").alias("switch"), pl.col("port").alias("number"))


def between(subnet: Subnet) -> pl.DataFrame:
    """Switch ports with the switch ports at the other end, as the subnet shows them: columns `END` and `FAR`."""
    shown = at_switches(subnet).filter(pl.col("remote_kind") == "Switch")
    far = named("remote_name").alias("far_switch"), pl.col("remote_port").alias("far_number")
    return shown.select(*END, *far).unique(END, keep="last")


def planned(expectation: Expectation, subnet: Subnet) -> pl.DataFrame:
    """Planned cables between switches of which the subnet shows at least one, from both ends: another plane is not its matter."""
    shown = at_switches(subnet)["switch"].unique().implode()
    trunks = expectation.wiring.switch_ports.filter(pl.col("far_switch").is_not_null())
    return trunks.filter(pl.col("switch").is_in(shown) | pl.col("far_switch").is_in(shown))


def misplaced(wanted: pl.DataFrame, found: pl.DataFrame) -> tuple[dict[End, Trunk], dict[End, End]]:
    """Planned ends that are not where they belong, and what is found at these ends and at those where they belong.

    `wanted` as `planned` gives it, `found` as `between` does.
    """
    same = pl.all_horizontal(pl.col(name).eq_missing(pl.col(f"{name}_found")) for name in FAR)
    wrong = wanted.join(found, on=END, how="left", suffix="_found").filter(~same)
    trunks = {
        (row[0], row[1]): Trunk(row[2], (row[3], row[4])) for row in wrong.select(*END, "cable", *FAR).iter_rows()
    }
    asked = pl.concat([wrong.select(END), wrong.select(switch="far_switch", number="far_number")])
    there = found.join(asked, on=END, how="semi")
    return trunks, {(row[0], row[1]): (row[2], row[3]) for row in there.select(*END, *FAR).iter_rows()}


def known_as(subnet: Subnet, guids: Collection[str]) -> LinkTable:
    """The ends that bear one of `guids`."""
    return LinkTable(subnet.links.frame.filter(pl.col("guid").is_in(list(guids))))


def rated(
    expectation: Expectation, subnet: Subnet, rate: Callable[[str], float | None]
) -> tuple[list[str], list[tuple[str, str, float | None, int]]]:
    """Planned ends between switches that are connected. At least as fast as planned: their places; the others: place, printed speed, its Gb/s, planned
    Gb/s. `rate` gives the Gb/s of a printed speed, None for one that it does not know."""
    shown = at_switches(subnet).filter(pl.col("remote_kind") == "Switch")
    ends = shown.join(planned(expectation, subnet), on=END, maintain_order="left")
    known = {speed: rate(speed) for speed in ends["speed"].unique()}
    place = pl.format("cable {} at {} port {}", "cable", *END).alias("place")
    found = pl.col("speed").replace_strict(known, return_dtype=pl.Float64).alias("found")
    told = ends.select(place, "speed", found, "gbps")
    good = (pl.col("found") >= pl.col("gbps")).fill_null(False)
    return told.filter(good)["place"].to_list(), told.filter(~good).rows()


def strangers(expectation: Expectation, subnet: Subnet) -> tuple[list[tuple[str, str]], list[tuple[str, str, int]]]:
    """Switches that are not of the plan, by description and GUID; and what is in ports planned to be free: description, switch, port number."""
    plan = expectation.wiring.switch_ports
    shown = at_switches(subnet).join(plan, on=END, how="anti")
    ours = pl.col("switch").is_in(plan["switch"].unique().implode())
    unknown, free = shown.filter(~ours).select("name", "guid"), shown.filter(ours).select("remote_name", *END)
    return unknown.unique(maintain_order=True).rows(), free.rows()


def ends(shown: Mapping[str, Subnet]) -> set[End]:
    """Every switch port that has another switch behind it in one of the subnets."""
    return {(row[0], row[1]) for subnet in shown.values() for row in between(subnet).select(END).iter_rows()}
