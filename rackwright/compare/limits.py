"""Looks up the limit for a node, and reads its value."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from rackwright.compare.per_kind import per_kind
from rackwright.model.check import CALIBRATED, Expectation, Limit
from rackwright.model.design import Node
from rackwright.model.verdict import Finding, Outcome, Unlimited

UNPUBLISHED = "calibrated, no published value"
"""Part of the source in every finding by a limit that the site calibrated itself."""
ADVISORY = "advisory, of no published healthy machine: "
"""Precedes the source of a limit that refuses no node."""


def limits_about(expectation: Expectation) -> dict[str, str]:
    """The keys of limits that the design determines for the node of `expectation`."""
    return described(expectation.node)


def described(node: Node) -> dict[str, str]:
    """The keys of limits for a node. The SKU of an accelerator includes its model and form factor (``h100-sxm``)."""
    part = node.accelerator
    key = {"server": node.server.sku, "scheduler": node.scheduler}
    if part is not None:
        key |= {"architecture": part.architecture, "accelerator": part.sku, "vendor": part.vendor}
        key["accelerators"] = str(node.accelerators)
    return key


def kind(expectation: Expectation) -> Hashable:
    """Key that is equal for nodes with the same limits: all of `limits_about`, in a third of its time."""
    node, part = expectation.node, expectation.node.accelerator
    accelerator_key = (part.architecture, part.sku, part.vendor, node.accelerators) if part is not None else ()
    return id(expectation.limits), node.server.sku, node.scheduler, accelerator_key


@per_kind
def limit(expectation: Expectation, /, metric: str, **key: str) -> Limit | None:
    """The limit of `metric` for this node, by its `limits_about` and by `key` (nodes, transport, collective, size, …);
    None without one.
    """
    return expectation.limits.find(metric, **(limits_about(expectation) | key))


def advisory(expectation: Expectation, /, metric: str, **key: str) -> bool:
    """Whether the limit of `metric` for this node is advisory, so that it refuses no node."""
    row = limit(expectation, metric, **key)
    return row is not None and row.advisory


def no_limit(expectation: Expectation, metric: str, unlimited: Sequence[Unlimited] = ()) -> Finding:
    """The inconclusive finding for a missing limit; `unlimited` are the readings that remain unjudged."""
    server = expectation.node.server.sku
    lapsed = expectation.limits.lapsed.get(server, "") if unlimited else ""
    says = f"{expectation.subject}: no limit for {metric} on {server}, so nothing can be judged" + (
        f" (its calibration does not count: {lapsed})" if lapsed else ""
    )
    step = f"calibrate {server}: docs/how-to/accept-nodes.md, A server for which nobody has published limits"
    return Finding(
        outcome=Outcome.INCONCLUSIVE, observed="", expected=f"a row for {metric}", source="", says=says,
        next_step=step if unlimited else "", unlimited=list(unlimited),
    )  # fmt: skip


def limit_source(row: Limit) -> str:
    """Source of a limit, in words."""
    published = f"{UNPUBLISHED}: " if row.kind == CALIBRATED else ADVISORY if row.advisory else ""
    return f"limit {row.metric}: {published}{row.source}, {row.date}"


def words(row: Limit) -> list[str]:
    """The value of a limit as a list of words."""
    return [str(value) for value in row.value] if isinstance(row.value, list) else [str(row.value)]


def number(row: Limit) -> float:
    """The value of a limit as a number; TypeError for any other value, which is a mistake in the limits file."""
    if not isinstance(row.value, int | float):
        raise TypeError(f"limit {row.metric} must be a number, found {row.value!r}")
    return row.value
