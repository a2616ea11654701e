from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from rackwright import catalog, design, onboard, spec
from rackwright.base.workspace import Workspace
from rackwright.model.access import Access, Secret
from rackwright.model.design import Design
from rackwright.model.inventory import Inventory

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def example(example_site: Path) -> Design:
    loaded = spec.load(example_site)
    return design.expand(loaded.site, catalog.load())


@pytest.fixture
def access(tmp_path: Path) -> Access:
    return Access("root", tmp_path / "id", tmp_path / "known hosts", "admin", Secret("bmc-password"), None)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path / "work")


@pytest.fixture
def inventory(example: Design, access: Access, workspace: Workspace) -> Inventory:
    nodes = ["train-001", "train-002", "slurm-01", "ufm-01"]
    return onboard.inventory(example, nodes, access, {"munge_key": onboard.munge_key(workspace)})


@pytest.fixture(scope="session")
def role_module() -> Callable[[str], ModuleType]:
    """A module of ``roles/library``, which is no package: Ansible copies single files to the hosts."""

    def load(name: str) -> ModuleType:
        result = importlib.util.spec_from_file_location(
            f"role_module_{name}", ROOT / "roles" / "library" / f"{name}.py"
        )
        assert result is not None
        assert result.loader is not None
        module = importlib.util.module_from_spec(result)
        result.loader.exec_module(module)
        return module

    return load
