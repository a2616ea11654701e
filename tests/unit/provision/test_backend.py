from __future__ import annotations

from pathlib import Path

from rackwright.base import yaml_text
from rackwright.base.workspace import Workspace
from rackwright.model.access import Access, Secret
from rackwright.model.control import Bmc
from rackwright.provision.backend import Backend, account

ACCESS = Access("root", Path("/x"), Path("/x"), "admin", Secret("very secret"), None)


def test_the_passphrase_is_made_once_and_private(tmp_path: Path) -> None:
    Backend.of(Workspace(tmp_path))
    path = tmp_path / "pulumi" / "passphrase"
    first = path.read_text()
    assert len(first) > 30
    assert path.stat().st_mode & 0o777 == 0o600
    Backend.of(Workspace(tmp_path))
    assert path.read_text() == first


def test_settings_keep_what_the_engine_wrote(tmp_path: Path) -> None:
    backend = Backend.of(Workspace(tmp_path))
    settings = backend.work / "Pulumi.pod.yaml"
    settings.write_text("encryptionsalt: v1:abc\nconfig: {rackwright:nodes: old}\n")
    backend.configure("pod", Path("/site.yaml"), nodes="a,b")
    assert yaml_text.load(settings.read_text()) == {
        "encryptionsalt": "v1:abc",
        "config": {"rackwright:site": "/site.yaml", "rackwright:nodes": "a,b"},
    }


def test_the_environment_has_the_account_under_the_names_of_the_site(tmp_path: Path) -> None:
    backend = Backend.of(Workspace(tmp_path))
    environment = backend.environment() | account(ACCESS, Bmc(user_env="BMC_U", password_env="BMC_P"))
    assert (environment["BMC_U"], environment["BMC_P"]) == ("admin", "very secret")
    assert environment["PULUMI_BACKEND_URL"] == f"file://{backend.state}"
    assert environment["PULUMI_SKIP_UPDATE_CHECK"] == "true"
    assert "RACKWRIGHT_BMC_CA" not in environment
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and "very secret" in path.read_text()]


def test_declared_machines(tmp_path: Path) -> None:
    backend = Backend.of(Workspace(tmp_path))
    assert backend.declared() == []
    backend.declare(["b", "a"])
    assert backend.declared() == ["a", "b"]


def test_each_unit_has_machines_of_its_own(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    whole_site, unit = Backend.of(workspace), Backend.of(workspace, unit="train-su2")
    whole_site.declare(["train-001"])
    unit.declare(["train-033", "train-034"])
    assert (whole_site.declared(), unit.declared()) == (["train-001"], ["train-033", "train-034"])
    assert whole_site.declared_elsewhere() == {"train-033": "train-su2", "train-034": "train-su2"}
    assert unit.declared_elsewhere() == {"train-001": ""}
