"""What was read of each address, stored before it is judged: a sweep that was interrupted goes on, and a judgement can be repeated offline."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rackwright.base.durable_file import replace_file
from rackwright.base.errors import OutsideError

SUFFIX = ".json.gz"


@dataclass(frozen=True)
class BmcVisit:
    """One address at which something answered."""

    address: str
    read_at: str
    """ISO 8601."""
    account: str = ""
    """``declared`` or ``initial``: which of both was let in; empty where neither was."""
    documents: Mapping[str, Any] | None = None
    """Path -> Redfish document; None where they could not be read."""
    error: str = ""
    """Why not, as a sentence with a next step."""


class VisitStore:
    """The visits of one sweep, a file for each address."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, visit: BmcVisit) -> None:
        """Keep `visit`, in place of an earlier one to the same address. OutsideError when it cannot be written."""
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            replace_file(self.folder / f"{visit.address}{SUFFIX}", gzip.compress(json.dumps(asdict(visit)).encode(), 5))
        except OSError as error:
            raise OutsideError(
                f"{self.folder} cannot be written to ({error.strerror}): give another folder with --work"
            ) from error

    def read(self) -> list[BmcVisit]:
        """Every visit, by address; a file that a crash cut off counts as no visit."""
        return [visit for path in sorted(self.folder.glob(f"*{SUFFIX}")) if (visit := _visit(path)) is not None]


def _visit(path: Path) -> BmcVisit | None:
    try:
        return BmcVisit(**json.loads(gzip.decompress(path.read_bytes())))
    except (OSError, EOFError, ValueError, TypeError):
        return None
