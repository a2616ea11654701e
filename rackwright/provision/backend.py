"""Where a site keeps its Pulumi state: a private folder with state, settings, home and passphrase; nothing in the repository."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import yaml

from rackwright.base import content, yaml_text
from rackwright.base.durable_file import replace_file
from rackwright.base.workspace import Workspace
from rackwright.model.access import Access
from rackwright.model.control import Bmc


@dataclass(frozen=True)
class Backend:
    """The Pulumi folder of one site."""

    folder: Path
    project: str
    """Name of the project, as ``stacks/site/Pulumi.yaml`` has it."""

    @classmethod
    def of(cls, workspace: Workspace) -> Backend:
        """The backend in `workspace`, made when it is missing."""
        folder = workspace.folder("pulumi").resolve()
        for name in ("state", "home", "project"):
            (folder / name).mkdir(mode=0o700, exist_ok=True)
        source = content.folder("stacks", "site", "Pulumi.yaml")
        shutil.copyfile(source, folder / "project" / "Pulumi.yaml")
        backend = cls(folder, str(yaml_text.load(source.read_text(encoding="utf-8"))["name"]))
        backend._keep_passphrase()
        return backend

    @property
    def state(self) -> Path:
        """Folder of the file backend."""
        return self.folder / "state"

    @property
    def work(self) -> Path:
        """Folder the engine runs in; stack settings are written here."""
        return self.folder / "project"

    def environment(self, access: Access, bmc: Bmc) -> dict[str, str]:
        """Variables of the engine and, through it, of the plugin; the account goes nowhere else."""
        plugin = Path(sys.executable).parent
        account = {bmc.user_env: access.bmc_user, bmc.password_env: access.bmc_password.reveal()}
        authority = {"RACKWRIGHT_BMC_CA": str(access.bmc_ca.resolve())} if access.bmc_ca else {}
        return {
            **account,
            **authority,
            "PATH": f"{plugin}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
            "PULUMI_BACKEND_URL": f"file://{self.state}",
            # Not by file name: a passphrase that the caller's own environment holds for other stacks would win over that.
            "PULUMI_CONFIG_PASSPHRASE": (self.folder / "passphrase").read_text(encoding="utf-8"),
            "PULUMI_SKIP_UPDATE_CHECK": "true",
            "PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "true",
            "PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS": "true",
        }

    def configure(self, stack: str, site: Path, nodes: Iterable[str]) -> None:
        """Write the configuration of the program into the stack's settings and keep those of the engine (its encryption salt)."""
        path = self.work / f"Pulumi.{stack}.yaml"
        settings = yaml_text.load(path.read_text(encoding="utf-8")) if path.exists() else {}
        config = {"rackwright:site": str(site.resolve()), "rackwright:nodes": ",".join(nodes)}
        replace_file(path, yaml.safe_dump({**(settings or {}), "config": config}), 0o600)

    def declared(self) -> list[str]:
        """Machines that earlier runs put into the stack."""
        path = self.folder / "declared.json"
        return list(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else []

    def declare(self, nodes: Iterable[str]) -> None:
        """Remember which machines are in the stack, so that a run for some does not drop the others."""
        replace_file(self.folder / "declared.json", json.dumps(sorted(nodes)), 0o600)

    def _keep_passphrase(self) -> None:
        path = self.folder / "passphrase"
        if not path.exists():
            replace_file(path, secrets.token_urlsafe(32), 0o600)
