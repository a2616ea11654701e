"""The records of the fabric drawings: devices grouped into tiles, cables into bands."""

from __future__ import annotations

from rackwright.model.base import Record


class Tile(Record):
    """Devices of a fabric that are drawn as one box."""

    key: str
    tier: str
    """host, leaf, spine, core, or other for switches of another fabric."""
    label: str
    count: int
    noun: str
    """What they are: a switch SKU, ``nodes``, or the role of control servers."""
    first: str
    last: str
    """Names of the first and the last of them."""


class Band(Record):
    """All cables between two tiles."""

    a: str
    b: str
    cables: int
    gbps: int
    """Of one cable, per direction."""
    pairs: int
    """Pairs of devices that they join."""


class Column(Record):
    """Switches that reach each other without the tier above, with their hosts: a pod, a plane, a rail, a group, a rack."""

    label: str
    alike: int
    """Equal columns that this one is drawn for, itself included."""
    tiles: list[Tile]


class Graph(Record):
    """A fabric at one level of detail."""

    name: str
    title: str
    columns: list[Column]
    shared: list[Tile]
    """Tiles that belong to no single column: cores, hosts with a port in every plane, switches of other fabrics."""
    ring: list[Tile]
    """One tile per member of a mesh; drawn as a ring instead of the columns."""
    bands: list[Band]
    facts: list[str]


class FabricPicture(Record):
    """One fabric: the whole, and if that is coarse, one part of it switch by switch."""

    name: str
    graphs: list[Graph]
