"""Fills the templates of an image's method: ``templates/install/<method>/<file>.j2`` and those that every system shares.

A value that a template asks for and that is not there is a problem with the line of the template.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path, PurePath
from traceback import extract_tb

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateError

from rackwright.base import content
from rackwright.base.errors import Problem, ProblemsError
from rackwright.install.system_install import SystemInstall

FOLDER = ("templates", "install")
BOOT_SCRIPT = "boot.ipxe"


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
    path = Path(template)
    try:
        return _environment(path.parent).get_template(path.name).render(install=install)
    except TemplateError as error:
        lines = [frame.lineno for frame in extract_tb(error.__traceback__) if frame.filename == str(path)]
        line = int(getattr(error, "lineno", 0) or (lines[-1] if lines else 0) or 1)
        raise ProblemsError([_problem(path, line, install, str(error))]) from error


@cache
def _environment(folder: Path) -> Environment:
    """Plain text: nothing is escaped, as every value is of a kind that means nothing to a shell or an installer."""
    return Environment(  # noqa: S701
        loader=FileSystemLoader(folder),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def _problem(template: Path, line: int, install: SystemInstall, reason: str) -> Problem:
    return Problem(
        place=f"{template}:{line}",
        path=install.hostname,
        message="the template cannot be filled",
        expected="only fields of SystemInstall (rackwright/install/system_install.py)",
        found=reason,
        next_step="mend the template",
        code="install.template",
    )
