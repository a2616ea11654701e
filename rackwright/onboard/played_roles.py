"""The folder of roles that is played: the shipped one, or for a site with roles of its own a copy with both in it."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from rackwright.base import content

_COPIES: dict[Path, TemporaryDirectory[str]] = {}
"""Kept until this process ends, which removes them."""


def project(roots: content.Roots) -> Path:
    """The folder with ``roles`` and ``templates`` for the site of `roots`."""
    site_files = {name: path for name, path in content.site_files(roots).items() if name.startswith("roles/")}
    return _copy(roots, content.sha256_of(site_files.items())) if site_files else content.root()


@cache
def _copy(roots: content.Roots, _digest: str) -> Path:
    """Made anew when the roles of the site are others. Files of a site never replace shipped ones (`roles.ordered_roles`)."""
    folder = TemporaryDirectory(prefix="rackwright-roles-")
    path = Path(folder.name)
    _COPIES[path] = folder
    for name in ("roles", "templates"):
        for root in roots:
            if (root / name).is_dir():
                ignored = shutil.ignore_patterns("__pycache__")
                shutil.copytree(root / name, path / name, dirs_exist_ok=True, ignore=ignored)
    return path
