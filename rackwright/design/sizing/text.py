"""A site file as a person would write it: sections in their order, short mappings on one line, comments."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from textwrap import wrap
from typing import Any

import yaml

from rackwright.base.terminal_text import as_line
from rackwright.design.sizing.comments import comments
from rackwright.design.sizing.fit import Sized

WIDTH = 120
INDENT = "  "


def site_text(sized: Sized) -> str:
    """The text of the site file, with a comment on every choice."""
    return data_text(sized.data, comments(sized))


def data_text(data: Mapping[str, Any], comment_by_path: Mapping[str, str]) -> str:
    """The text of a site file: `data` with the comments in front of their field paths (``fabrics.compute``), the empty one on top."""
    lines = [*_comment(comment_by_path.get("", ""), "")]
    for key, value in data.items():
        if key in comment_by_path:
            lines.append("")
            lines += _comment(comment_by_path[key], "")
        elif isinstance(value, (dict, list)):
            lines.append("")
        lines += _entry(key, value, "", key, comment_by_path)
    return "\n".join(lines) + "\n"


def _entry(key: str, value: Any, indent: str, path: str, comment_by_path: Mapping[str, str]) -> Iterator[str]:
    """One key with its value, on one line where that fits and nothing inside has a comment."""
    nested = isinstance(value, (dict, list))
    name = _scalar(key, nested=True)
    flow = f"{indent}{name}: {_flow(value, nested=nested)}"
    inside = any(commented.startswith(f"{path}.") for commented in comment_by_path)
    if not nested or (_is_flat(value) and not inside and len(flow) <= WIDTH):
        yield flow
        return
    yield f"{indent}{name}:"
    if isinstance(value, dict):
        yield from _mapping(value, indent + INDENT, path, comment_by_path)
    else:
        yield from _items(value, indent + INDENT, path, comment_by_path)


def _mapping(data: Mapping[str, Any], indent: str, path: str, comment_by_path: Mapping[str, str]) -> Iterator[str]:
    for key, value in data.items():
        at = f"{path}.{key}"
        yield from _comment(comment_by_path.get(at, ""), indent)
        yield from _entry(key, value, indent, at, comment_by_path)


def _items(data: Sequence[Any], indent: str, path: str, comment_by_path: Mapping[str, str]) -> Iterator[str]:
    for number, value in enumerate(data):
        at = f"{path}.{value['name'] if isinstance(value, dict) and 'name' in value else number}"
        yield from _comment(comment_by_path.get(at, ""), indent)
        flow = f"{indent}- {_flow(value)}"
        commented = any(path_.startswith(f"{at}.") for path_ in comment_by_path)
        if not isinstance(value, dict) or (len(flow) <= WIDTH and not commented):
            yield flow
            continue
        block = list(_mapping(value, f"{indent}{INDENT}", at, comment_by_path))
        yield f"{indent}- {block[0].lstrip()}"
        yield from block[1:]


def _is_flat(value: Any) -> bool:
    """True when nothing is nested in `value` but lists of plain values."""
    inner = value.values() if isinstance(value, dict) else value
    return not any(
        isinstance(element, dict) or (isinstance(element, list) and not _is_flat(element)) for element in inner
    )


def _flow(value: Any, *, nested: bool = True) -> str:
    """`value` on one line; `nested`: it stands inside braces or brackets."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_flow(key)}: {_flow(element)}" for key, element in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow, value)) + "]"
    return _scalar(value, nested=nested)


@lru_cache(maxsize=4096, typed=True)  # each stands in the line of everything that it is nested in
def _scalar(value: Any, *, nested: bool) -> str:
    """A plain value as YAML that reads back the same: quoted where its characters would end the context, escaped where they are invisible."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, str) and as_line(value) != value:
        return yaml.safe_dump(value, default_style='"', width=math.inf).strip()
    text = yaml.safe_dump([value] if nested else value, default_flow_style=True, width=math.inf, allow_unicode=True)
    return text.strip()[1:-1] if nested else text.removesuffix("...\n").strip()


def _comment(text: str, indent: str) -> Iterator[str]:
    for paragraph in text.splitlines():
        yield from (f"{indent}# {line}" for line in wrap(as_line(paragraph), WIDTH - len(indent) - 2))
