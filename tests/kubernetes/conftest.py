from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.conftest import KUBERNETES
from tests.kubernetes.control_plane import ControlPlane, running


@pytest.fixture(scope="session")
def plane(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlPlane]:
    """One API server for every test of the group, with the kinds of what tests apply."""
    with running(tmp_path_factory.mktemp("control-plane")) as plane:
        for name in ("kueue", "jobset", "lws"):
            plane.define(KUBERNETES / "crds" / name)
        yield plane
