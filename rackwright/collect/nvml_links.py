"""The links of accelerators in the probe's dump of NVML: as columns, and each text that says the same read once. Pure.

In: the dump, or the links of a device. Out: a shorter dump, `Links`. Cut from the collector because four fifths of a dump are links.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any, NamedTuple

from rackwright.collect.collector import ParseError

ARRAY, ARRAY_END = '"nvlink": {"value": [', "]}"
"""How the probe writes the links of a device (json.dumps)."""
WORD = "\x7fnvlink"
"""Stands for an array; the probe writes no such character."""
MOST_ARRAYS = 8
FAULTS = (ParseError, ValueError, KeyError, TypeError, AttributeError)
"""What a document that is no dump raises."""
ACTIVE = 1
PEERS = {0: "gpu", 1: "npu", 2: "switch"}

Readings = dict[str, Any]


class Links(NamedTuple):
    """The links of a device, each column without what was not read."""

    active: list[bool]
    crc: list[int]
    mbytes_per_s: list[int]
    replays: list[int]
    recoveries: list[int]
    peers: list[str]


def shortened(output: str) -> tuple[str, dict[str, Links]]:
    """The document with a word in the place of each array of links, and what the words stand for.

    Four fifths of a dump are links, and all of a healthy fleet say the same: each such text is read once. An array cannot be the
    beginning of a longer one, and its text, which has quotation marks, cannot stand within a string.
    """
    known: dict[str, Links] = {}
    while len(known) < MOST_ARRAYS and (at := output.find(ARRAY)) >= 0 and WORD not in output[:at]:
        begin = at + len(ARRAY) - 1
        text = output[begin : output.find(ARRAY_END, begin) + 1]
        links = _links_of(text)
        if links is None:
            break
        word = f"{WORD}{len(known)}"
        known[word] = links
        output = output.replace(text, f'"{word}"')
    return output, known


@lru_cache(maxsize=256)
def _links_of(text: str) -> Links | None:
    try:
        return columns(json.loads(text))
    except FAULTS:
        return None


def columns(links: list[Readings]) -> Links:
    """The links of a device, each of them a mapping of readings."""

    def each(name: str) -> list[Any]:
        return [value for link in links if (value := _value(link, name)) is not None]

    return Links(
        [_value(link, "state") == ACTIVE for link in links],
        each("crc_flit"),
        each("speed_mbps"),
        each("replay"),
        each("recovery"),
        [PEERS.get(peer, "unknown") for peer in each("remote_type")],
    )


def _value(readings: Readings, name: str) -> Any:
    return readings.get(name, {}).get("value")
