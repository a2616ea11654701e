"""Loads the checks under ``validators/checks``; the path is the id (``gpu/row_remap.py`` is ``gpu.row_remap``)."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from rackwright.base import content
from rackwright.base.errors import Problem, ProblemsError
from rackwright.model.check import AnyCheck, Check, FleetCheck, PlantCheck

SHAPES = "`CHECK = Check(...)`, `CHECK = FleetCheck(...)` or `CHECK = PlantCheck(...)`"

NEXT = "## What to do next"
STEP = re.compile(r"^1\. (.*?)(?=^2\. |\Z)", re.MULTILINE | re.DOTALL)


def checks(roots: content.Roots | None = None) -> dict[str, AnyCheck]:
    """Every check below `roots` (default: what is shipped), by id in id order. Raises ProblemsError for files that cannot be loaded, leave no `CHECK` or have no page with a title."""
    loaded: dict[str, AnyCheck] = {}
    problems: list[Problem] = []
    for name, module in sorted(content.modules("validators", "checks", roots=roots).items()):
        path, check = Path(str(module.__file__)), getattr(module, "CHECK", None)
        if not isinstance(check, Check | FleetCheck | PlantCheck):
            problems.append(content.undefined(path, "CHECK", SHAPES, check, "judge.no_check"))
        elif text := title(path.with_suffix(".md")):
            loaded[name] = replace(check, title=text)
        else:
            problems.append(_no_title(path, name))
    if problems:
        raise ProblemsError(problems)
    return loaded


def title(page: Path) -> str:
    """The title on the first line of the page of a check (``# gpu.count: All accelerators answer``); empty without one."""
    if not page.is_file():
        return ""
    with page.open(encoding="utf-8") as lines:
        return lines.readline().removeprefix("#").strip().partition(": ")[2]


def first_step(name: str, roots: content.Roots | None = None) -> str:
    """The first thing to do about a failure of the check `name`, from its page; empty where the page says nothing."""
    pages = content.files(roots or content.shipped(), "validators", "checks", pattern=f"{name.rpartition('.')[2]}.md")
    page = pages.get(f"{name.replace('.', '/')}.md")
    _, _, after = page.read_text(encoding="utf-8").partition(NEXT) if page else ("", "", "")
    step = STEP.search(after.partition("\n## ")[0])
    return " ".join(step[1].split()).rstrip(".") if step else ""


def _no_title(path: Path, name: str) -> Problem:
    return Problem(
        place=f"{path.with_suffix('.md')}:1",
        path="",
        message="the check has no title",
        expected=f"a page whose first line is `# {name}: <title>`",
        found="no such line",
        next_step="write the page of the check",
        code="judge.no_title",
    )
