"""Fills the templates of a switch's system: ``templates/switch/<system>/<file>.j2`` makes ``<switch>/<file>``.

A value that a template asks for and that is not there ends the export. Files that end in ``.json`` may leave a comma behind the last
entry: they are read as YAML, of which JSON is a part, and written as JSON.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from traceback import extract_tb

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateError

from rackwright.base import yaml_text
from rackwright.base.errors import Problem, ProblemsError
from rackwright.export.file import ExportFile
from rackwright.export.switches.switch_config import SwitchConfig


def files(config: SwitchConfig, templates: dict[str, str]) -> list[ExportFile]:
    """The files of one switch from `templates` (path by file name). Raises `ProblemsError` for a template that cannot be filled."""
    return [
        ExportFile(f"{config.hostname}/{name}", (_text(config, name, Path(path)),), len(config.ports))
        for name, path in templates.items()
    ]


def _text(config: SwitchConfig, name: str, template: Path) -> str:
    try:
        text = _environment(template.parent).get_template(template.name).render(switch=config)
    except TemplateError as error:
        lines = [frame.lineno for frame in extract_tb(error.__traceback__) if frame.filename == str(template)]
        line = int(getattr(error, "lineno", 0) or (lines[-1] if lines else 0) or 1)
        raise ProblemsError([_problem(template, line, config, str(error))]) from error
    if not name.endswith(".json"):
        return text
    return json.dumps(yaml_text.load(text), indent=2) + "\n"


@cache
def _environment(folder: Path) -> Environment:
    """Plain text: nothing is escaped, as nothing but names of the design and numbers is filled in."""
    return Environment(  # noqa: S701
        loader=FileSystemLoader(folder),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def _problem(template: Path, line: int, config: SwitchConfig, reason: str) -> Problem:
    return Problem(
        place=f"{template}:{line}",
        path=config.hostname,
        message="the template cannot be filled",
        expected="only fields of SwitchConfig (rackwright/export/switches/switch_config.py)",
        found=reason,
        next_step="mend the template",
        code="export.switch_template",
    )
