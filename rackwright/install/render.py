"""Fills the templates of an image's method: ``templates/install/<method>/<file>.j2`` and those that every system shares.

A value that a template asks for and that is not there is a problem with the line of the template.
"""

from __future__ import annotations

from pathlib import Path, PurePath

from rackwright.base import content, template_text
from rackwright.install.system_install import SystemInstall

FOLDER = ("templates", "install")
BOOT_SCRIPT = "boot.ipxe"
SYSTEM_SCRIPT = "system.ipxe"
"""Of a diskless machine, to which its boot script leads."""
EXPECTED = "only fields of SystemInstall (rackwright/install/system_install.py)"


def names(roots: content.Roots, method: str) -> dict[str, str]:
    """Path of the template by the name of the file that it makes, for one method and for all of them."""
    paths = content.files(roots, *FOLDER, pattern="*.j2")
    return {
        PurePath(name).name.removesuffix(".j2"): str(path)
        for name, path in paths.items()
        if PurePath(name).parent.name in ("", method)
    }


def text(install: SystemInstall, template: str) -> str:
    """The file that `template` makes for one machine. Raises `ProblemsError` for one that cannot be filled."""
    return template_text.fill(Path(template), install.hostname, EXPECTED, "install.template", install=install)
