"""What facts are computed from: the design, and files with secrets by the name of their path."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rackwright.model.design import Design


@dataclass(frozen=True)
class Context:
    """The inputs of every fact."""

    design: Design
    files: Mapping[str, Path]
    """Files on the controller that roles copy (``munge_key``); only their paths enter the inventory."""
