from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rackwright.design.topology import Network
from rackwright.model.site import Site
from tests.unit.design.topology.sites import built, described


@pytest.fixture
def described_site(data) -> Callable[..., Site]:
    def make(server: str = "dgx-h100", count: int = 32, unit: int = 32, per_rack: int = 4, **fabric: Any) -> Site:
        return described(data, server, count, unit, per_rack, fabric)

    return make


@pytest.fixture
def network(described_site, parts_catalog) -> Callable[..., Network]:
    """The compute fabric of such a site, wired."""

    def make(*args: Any, **fabric: Any) -> Network:
        return built(described_site(*args, **fabric), parts_catalog)[0]

    return make
