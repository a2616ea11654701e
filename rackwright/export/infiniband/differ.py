"""Where a live subnet differs from the plan: cables that are missing, that nobody planned, and that are swapped.

It names; it does not judge: verdicts come from the checks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from rackwright.export.infiniband import rates

End = tuple[str, int]
"""Name of a node and number of its port."""


@dataclass(frozen=True)
class Difference:
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


def differences(plan: pl.DataFrame, seen: pl.DataFrame) -> list[Difference]:
    """All differences between `plan` and `seen` (columns of `plan.COLUMNS`), planned cables first, in plan order.

    A planned cable is swapped when one of its ends is plugged elsewhere, missing when neither end is. Rates are compared
    where both sides state one.
    """
    wanted, there = _by_end(plan), _by_end(seen)
    return [*_planned(plan, wanted, there), *_extra(seen, wanted)]


def _by_end(links: pl.DataFrame) -> dict[End, tuple[End, str]]:
    found: dict[End, tuple[End, str]] = {}
    for switch, port, peer, peer_port, speed in links.select(
        "switch", "port", "peer", "peer_port", "speed"
    ).iter_rows():
        found[switch, port] = ((peer, peer_port), speed)
        found[peer, peer_port] = ((switch, port), speed)
    return found


Ends = dict[End, tuple[End, str]]


def _planned(plan: pl.DataFrame, wanted: Ends, there: Ends) -> Iterator[Difference]:
    for switch, port in plan.select("switch", "port").iter_rows():
        a: End = (switch, port)
        b, speed = wanted[a]
        found = there.get(a)
        if found is not None and found[0] == b:
            if _slower(speed, found[1]):
                yield Difference("speed", a, b, f"runs at {found[1]} instead of {speed}")
            continue
        elsewhere = [f"{_end(one)} is plugged into {_end(there[one][0])}" for one in (a, b) if one in there]
        if elsewhere:
            yield Difference("swapped", a, b, ", ".join(elsewhere))
        else:
            yield Difference("missing", a, b, "no link at either end")


def _extra(seen: pl.DataFrame, wanted: Ends) -> Iterator[Difference]:
    """Links of which neither end has a planned cable; others are told as swapped."""
    for switch, port, peer, peer_port in seen.select("switch", "port", "peer", "peer_port").iter_rows():
        a, b = (switch, port), (peer, peer_port)
        if a not in wanted and b not in wanted:
            yield Difference("extra", a, b, "no cable is planned here")


def _slower(wanted: str, found: str) -> bool:
    """Whether two rates that are both known differ; eight lanes of HDR are as fast as four of NDR."""
    a, b = rates.gbps(wanted), rates.gbps(found)
    return a is not None and b is not None and a != b


def _end(end: End) -> str:
    return f"{end[0]}[{end[1]}]"
