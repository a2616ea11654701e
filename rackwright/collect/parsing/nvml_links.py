"""The links of accelerators in the probe's dump of NVML, as columns."""

from __future__ import annotations

from typing import Any, NamedTuple

ACTIVE = 1
PEERS = {0: "gpu", 1: "npu", 2: "switch"}

Readings = dict[str, Any]


class NvlinkColumns(NamedTuple):
    """The links of a device as columns; each column omits links whose value was not read."""

    active: list[bool]
    crc: list[int]
    mbytes_per_s: list[int]
    replays: list[int]
    recoveries: list[int]
    peers: list[str]


def columns(links: list[Readings]) -> NvlinkColumns:
    """The columns of `links`, each a mapping of readings."""

    def each(name: str) -> list[Any]:
        return [value for link in links if (value := _value(link, name)) is not None]

    return NvlinkColumns(
        [_value(link, "state") == ACTIVE for link in links],
        each("crc_flit"),
        each("speed_mbps"),
        each("replay"),
        each("recovery"),
        [PEERS.get(peer, "unknown") for peer in each("remote_type")],
    )


def _value(readings: Readings, name: str) -> Any:
    return readings.get(name, {}).get("value")
