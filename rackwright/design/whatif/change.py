"""Applies changes to the data of a site.

Entries of lists are found by name (`pools.train.count`) or by number (`pools[0].count`).
"""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

import yaml

from rackwright.base import yaml_text
from rackwright.base.errors import UsageError
from rackwright.design.whatif.scenario import SiteChange


def apply_changes(data: dict[str, Any], changes: Sequence[SiteChange]) -> dict[str, Any]:
    """`data` with `changes`. Raises `UsageError` for a path that does not exist."""
    changed = copy.deepcopy(data)
    for change in changes:
        steps = [step for step in re.split(r"[.\[\]]+", change.path) if step]
        owner = changed
        for step in steps[:-1]:
            owner = _value_inside(owner, step, change.path)
        last: Any = steps[-1]
        if isinstance(owner, list):
            last = _number(owner, last, change.path)
        elif last not in owner and change.relative:
            raise _unknown_field(change.path, last, list(owner))
        owner[last] = owner[last] + int(change.value) if change.relative else _value(change)
    return changed


def _value(change: SiteChange) -> Any:
    try:
        return yaml_text.load(change.value)
    except yaml.YAMLError as error:
        raise UsageError(f"--what-if: {change.path}={change.value} is not a valid YAML value") from error


def _value_inside(owner: Any, step: str, path: str) -> Any:
    if isinstance(owner, list):
        return owner[_number(owner, step, path)]
    if isinstance(owner, dict) and isinstance(owner.get(step), (dict, list)):
        return owner[step]
    raise _unknown_field(path, step, list(owner) if isinstance(owner, dict) else [])


def _number(owner: list[Any], step: str, path: str) -> int:
    """The index of a list entry by its number or its name."""
    names = [str(entry.get("name", at)) if isinstance(entry, dict) else str(at) for at, entry in enumerate(owner)]
    if step in names:
        return names.index(step)
    if step.isdecimal() and int(step) < len(owner):
        return int(step)
    raise _unknown_field(path, step, names)


def _unknown_field(path: str, step: str, names: Sequence[str]) -> UsageError:
    guess = get_close_matches(step, names, n=1)
    hint = f"did you mean {guess[0]}? " if guess else ""
    available = f"there are {', '.join(names)}" if names else "nothing stands below it"
    return UsageError(f"--what-if: {path} leads nowhere at {step}; {hint}{available}")
