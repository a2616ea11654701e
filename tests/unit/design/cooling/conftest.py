from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rackwright import catalog, design
from rackwright.base import yaml_text
from rackwright.model.design import Design
from rackwright.model.site import Site
from tests.unit.design.cooling.parts import wet_site


@pytest.fixture
def wet(example_site) -> dict[str, Any]:
    return wet_site(yaml_text.load(example_site.read_text()))


@pytest.fixture
def cooled(wet) -> Callable[..., Design]:
    """The site above with one change made to its data, expanded."""

    def expand(change: Callable[[dict[str, Any]], Any] = lambda data: None) -> Design:
        change(wet)
        site = Site.model_validate(wet)
        return design.expand(site, catalog.load(site.catalog))

    return expand
