"""The control plane of Slurm: what its roles would refuse."""

from __future__ import annotations

from collections.abc import Iterator

from rackwright.base.errors import Problem
from rackwright.catalog import Catalog
from rackwright.model.site import Site
from rackwright.spec.crosscheck.problem import problem

SHARED = "slurm_config_state_shared"
"""Option of the role ``slurm_config``: the state folder lies on storage that all controllers share."""


def check(site: Site, _catalog: Catalog) -> Iterator[Problem]:
    """A second controller takes over from the state folder of the first, so both must reach it."""
    slurm = site.control.slurm
    if slurm is None or slurm.controllers.count < 2 or site.software.options.get(SHARED) is True:
        return
    expected = f"one controller, or software.options.{SHARED}: true"
    step = f"lower the count to 1, or mount one state folder on all controllers and set software.options.{SHARED}"
    message = "a second Slurm controller needs the state of the first, and nothing here provides shared storage for it"
    yield problem(
        "control.slurm.controllers.count", "no_shared_state", message, expected, str(slurm.controllers.count), step
    )
