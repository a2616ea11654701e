"""A consequence in words: what goes down, what is left, what is fullest, what fails."""

from __future__ import annotations

from collections.abc import Iterator

from rackwright.design.whatif.result import Consequence, FabricLeft, Load

NAMED = 5
"""Devices that are called by name."""
FULL = 0.99995
"""A share that rounds to 100.00 percent is all of it."""


def sentences(one: Consequence) -> Iterator[str]:
    """One sentence for each thing that follows."""
    yield f"Without {' and '.join(one.lost)} {_down(one)}; {_left(one)}."
    fullest = max(one.loads, key=lambda load: load.share, default=None)
    if fullest:
        yield f"Fullest is {_load(fullest)}."
    hurt = [fabric for fabric in one.fabrics if fabric.bisection_share < FULL or fabric.nodes_slowed]
    yield from (_fabric(fabric) for fabric in hurt)
    if one.must_survive and not one.survives:
        yield f"The site declares to survive this ({', '.join(one.declared)}), and does not."
    elif one.declared:
        yield f"Declared: {', '.join(one.declared)}."
    else:
        yield "The site declares nothing about such a loss."


def _down(one: Consequence) -> str:
    if not one.devices_down and not one.nodes_cut_off:
        return "nothing goes down"
    names = one.devices_down
    said = []
    if names:
        listed = ", ".join(names[:NAMED]) + (f" and {len(names) - NAMED} more" if len(names) > NAMED else "")
        said.append(
            f"{len(names)} device{'' if len(names) == 1 else 's'} go{'es' if len(names) == 1 else ''} down ({listed})"
        )
    if one.nodes_cut_off:
        said.append(f"{one.nodes_cut_off} node{' is' if one.nodes_cut_off == 1 else 's are'} cut off")
    return " and ".join(said)


def _left(one: Consequence) -> str:
    return (
        f"{one.nodes_left} of {one.nodes} nodes and {one.accelerators_left} of {one.accelerators} accelerators are left"
    )


def _load(load: Load) -> str:
    return f"{load.kind} {load.element} with {load.load:,.1f} of {load.capacity:,.1f} {load.unit} ({load.share:.0%})"


def _fabric(fabric: FabricLeft) -> str:
    slowed = f", {fabric.nodes_slowed} nodes keep fewer links" if fabric.nodes_slowed else ""
    return f"{fabric.fabric} keeps {fabric.bisection_share:.1%} of its bisection ({fabric.bisection_gbps:,.0f} Gb/s){slowed}."
