"""The losses that the site declares to survive, compared with the simulated losses.

A site declares one kind at a time; losses of two kinds at once are never covered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rackwright.design.whatif.scenario import Loss
from rackwright.model.design import Design


@dataclass(frozen=True)
class Declared:
    """What the site declares about these losses, as sentences, and whether it covers all of them."""

    statements: list[str]
    covers: bool


def matching_declarations(design: Design, losses: Sequence[Loss]) -> Declared:
    """The declarations of `design` about `losses`."""
    allowed = _declared_losses(design)
    counts = Counter(loss.kind for loss in losses)
    statements, covered = [], []
    for kind in counts:
        if kind not in allowed:
            covered.append(False)
            continue
        path, most = allowed[kind]
        worst = _most_losses(kind, losses)
        covered.append(worst <= most)
        verdict = "covers this" if worst <= most else f"does not cover {worst}"
        statements.append(f"{path}: {most} {verdict}")
    return Declared(statements, len(counts) == 1 and all(covered))


def _most_losses(kind: str, losses: Sequence[Loss]) -> int:
    """The most losses that one owner has: UPS of a feed, supplies of a device, PDUs of a rack, pumps of a CDU; of other kinds all."""
    names = [loss.name for loss in losses if loss.kind == kind]
    owners: dict[str, Callable[[str], str]] = {
        "ups": _owner_of,
        "psu": _owner_of,
        "pdu": _rack,
        "circuit": _rack,
        "pump": str,
    }
    owner = owners.get(kind)
    return max(Counter(owner(name) for name in names).values()) if owner else len(names)


def _owner_of(name: str) -> str:
    return name.rpartition("-")[0]


def _rack(name: str) -> str:
    return "-".join(name.split("-")[:2])


def _declared_losses(design: Design) -> dict[str, tuple[str, int]]:
    facility = design.site.facility
    power = facility.power.survive
    allowed = {
        "feed": ("facility.power.survive.feeds", power.feeds),
        "ups": ("facility.power.survive.ups", power.ups),
        "pdu": ("facility.power.survive.pdus", power.pdus),
        "circuit": ("facility.power.survive.pdus", power.pdus),
        "psu": ("facility.power.survive.psus", power.psus),
    }
    if facility.liquid:
        allowed["cdu"] = ("facility.liquid.survive.cdus", facility.liquid.survive.cdus)
        allowed["pump"] = ("facility.liquid.survive.pumps", facility.liquid.survive.pumps)
    if facility.air:
        allowed["crah"] = ("facility.air.survive.crahs", facility.air.survive.crahs)
    return allowed
