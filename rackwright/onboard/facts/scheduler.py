"""Facts of the Slurm roles: controllers, sets of equal nodes, where the key of the cluster lies; and which schedulers the site has at all."""

from __future__ import annotations

from typing import Any

from rackwright.onboard.facts.context import Context


def _fact(name: str) -> Any:
    def fact(context: Context) -> Any:
        return context.slurm.get(f"slurm_config_{name}")

    return fact


def _has_slurm(context: Context) -> bool | None:
    return True if context.design.site.control.slurm else None


def _has_kubernetes(context: Context) -> bool | None:
    return True if context.design.site.control.kubernetes else None


SITE_FACTS = {
    f"slurm_{name}": _fact(name) for name in ("cluster", "controllers", "sets", "partitions", "munge_key_file")
} | {"has_slurm": _has_slurm, "has_kubernetes": _has_kubernetes}
