"""The site file as a person would have written it: sections in their order, short mappings on one line, comments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Any

import yaml

from rackwright.design.sizing.comments import comments
from rackwright.design.sizing.fit import Sized

WIDTH = 120
INDENT = "  "


def write(sized: Sized) -> str:
    """The text of the site file, with a comment on every choice that was made."""
    told = comments(sized)
    lines = [*_comment(told.get("", ""), "")]
    for key, value in sized.data.items():
        if key in told:
            lines.append("")
            lines += _comment(told[key], "")
        elif isinstance(value, (dict, list)):
            lines.append("")
        lines += _entry(key, value, "", key, told)
    return "\n".join(lines) + "\n"


def _entry(key: str, value: Any, indent: str, path: str, told: Mapping[str, str]) -> Iterator[str]:
    """One key with its value, on one line where that fits and nothing inside has a comment."""
    flow = f"{indent}{key}: {_flow(value)}"
    inside = any(one.startswith(f"{path}.") for one in told)
    if not isinstance(value, (dict, list)) or (_flat(value) and not inside and len(flow) <= WIDTH):
        yield flow
        return
    yield f"{indent}{key}:"
    if isinstance(value, dict):
        yield from _mapping(value, indent + INDENT, path, told)
    else:
        yield from _items(value, indent + INDENT, path, told)


def _mapping(data: Mapping[str, Any], indent: str, path: str, told: Mapping[str, str]) -> Iterator[str]:
    for key, value in data.items():
        at = f"{path}.{key}"
        yield from _comment(told.get(at, ""), indent)
        yield from _entry(key, value, indent, at, told)


def _items(data: Sequence[Any], indent: str, path: str, told: Mapping[str, str]) -> Iterator[str]:
    for number, value in enumerate(data):
        at = f"{path}.{value['name'] if isinstance(value, dict) and 'name' in value else number}"
        yield from _comment(told.get(at, ""), indent)
        flow = f"{indent}- {_flow(value)}"
        if len(flow) <= WIDTH and not any(one.startswith(f"{at}.") for one in told):
            yield flow
            continue
        block = list(_mapping(value, f"{indent}{INDENT}", at, told))
        yield f"{indent}- {block[0].lstrip()}"
        yield from block[1:]


def _flat(value: Any) -> bool:
    """True when nothing is nested in `value` but lists of plain values."""
    inner = value.values() if isinstance(value, dict) else value
    return not any(isinstance(one, dict) or (isinstance(one, list) and not _flat(one)) for one in inner)


def _flow(value: Any) -> str:
    """`value` on one line."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_flow(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_flow(one) for one in value) + "]"
    text = yaml.safe_dump(value, default_flow_style=True, width=10_000, allow_unicode=True).strip()
    return text.removesuffix("...").strip()


def _comment(text: str, indent: str) -> Iterator[str]:
    for paragraph in text.splitlines():
        yield from (f"{indent}# {line}" for line in wrap(paragraph, WIDTH - len(indent) - 2))
