"""The data of a site with changes made to it.

Items of lists are found by name (`pools.train.count`) or by number (`pools[0].count`).
"""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

import yaml

from rackwright.base.errors import UsageError
from rackwright.design.whatif.words import Change


def change(data: dict[str, Any], changes: Sequence[Change]) -> dict[str, Any]:
    """`data` with `changes`. Raises `UsageError` for a path that leads nowhere."""
    made = copy.deepcopy(data)
    for one in changes:
        steps = [step for step in re.split(r"[.\[\]]+", one.path) if step]
        owner = made
        for step in steps[:-1]:
            owner = _inside(owner, step, one.path)
        last: Any = steps[-1]
        if isinstance(owner, list):
            last = _number(owner, last, one.path)
        elif last not in owner and one.relative:
            raise _nowhere(one.path, last, list(owner))
        owner[last] = owner[last] + int(one.value) if one.relative else _value(one)
    return made


def _value(one: Change) -> Any:
    try:
        return yaml.safe_load(one.value)
    except yaml.YAMLError as error:
        raise UsageError(f"--what-if: {one.path}={one.value} is no value that YAML knows") from error


def _inside(owner: Any, step: str, path: str) -> Any:
    if isinstance(owner, list):
        return owner[_number(owner, step, path)]
    if isinstance(owner, dict) and isinstance(owner.get(step), (dict, list)):
        return owner[step]
    raise _nowhere(path, step, list(owner) if isinstance(owner, dict) else [])


def _number(owner: list[Any], step: str, path: str) -> int:
    """The place of an item by its number or its name."""
    names = [str(one.get("name", at)) if isinstance(one, dict) else str(at) for at, one in enumerate(owner)]
    if step in names:
        return names.index(step)
    if step.isdecimal() and int(step) < len(owner):
        return int(step)
    raise _nowhere(path, step, names)


def _nowhere(path: str, step: str, known: Sequence[str]) -> UsageError:
    guess = get_close_matches(step, known, n=1)
    hint = f"did you mean {guess[0]}? " if guess else ""
    there = f"there are {', '.join(known)}" if known else "nothing stands below it"
    return UsageError(f"--what-if: {path} leads nowhere at {step}; {hint}{there}")
