"""The report as JSON: written for scripts, and read back to render the pages again.

The schema is versioned (`view.SCHEMA`); a file of another version, or one edited by hand, is refused with the place of the
error.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from rackwright.base.errors import Problem, ProblemsError
from rackwright.base.terminal_text import escape_json
from rackwright.report.view import Report

FILE = "report.json"


def to_json(report: Report) -> str:
    """The report as JSON text, keys in record order; equal reports always give equal bytes."""
    return escape_json(json.dumps(plain(report), indent=2, ensure_ascii=False)) + "\n"


def plain(report: Report) -> dict[str, Any]:
    """The report as plain data, for ``--format json``."""
    return report.model_dump(mode="json")


def digest(report: Report) -> str:
    """SHA-256 of the JSON text, in hex: what ``sha256sum report.json`` prints."""
    return sha256(to_json(report))


def sha256(text: str) -> str:
    """SHA-256 of JSON text that is already written."""
    return hashlib.sha256(text.encode()).hexdigest()


def load_report(folder: Path) -> Report:
    """The report in `folder`. Raises ProblemsError if it is missing or invalid."""
    path = folder / FILE
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = "no report was written yet" if isinstance(error, FileNotFoundError) else str(error)
        raise ProblemsError([_missing(path, reason)]) from error
    try:
        return Report.model_validate_json(text)
    except ValidationError as error:
        raise ProblemsError([_broken_field_problem(path, dict(detail)) for detail in error.errors()]) from error


def _missing(path: Path, reason: str) -> Problem:
    return Problem(
        place=str(path),
        path="",
        message="there is no report of this site to write again",
        expected="the report.json of a finished run",
        found=reason,
        next_step="run the bring-up first (`rackwright gate SITE` or `rackwright rehearse SITE`), or name its folder with --work",
        code="report.missing",
    )


def _broken_field_problem(path: Path, error: dict[str, Any]) -> Problem:
    return Problem(
        place=str(path),
        path=".".join(str(part) for part in error["loc"]),
        message=str(error["msg"]),
        expected="a report as this version of rackwright writes it",
        found=repr(error.get("input"))[:200],
        next_step="write the report again from the run; report.json is not edited by hand",
        code="report.broken",
    )
