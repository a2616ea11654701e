"""What facts are computed from: the design, and files with secrets by the name of their path."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from rackwright.model.design import Design
from rackwright.onboard import slurm


@dataclass(frozen=True)
class Context:
    """The inputs of every fact."""

    design: Design
    files: Mapping[str, Path]
    """Files on the controller that roles copy (``munge_key``); only their paths enter the inventory."""

    @cached_property
    def slurm(self) -> dict[str, Any]:
        """The variables of the Slurm roles, the same for every host of the site."""
        return slurm.slurm_variables(self.design, self.files["munge_key"])
