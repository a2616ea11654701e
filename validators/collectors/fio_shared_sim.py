"""Prints the speed of a shared file system as ``rackwright-burn shared`` does."""

import json

from rackwright.model.evidence.storage import SharedStorage
from rackwright.twin.hardware.performance import fio_text


def render(seen: SharedStorage) -> bytes:
    """The document whose parse is `seen`."""
    rates = {name: getattr(seen, name) for name in ("creates_per_s", "stats_per_s", "removes_per_s")}
    mount = {"path": seen.path, "filesystem": seen.filesystem, "metadata": rates}
    return json.dumps({"schema": 1, **mount, "fio": json.loads(fio_text.text(seen.tool, seen.jobs))}).encode()
