from __future__ import annotations

from pathlib import Path

import pytest

from rackwright import spec
from rackwright.base.errors import UsageError
from rackwright.cli import access
from rackwright.model.site import Site


@pytest.fixture
def site(example_site: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    for name in ("SSH_KEY", "KNOWN_HOSTS", "BMC_CA", "BMC_USER", "BMC_PASSWORD"):
        monkeypatch.delenv(f"RACKWRIGHT_{name}", raising=False)
    return spec.load(example_site).site


def test_a_missing_account_is_named(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="RACKWRIGHT_BMC_USER and RACKWRIGHT_BMC_PASSWORD are not set"):
        access.from_site(site)
    monkeypatch.setenv("RACKWRIGHT_BMC_USER", "admin")
    with pytest.raises(UsageError, match="RACKWRIGHT_BMC_PASSWORD is not set"):
        access.from_site(site)


def test_site_and_environment(site: Site, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RACKWRIGHT_BMC_USER", "admin")
    monkeypatch.setenv("RACKWRIGHT_BMC_PASSWORD", "secret")
    result = access.from_site(site)
    assert result.ssh_key == Path(site.control.ssh.identity_file).expanduser()
    assert result.bmc_ca is None
    assert "secret" not in repr(result)
    authority = tmp_path / "ca.pem"
    authority.touch()
    monkeypatch.setenv("RACKWRIGHT_BMC_CA", str(authority))
    monkeypatch.setenv("RACKWRIGHT_SSH_KEY", "/keys/one")
    result = access.from_site(site)
    assert result.bmc_ca == authority
    assert result.ssh_key == Path("/keys/one")


def test_a_ca_file_that_is_not_there(site: Site, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RACKWRIGHT_BMC_USER", "admin")
    monkeypatch.setenv("RACKWRIGHT_BMC_PASSWORD", "secret")
    bmc = site.control.bmc.model_copy(update={"ca_file": "bmc-ca.pem"})
    named = site.model_copy(update={"control": site.control.model_copy(update={"bmc": bmc})})
    with pytest.raises(UsageError, match=r"control\.bmc\.ca_file names the CA file .*bmc-ca\.pem, which is not there"):
        access.from_site(named, near=tmp_path / "site.yaml")
    (tmp_path / "bmc-ca.pem").touch()
    assert access.from_site(named, near=tmp_path / "site.yaml").bmc_ca == tmp_path / "bmc-ca.pem"
