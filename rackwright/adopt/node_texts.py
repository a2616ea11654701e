"""Converts texts of nodes to those that a site may declare: a node may name itself and its devices anything."""

from __future__ import annotations

from pydantic import TypeAdapter, ValidationError

from rackwright.base.terminal_text import as_line
from rackwright.model import texts

DEVICE_NAME: TypeAdapter[str] = TypeAdapter(texts.DeviceName)
HOST_NAME: TypeAdapter[str] = TypeAdapter(texts.HostName)


def line(text: str) -> str:
    """`text` in the form of `model.texts.Line`: one line without control characters."""
    return as_line(" ".join(text.split()))


def fits(text: str, kind: TypeAdapter[str]) -> bool:
    """Whether a field of type `kind` accepts `text`."""
    try:
        kind.validate_python(text)
    except ValidationError:
        return False
    return True
