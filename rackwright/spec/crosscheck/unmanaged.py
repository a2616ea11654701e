"""Unmanaged devices: known, with every figure that racks and circuits need."""

from __future__ import annotations

from collections.abc import Iterator

from rackwright.base.errors import Problem
from rackwright.catalog import Catalog
from rackwright.model.device import FIGURES, UnmanagedDevices
from rackwright.model.site import Site
from rackwright.spec.crosscheck import parts
from rackwright.spec.crosscheck.problem import problem


def check(site: Site, catalog: Catalog) -> Iterator[Problem]:
    """Every set of unmanaged devices."""
    first: dict[str, UnmanagedDevices] = {}
    for i, entry in enumerate(site.unmanaged):
        yield from parts.unknown(f"unmanaged[{i}].device", entry.device, "device", catalog.devices, catalog)
        for figure in FIGURES if entry.device in catalog.devices else ():
            path = f"unmanaged[{i}].{figure}"
            same = first.setdefault(entry.device, entry)
            if not (getattr(entry, figure) or getattr(catalog.devices[entry.device], figure)):
                message = f"{figure} of {entry.device} is not published, so that it can be neither placed nor powered"
                step = "state it here, from the papers of the maker or as it was measured"
                yield problem(path, "unpublished_figure", message, f"{figure} of one device", "none", step)
            elif getattr(same, figure) != getattr(entry, figure):
                expected = f"{figure} as in the entry {same.name}"
                step = "state the same in both, or declare one of them under catalog in this file"
                yield problem(
                    path, "two_figures", f"{entry.device} has two values", expected, str(getattr(entry, figure)), step
                )
