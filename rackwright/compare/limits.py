"""The limit that holds for a node, and how it is read."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from rackwright.compare.per_kind import per_kind
from rackwright.model.check import CALIBRATED, Expectation, Limit
from rackwright.model.design import Node
from rackwright.model.verdict import Finding, Outcome, Unlimited

UNPUBLISHED = "calibrated, no published value"
"""Stands in the source of every finding by a limit that the site made itself."""
ADVISORY = "advisory, of no published healthy machine: "
"""Stands before the source of a limit that refuses nobody."""


def limits_about(expectation: Expectation) -> dict[str, str]:
    """What a limit may be keyed by and the design knows."""
    return described(expectation.node)


def described(node: Node) -> dict[str, str]:
    """The same of a node. The SKU of an accelerator tells model and form factor (``h100-sxm``)."""
    part = node.accelerator
    key = {"server": node.server.sku, "scheduler": node.scheduler}
    if part is not None:
        key |= {"architecture": part.architecture, "accelerator": part.sku, "vendor": part.vendor}
        key["accelerators"] = str(node.accelerators)
    return key


def kind(expectation: Expectation) -> Hashable:
    """Equal for nodes to which the same limits apply: all that `limits_about` tells, in a third of its time."""
    node, part = expectation.node, expectation.node.accelerator
    accelerator_key = (part.architecture, part.sku, part.vendor, node.accelerators) if part is not None else ()
    return id(expectation.limits), node.server.sku, node.scheduler, accelerator_key


@per_kind
def limit(expectation: Expectation, /, metric: str, **key: str) -> Limit | None:
    """The limit of `metric` for this node: by what `limits_about` knows of it, and by `key` (nodes, transport, collective, size, …)."""
    return expectation.limits.find(metric, **(limits_about(expectation) | key))


def advisory(expectation: Expectation, /, metric: str, **key: str) -> bool:
    """Whether the limit of `metric` for this node refuses nobody."""
    row = limit(expectation, metric, **key)
    return row is not None and row.advisory


def no_limit(expectation: Expectation, metric: str, unlimited: Sequence[Unlimited] = ()) -> Finding:
    """What a check says when there is nothing to compare with; `unlimited` are the readings that it leaves unjudged."""
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
    """Where a limit comes from."""
    published = f"{UNPUBLISHED}: " if row.kind == CALIBRATED else ADVISORY if row.advisory else ""
    return f"limit {row.metric}: {published}{row.source}, {row.date}"


def words(row: Limit) -> list[str]:
    """The value of a limit as a list of words."""
    return [str(value) for value in row.value] if isinstance(row.value, list) else [str(row.value)]


def number(row: Limit) -> float:
    """The value of a limit as a number; a row of another type is a mistake in the limits file."""
    if not isinstance(row.value, int | float):
        raise TypeError(f"limit {row.metric} must be a number, found {row.value!r}")
    return row.value
