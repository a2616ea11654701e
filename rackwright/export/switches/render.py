"""Fills the templates of a switch's system: ``templates/switch/<system>/<file>.j2`` makes ``<switch>/<file>``.

A value that a template asks for and that is not there ends the export. Files that end in ``.json`` may leave a comma behind the last
entry: they are read as YAML, of which JSON is a part, and written as JSON.
"""

from __future__ import annotations

import json
from pathlib import Path

from rackwright.base import template_text, yaml_text
from rackwright.export.file import ExportFile
from rackwright.export.switches.switch_config import SwitchConfig

EXPECTED = "only fields of SwitchConfig (rackwright/export/switches/switch_config.py)"


def files(config: SwitchConfig, templates: dict[str, str]) -> list[ExportFile]:
    """The files of one switch from `templates` (path by file name). Raises `ProblemsError` for a template that cannot be filled."""
    return [
        ExportFile(f"{config.hostname}/{name}", (text(config, name, Path(path)),), len(config.ports))
        for name, path in templates.items()
    ]


def text(config: SwitchConfig, name: str, template: Path, **values: object) -> str:
    """The text of file `name` of one switch; `values` are further ones of the template. Raises `ProblemsError` as `files` does."""
    filled = template_text.fill(template, config.hostname, EXPECTED, "export.switch_template", switch=config, **values)
    if not name.endswith(".json"):
        return filled
    return json.dumps(yaml_text.load(filled), indent=2) + "\n"
