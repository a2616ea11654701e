from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rackwright import catalog, design
from rackwright.base import yaml_text
from rackwright.model.design import Design
from rackwright.model.site import Site


@pytest.fixture(scope="session")
def parts_catalog() -> catalog.Catalog:
    return catalog.load()


@pytest.fixture
def data(example_site) -> dict[str, Any]:
    return yaml_text.load(example_site.read_text())


@pytest.fixture
def expanded(data, parts_catalog) -> Callable[..., Design]:
    """The example site with one change made to its data, expanded."""

    def expand(change: Callable[[dict[str, Any]], None] = lambda data: None) -> Design:
        change(data)
        return design.expand(Site.model_validate(data), parts_catalog)

    return expand


@pytest.fixture(scope="session")
def example(example_site, parts_catalog) -> Design:
    return design.expand(Site.model_validate(yaml_text.load(example_site.read_text())), parts_catalog)


@pytest.fixture
def plain(expanded) -> Callable[..., Design]:
    """The example site without plant, jobs, terms and phases, with one change made to its data, expanded."""

    def expand(change: Callable[[dict[str, Any]], None] = lambda data: None) -> Design:
        def both(data: dict[str, Any]) -> None:
            for key in ("workloads", "economics", "operations", "deployment"):
                data.pop(key, None)
            for key in ("liquid", "air"):
                data["facility"].pop(key, None)
            for key in ("ups", "busway", "rack_pdu", "design_share"):
                data["facility"]["power"].pop(key, None)
            change(data)

        return expanded(both)

    return expand
