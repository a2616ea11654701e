"""Environments: the site file with the differences that an environment declares, and every mistake in them."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rackwright.base.errors import Problem
from rackwright.catalog import Catalog
from rackwright.model.environment import Environment, SiteDifference
from rackwright.model.site import Site
from rackwright.spec import crosscheck, validate
from rackwright.spec.assembly import DEFAULTS, INCLUDE
from rackwright.spec.fields import Path as FieldSteps
from rackwright.spec.fields import parse_path
from rackwright.spec.tree import YamlNode
from rackwright.spec.value_text import show_value

LISTED = "environments"
FIXED = (LISTED, "catalog", "site_folder", INCLUDE, DEFAULTS)
"""What all environments of a site share: the parts and the content that it brings."""


class NoSuchFieldError(LookupError):
    """A difference in a field whose parent is missing in the site file; the text says how much of the path exists."""


def data_of(data: dict[str, Any], environment: Environment) -> dict[str, Any]:
    """The site as plain data, its parts and defaults in place, as it is in `environment`. Raises `NoSuchFieldError`."""
    result = copy.deepcopy({key: value for key, value in data.items() if key not in (LISTED, INCLUDE, DEFAULTS)})
    for difference in environment.differences:
        _put(result, difference)
    return result


def problems(site: Site, data: dict[str, Any], catalog: Catalog, folder: Path) -> list[Problem]:
    """Every mistake that a site has in one of its environments and not without it; placed at the difference that causes it."""
    result = list(_names(site))
    for i, environment in enumerate(site.environments):
        result += _of_environment(f"{LISTED}[{i}]", environment, site, data, catalog, folder)
    return result


def _names(site: Site) -> Iterator[Problem]:
    names = [environment.name for environment in site.environments]
    for i, name in enumerate(names):
        if name in names[:i]:
            also = f"{LISTED}[{names.index(name)}] has it too"
            yield _problem(
                f"{LISTED}[{i}].name",
                "duplicate_name",
                f"the name {name} stands twice",
                "every name once",
                also,
                "rename one",
            )


def _of_environment(
    path: str, environment: Environment, site: Site, data: dict[str, Any], catalog: Catalog, folder: Path
) -> list[Problem]:
    result: list[Problem] = []
    steps: list[FieldSteps] = []
    patched = data_of(data, environment.model_copy(update={"differences": []}))
    for j, difference in enumerate(environment.differences):
        if str(parse_path(difference.field)[0]) in FIXED:
            step, expected = "declare it for the site itself", f"a field outside {', '.join(FIXED)}"
            result.append(
                _problem(
                    f"{path}.differences[{j}].field",
                    "fixed_field",
                    "this field is the same in every environment",
                    expected,
                    difference.field,
                    step,
                )
            )
            continue
        try:
            steps.append(_put(patched, difference))
        except NoSuchFieldError as error:
            step = "name a field that the file has, or one beside it"
            result.append(
                _problem(
                    f"{path}.differences[{j}].field",
                    "no_field",
                    "the site file has no such field",
                    str(error),
                    difference.field,
                    step,
                )
            )
    if result:
        return result
    changed, mistakes = validate.validate_site(patched, YamlNode(1, {}, file="site"))
    faults = mistakes.problems
    if changed is not None:
        faults = crosscheck.crosscheck_site(changed, catalog, folder)
        if changed.site == site.site:
            step = "add a difference in the field site: it names the folder of evidence and the ledger"
            result.append(
                _problem(
                    path,
                    "same_site",
                    "the environment has the name of the site itself",
                    "another site",
                    site.site,
                    step,
                )
            )
    return result + [_moved(fault, path, environment, steps) for fault in faults]


def _moved(fault: Problem, path: str, environment: Environment, steps: Sequence[FieldSteps]) -> Problem:
    """A problem of the changed site at the difference that reaches nearest to its field."""
    field = parse_path(fault.path)
    near = [_shared_steps(field, difference) for difference in steps]
    most = max(near, default=0)
    place = f"{path}.differences[{near.index(most)}]" if most else path
    return Problem(
        "site",
        place,
        f"in {environment.name}, {fault.path}: {fault.message}",
        fault.expected,
        fault.found,
        fault.next_step,
        fault.code,
    )


def _shared_steps(field: FieldSteps, difference: FieldSteps) -> int:
    length = 0
    for step, peer in zip(field, difference, strict=False):
        if step != peer:
            break
        length += 1
    return length


def _put(data: dict[str, Any], difference: SiteDifference) -> FieldSteps:
    """Set the field in `data`; returns its path with numbers in the place of names. Raises `NoSuchFieldError`."""
    *parents, last = parse_path(difference.field)
    owner: Any = data
    steps: list[str | int] = []
    for step in parents:
        steps.append(_step(owner, step))
        owner = owner[steps[-1]]
    steps.append(_step(owner, last, new=True))
    owner[steps[-1]] = copy.deepcopy(difference.value)
    return tuple(steps)


def _step(owner: Any, step: str | int, *, new: bool = False) -> str | int:
    """The key or number that `step` means in a mapping or a list; a `new` key need not be there."""
    if isinstance(owner, dict) and (new or step in owner):
        return str(step)
    if isinstance(owner, list):
        names = [entry.get("name") if isinstance(entry, dict) else None for entry in owner]
        at = names.index(step) if step in names else step
        if isinstance(at, int) and at < len(owner):
            return at
    raise NoSuchFieldError(_options(owner))


def _options(owner: Any) -> str:
    if isinstance(owner, dict):
        return "one of " + ", ".join(map(str, owner))
    if isinstance(owner, list):
        names = [str(entry["name"]) for entry in owner if isinstance(entry, dict) and "name" in entry]
        return f"one of {', '.join(names)}" if names else f"a number below {len(owner)}"
    return f"nothing below {show_value(owner)}"


def _problem(path: str, code: str, message: str, expected: str, actual: str, next_step: str) -> Problem:
    return Problem("site", path, message, expected, actual, next_step, f"spec.{code}")
