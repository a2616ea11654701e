"""Where a site keeps what it does: ledger, evidence, logs and reports, under ``.rackwright/<site>`` or ``--work``."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from rackwright.base.errors import OutsideError, UsageError

KINDS = {"site": "the real site", "twin": "rehearsals on a twin"}
"""Whose machines a folder is about."""


@dataclass(frozen=True)
class Workspace:
    """One folder per site; every path below it is made on first use and readable by its owner alone.

    OutsideError when it cannot be written to.
    """

    path: Path

    def folder(self, name: str) -> Path:
        """The sub-folder `name`, made when it is missing (``evidence``, ``ansible``, ``pulumi``, ``report``, ``twin``, ``logs``)."""
        folder = self.path / name
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise OutsideError(
                f"{self.path} cannot be written to ({error.strerror}): give another folder with --work"
            ) from error
        return folder

    @property
    def ledger_url(self) -> str:
        """Default ledger: SQLite beside the evidence."""
        return f"sqlite:///{self.folder('') / 'ledger.db'}"

    def claim(self, kind: str) -> None:
        """Say that this folder is about `kind` of `KINDS`; UsageError when it is about the other.

        What was seen of simulated machines must never open a gate of the real site, and the engine must not take the
        real machines for the simulated ones.
        """
        mark = self.folder("") / "about"
        with suppress(OSError):
            had = mark.read_text(encoding="ascii").strip()
            if had and had != kind:
                raise UsageError(
                    f"{self.path} keeps the records of {KINDS.get(had, had)}, and this is about {KINDS[kind]}: "
                    "the two must not mix, give another folder with --work"
                )
        try:
            mark.write_text(f"{kind}\n", encoding="ascii")
        except OSError as error:
            raise OutsideError(
                f"{self.path} cannot be written to ({error.strerror}): give another folder with --work"
            ) from error


def usual(site: str, *, twin: bool) -> Workspace:
    """The folder of `site` where none is named. What is simulated has one of its own in it: the two never mix."""
    base = Path(".rackwright") / site
    return Workspace(base / "rehearsal" if twin else base)
