"""Loads the checks under ``validators/checks``; the path is the id (``gpu/row_remap.py`` is ``gpu.row_remap``)."""

from __future__ import annotations

from rackwright.base import content
from rackwright.base.errors import Problem, ProblemsError
from rackwright.model.check import AnyCheck, Check, FleetCheck, PlantCheck


def checks() -> dict[str, AnyCheck]:
    """Every check, by id in id order. Raises ProblemsError for files that cannot be loaded or leave no `CHECK`."""
    modules = content.modules("validators", "checks")
    found = {name: getattr(module, "CHECK", None) for name, module in modules.items()}
    problems = [
        Problem(
            place=str(modules[name].__file__),
            path="CHECK",
            message="the file leaves no check behind",
            expected="a last line `CHECK = Check(...)`, `CHECK = FleetCheck(...)` or `CHECK = PlantCheck(...)`",
            found=type(check).__name__,
            next_step="write the line, or move the file out of validators/checks",
            code="judge.no_check",
        )
        for name, check in found.items()
        if not isinstance(check, Check | FleetCheck | PlantCheck)
    ]
    if problems:
        raise ProblemsError(problems)
    return {name: check for name, check in sorted(found.items()) if isinstance(check, Check | FleetCheck | PlantCheck)}
