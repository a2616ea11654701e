"""Exports: the design in the formats of other tools.

Pure; the command writes them. A target is one module with ``export``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module

from rackwright.export.export_request import ExportRequest
from rackwright.export.file import ExportFile
from rackwright.model.design import Design

__all__ = ["TARGETS", "ExportFile", "ExportRequest", "export"]

TARGETS: Mapping[str, str] = {
    "netbox": "netbox",
    "ibsim": "infiniband.ibsim",
    "ibnetdiscover": "infiniband.plan",
    "slurm": "slurm",
    "kubernetes": "kubernetes",
    "graph": "graph",
    "switches": "switches",
    "opensm": "infiniband.manager",
    "install": "install",
    "xlsx": "workbook",
    "existing": "existing",
}
"""Where each target is made."""


def export(design: Design, target: str, request: ExportRequest) -> list[ExportFile]:
    """The files of `target` (a key of `TARGETS`).

    Raises `UsageError` for a fabric, pool or scheme that the site lacks or that does not fit the target, `ProblemsError` for
    names that the format cannot hold.
    """
    make: Callable[[Design, ExportRequest], list[ExportFile]] = import_module(f"{__name__}.{TARGETS[target]}").export
    return make(design, request)
