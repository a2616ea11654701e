"""Facts of the Slurm roles: controllers, sets of equal nodes, and where the key of the cluster lies."""

from __future__ import annotations

from typing import Any

from rackwright.onboard.facts.context import Context


def _fact(name: str) -> Any:
    def fact(context: Context) -> Any:
        return context.slurm.get(f"slurm_config_{name}")

    return fact


SITE_FACTS = {
    f"slurm_{name}": _fact(name) for name in ("cluster", "controllers", "sets", "partitions", "munge_key_file")
}
