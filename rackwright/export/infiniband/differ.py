"""Differences between a live subnet and the plan: cables that are missing, unplanned or swapped.

It only reports; verdicts come from the checks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from rackwright.export.infiniband import rates

End = tuple[str, int]
"""Name of a node and number of its port."""


@dataclass(frozen=True)
class CableDifference:
    """One cable that is not as planned."""

    kind: str
    """missing, extra, swapped, speed."""
    a: End
    b: End
    """The planned ends; of an extra cable the seen ones."""
    found: str
    """What was seen instead, in words."""

    def __str__(self) -> str:
        return f"{self.kind:<8}{_end(self.a)} - {_end(self.b)}: {self.found}"


def differences(plan: pl.DataFrame, observed: pl.DataFrame) -> list[CableDifference]:
    """All differences between `plan` and `observed` (columns of `plan.COLUMNS`), planned cables first, in plan order.

    A planned cable is swapped when one of its ends is plugged elsewhere, missing when neither end is. Rates are compared where both sides state one.
    """
    planned_ends, observed_ends = _by_end(plan), _by_end(observed)
    return [*_planned_differences(plan, planned_ends, observed_ends), *_unplanned_links(observed, planned_ends)]


def _by_end(links: pl.DataFrame) -> dict[End, tuple[End, str]]:
    by_end: dict[End, tuple[End, str]] = {}
    for switch, port, peer, peer_port, speed in links.select(
        "switch", "port", "peer", "peer_port", "speed"
    ).iter_rows():
        by_end[switch, port] = ((peer, peer_port), speed)
        by_end[peer, peer_port] = ((switch, port), speed)
    return by_end


Ends = dict[End, tuple[End, str]]


def _planned_differences(plan: pl.DataFrame, planned_ends: Ends, observed_ends: Ends) -> Iterator[CableDifference]:
    for switch, port in plan.select("switch", "port").iter_rows():
        a: End = (switch, port)
        b, speed = planned_ends[a]
        actual = observed_ends.get(a)
        if actual is not None and actual[0] == b:
            if _rates_differ(speed, actual[1]):
                yield CableDifference("speed", a, b, f"runs at {actual[1]} instead of {speed}")
            continue
        elsewhere = [
            f"{_end(end)} is plugged into {_end(observed_ends[end][0])}" for end in (a, b) if end in observed_ends
        ]
        if elsewhere:
            yield CableDifference("swapped", a, b, ", ".join(elsewhere))
        else:
            yield CableDifference("missing", a, b, "no link at either end")


def _unplanned_links(observed: pl.DataFrame, planned_ends: Ends) -> Iterator[CableDifference]:
    """Links without a planned cable at either end; all others are reported as swapped."""
    for switch, port, peer, peer_port in observed.select("switch", "port", "peer", "peer_port").iter_rows():
        a, b = (switch, port), (peer, peer_port)
        if a not in planned_ends and b not in planned_ends:
            yield CableDifference("extra", a, b, "no cable is planned here")


def _rates_differ(planned_rate: str, observed_rate: str) -> bool:
    """Whether two rates that are both known differ; eight lanes of HDR are as fast as four of NDR."""
    a, b = rates.gbps(planned_rate), rates.gbps(observed_rate)
    return a is not None and b is not None and a != b


def _end(end: End) -> str:
    return f"{end[0]}[{end[1]}]"
