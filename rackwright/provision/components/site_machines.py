"""What the stacks of machines (``stacks/site``) report about the site, for a stack that builds on them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import pulumi

from rackwright.platform.stack_plan import StackPlan


class SiteMachines:
    """The stacks `names`, in full (``organization/rackwright-site/NAME``): one of the whole site, or one for each scalable unit."""

    @classmethod
    def of_stacks(cls, names: Sequence[str], plan: StackPlan) -> SiteMachines | None:
        """The stacks that the platform of `plan` builds on; None without names."""
        return cls(names, plan.site, [entry["metadata"]["name"] for entry in plan.nodes()]) if names else None

    def __init__(self, names: Sequence[str], site: str, nodes: Collection[str]) -> None:
        """`nodes`: those that the building stack gives something to."""
        references = [pulumi.StackReference(name) for name in names]
        outputs = pulumi.Output.all(*(reference.outputs for reference in references))
        self.reported = outputs.apply(lambda by_stack: _reported(dict(zip(names, by_stack, strict=True)), site, nodes))
        """``differ`` and ``missing``, see `missing_and_different`. It fails where a stack is of another site, and everything that uses it with it."""


def _reported(by_stack: Mapping[str, Mapping[str, Any]], site: str, nodes: Collection[str]) -> dict[str, Any]:
    if problems := list(of_other_sites(by_stack, site)):
        raise pulumi.RunError("; ".join(problems))
    return missing_and_different(by_stack, nodes)


def of_other_sites(by_stack: Mapping[str, Mapping[str, Any]], site: str) -> Iterator[str]:
    """One sentence for each stack whose outputs are of another site than `site`; a stack without outputs was only previewed."""
    for name, outputs in by_stack.items():
        if outputs.get("site", site) != site:
            yield (
                f"rackwright:site_stacks: {name} has the machines of site {outputs['site']}, expected {site}: "
                "name the stacks of this site (`pulumi stack ls --all`)"
            )


def missing_and_different(
    by_stack: Mapping[str, Mapping[str, Any]], nodes: Collection[str]
) -> dict[str, dict[str, list[str]] | list[str]]:
    """``differ``: the reasons, by name, why one of `nodes` is another machine than declared; ``missing``: those of `nodes` that no stack has."""
    present = {node for outputs in by_stack.values() for node in outputs.get("nodes") or {}}
    reasons = {node: why for outputs in by_stack.values() for node, why in (outputs.get("mismatches") or {}).items()}
    return {
        "differ": {node: list(reasons[node]) for node in nodes if node in reasons},
        "missing": [node for node in nodes if node not in present],
    }
