"""Fingerprint of the parsers: a hash of everything that determines the records of an answer besides its bytes.

Records that were stored by other parsers are not used, because these parsers may read the same answer differently.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path

import rackwright
from rackwright.base import content

PACKAGES = ("collect", "model", "redfish")
FILES = (
    "__init__.py",
    "base/__init__.py",
    "base/content.py",
    "base/errors.py",
    "base/finite_number.py",
    "base/foreign.py",
    "base/foreign_limits.yaml",
    "base/tables.py",
    "base/terminal_text.py",
    "base/yaml_text.py",
    "error_codes/__init__.py",
    "error_codes/kernel_catalogue.py",
)
"""Modules of rackwright that collectors import, as a test enforces.

The only other input is the catalogue of kernel lines.
"""
LIBRARIES = ("polars", "pydantic", "pydantic_core")
"""Libraries whose version affects the records."""


@cache
def fingerprint(roots: content.Roots | None = None) -> str:
    """SHA-256 in hex; the same for every installation of one release with the same collectors of a site below `roots`."""
    total = hashlib.sha256("".join(f"{name} {version(name)}\n" for name in LIBRARIES).encode())
    for name, path in _files(roots or content.shipped()):
        total.update(f"{name}\n".encode() + hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def _files(roots_of_content: content.Roots) -> Iterator[tuple[str, Path]]:
    """Every file with its path below its root, in a fixed order."""
    package = Path(rackwright.__file__).parent
    roots = [package / name for name in PACKAGES]
    files = [*(package / name for name in FILES), *(path for root in roots for path in root.rglob("*.py"))]
    yield from sorted((path.relative_to(package).as_posix(), path) for path in files)
    yield from sorted(content.files(roots_of_content[:1], "validators", "kernel", pattern="*.yaml").items())
    yield from sorted(content.files(roots_of_content, "validators", "collectors", pattern="*.py").items())
