"""Where a site keeps what it does: ledger, evidence, logs and reports, under ``.rackwright/<site>`` or ``--work``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Workspace:
    """One folder per site; every path below it is made on first use and readable by its owner alone."""

    path: Path

    def folder(self, name: str) -> Path:
        """The sub-folder `name`, made when it is missing (``evidence``, ``ansible``, ``pulumi``, ``report``, ``twin``, ``logs``)."""
        folder = self.path / name
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return folder

    @property
    def ledger_url(self) -> str:
        """Default ledger: SQLite beside the evidence."""
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        return f"sqlite:///{self.path / 'ledger.db'}"
