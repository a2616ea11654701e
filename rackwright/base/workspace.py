"""The folder where a site stores ledger, evidence, logs and reports: ``.rackwright/<site>`` or ``--work``."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from rackwright.base.durable_file import replace_file
from rackwright.base.errors import OutsideError, UsageError

KINDS = {"site": "the real site", "twin": "rehearsals on a twin"}
"""Kind of a folder -> its machines, in words."""


@dataclass(frozen=True)
class Workspace:
    """One folder per site; its subfolders are created on first use and readable by the owner only.

    Raises OutsideError if it cannot be written to.
    """

    path: Path

    def folder(self, name: str) -> Path:
        """The subfolder `name`, created if missing (``evidence``, ``ansible``, ``pulumi``, ``report``, ``twin``, ``logs``)."""
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

    @property
    def kind(self) -> str:
        """The kind that `claim` has marked; empty without a mark."""
        with suppress(OSError):
            return (self.path / "about").read_text(encoding="ascii").strip()
        return ""

    def claim(self, kind: str) -> None:
        """Mark this folder as `kind` of `KINDS`. Raises UsageError if it is marked as the other kind.

        Evidence of simulated machines must never open a gate of the real site, and the engine must not mistake real
        machines for simulated ones.
        """
        mark, had = self.folder("") / "about", self.kind
        if had and had != kind:
            raise UsageError(
                f"{self.path} keeps the records of {KINDS.get(had, had)}, and this is about {KINDS[kind]}: "
                "the two must not mix, give another folder with --work"
            )
        try:
            replace_file(mark, f"{kind}\n")
        except OSError as error:
            raise OutsideError(
                f"{self.path} cannot be written to ({error.strerror}): give another folder with --work"
            ) from error


def default_workspace(site: str, *, twin: bool) -> Workspace:
    """The default folder of `site`. Rehearsals have their own folder in it: the two never mix."""
    base = Path(".rackwright") / site
    return Workspace(base / "rehearsal" if twin else base)
