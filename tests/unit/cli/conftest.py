"""Many commands name the same few sites: each is expanded once per worker."""

from __future__ import annotations

import pytest

from rackwright import design
from rackwright.catalog import Catalog
from rackwright.model.design import Design
from rackwright.model.site import Site

DESIGNS: list[tuple[Site, Catalog, Design]] = []


@pytest.fixture(autouse=True)
def _expand_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A design is frozen, and computing it takes a tenth of a second; tests/unit/design looks at what is computed."""
    compute = design.expand

    def expand(site: Site, catalog: Catalog) -> Design:
        for expanded, parts, computed in DESIGNS:
            if expanded == site and parts == catalog:
                return computed
        DESIGNS.append((site, catalog, compute(site, catalog)))
        return DESIGNS[-1][2]

    monkeypatch.setattr(design, "expand", expand)
