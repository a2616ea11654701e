"""``mirror.lock.json``: every file that the mirror carries, with digest, origin and signature. It contains no times, so equal mirrors have equal locks."""

from __future__ import annotations

import json
from pathlib import Path

from pydantic import Field, ValidationError

from rackwright.base.errors import Problem, ProblemsError
from rackwright.mirror.layout import LOCK
from rackwright.model.artifact import Artifact
from rackwright.model.base import Record


class MirrorLock(Record, populate_by_name=True):
    """The whole file."""

    format: int = 1
    site: str = ""
    signed_by: str = ""
    """Fingerprint of the key that signs the mirror's indexes."""
    artifacts: tuple[Artifact, ...] = ()
    unmet: dict[str, str] = Field(default={}, alias="left")
    """Requirements that no upstream carries -> the package that has them; hosts must meet them already."""

    @property
    def by_path(self) -> dict[str, Artifact]:
        """The artifacts by path."""
        return {artifact.path: artifact for artifact in self.artifacts}

    def text(self) -> str:
        """The file: one artifact per line, so that a change shows as the lines that changed."""
        lines = [json.dumps(artifact.model_dump(mode="json", exclude_defaults=True)) for artifact in self.artifacts]
        head = {"format": self.format, "site": self.site, "signed_by": self.signed_by, "left": self.unmet}
        start = json.dumps(head, indent=1)[:-2]
        return start + ',\n "artifacts": [\n  ' + ",\n  ".join(lines) + "\n ]\n}\n"


def read_lock(folder: Path) -> MirrorLock | None:
    """The lock of a mirror; None if there is none. ProblemsError if it cannot be read."""
    path = folder / LOCK
    try:
        return MirrorLock.model_validate_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValidationError, UnicodeDecodeError) as error:
        problem = Problem(
            place=str(path),
            path="",
            message="the lock of the mirror cannot be read",
            expected="a file that `rackwright mirror sync` wrote",
            found=" ".join(str(error).splitlines()[:3]),
            next_step="restore it from where the mirror was copied, or remove it and run `rackwright mirror sync` again",
            code="mirror.bad_lock",
        )
        raise ProblemsError([problem]) from error
