"""Prints the speed of local drives as fio does."""

from rackwright.model.evidence.storage import LocalStorage
from rackwright.twin.hardware.performance import fio_text


def render(seen: LocalStorage) -> bytes:
    """The report whose parse is `seen`."""
    return fio_text.text(seen.tool, seen.jobs).encode()
