"""``mirror.lock.json``: every file that the mirror carries, with digest, origin and signature. No time in it: the same mirror, the same text."""

from __future__ import annotations

import json
from pathlib import Path

from pydantic import ValidationError

from rackwright.base.errors import Problem, ProblemsError
from rackwright.mirror.layout import LOCK
from rackwright.model.artifact import Artifact
from rackwright.model.base import Record


class Lock(Record):
    """The whole file."""

    format: int = 1
    site: str = ""
    signed_by: str = ""
    """Fingerprint of the key that signs the mirror's indexes."""
    artifacts: tuple[Artifact, ...] = ()
    left: dict[str, str] = {}
    """What packages need and no upstream carries -> who needs it: hosts must have it already."""

    @property
    def by_path(self) -> dict[str, Artifact]:
        """The artifacts by where they lie."""
        return {one.path: one for one in self.artifacts}

    def text(self) -> str:
        """The file: one artifact per line, so that a change shows as the lines that changed."""
        lines = [json.dumps(one.model_dump(mode="json", exclude_defaults=True)) for one in self.artifacts]
        head = {"format": self.format, "site": self.site, "signed_by": self.signed_by, "left": self.left}
        start = json.dumps(head, indent=1)[:-2]
        return start + ',\n "artifacts": [\n  ' + ",\n  ".join(lines) + "\n ]\n}\n"


def read(folder: Path) -> Lock | None:
    """The lock of a mirror, None when there is none; ProblemsError when it cannot be read."""
    path = folder / LOCK
    try:
        return Lock.model_validate_json(path.read_text(encoding="utf-8"))
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
