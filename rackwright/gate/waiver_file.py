"""Adds a row, or the name of an approver to a row, to a waiver file that people write by hand.

The existing text is not touched: comments, order and layout stay, and the row is added after the last one in the style
of the list. The caller parses the result before it replaces the file.
"""

from __future__ import annotations

import json

import yaml

from rackwright.model.gate import Waiver, WaiverSignature

KEY = "waivers"
SIGNATURES = "signatures"
APPROVED = "approved_by"
PLAIN = ("check", "node", "until", "since")
"""Fields whose values need no quotes: ids, names and dates."""


def append_waiver(text: str, waiver: Waiver) -> str:
    """`text` with `waiver` as its last row. Raises ValueError if the file is not a mapping of lists."""
    return _append(text, KEY, _fields(waiver))


def append_signature(text: str, signature: WaiverSignature) -> str:
    """`text` with `signature` after the existing ones. Raises ValueError if the file is not a mapping of lists."""
    return _append(text, SIGNATURES, _fields(signature))


def _append(text: str, table: str, fields: list[str]) -> str:
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    if root is not None and not isinstance(root, yaml.MappingNode):
        raise ValueError("the file is no mapping")
    rows = next((value for key, value in root.value if key.value == table), None) if root is not None else None
    if rows is None:
        return _joined_text(text, f"{table}:\n{_block(fields, 2)}")
    if isinstance(rows, yaml.SequenceNode) and rows.value:
        return _text_with_row(text, rows, fields)
    if isinstance(rows, yaml.SequenceNode) or rows.tag == "tag:yaml.org,2002:null":
        start, end = rows.start_mark.index, rows.end_mark.index
        emptied = text[:start].rstrip(" ") + text[end:]
        return _after_line(emptied, len(text[:start].rstrip(" ")), _block(fields, 2))
    raise ValueError(f"{table} is no list")


def approve_waiver(text: str, place: int, person: str) -> str:
    """`text` with `person` added to the approvers of the row at index `place` (from 0).

    Raises ValueError if the file has no list of rows.
    """
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    rows = next((value for key, value in root.value if key.value == KEY), None) if root is not None else None
    if not isinstance(rows, yaml.SequenceNode) or not isinstance(rows.value[place], yaml.MappingNode):
        raise ValueError(f"{KEY} is no list of rows")  # noqa: TRY004 - about the file, as above
    row, name = rows.value[place], json.dumps(person, ensure_ascii=False)
    names = next((value for key, value in row.value if key.value == APPROVED), None)
    if names is None and row.flow_style:
        end = row.value[-1][1].end_mark.index
        return f"{text[:end]}, {APPROVED}: [{name}]{text[end:]}"
    if names is None:
        return _after_line(text, _last_node(row).end_mark.index, f"{' ' * row.start_mark.column}{APPROVED}: [{name}]\n")
    if names.flow_style:
        end = names.end_mark.index - 1
        return f"{text[:end]}{', ' if names.value else ''}{name}{text[end:]}"
    return _after_line(text, _last_node(names).end_mark.index, f"{' ' * names.start_mark.column}- {name}\n")


def _text_with_row(text: str, rows: yaml.SequenceNode, fields: list[str]) -> str:
    last = _last_node(rows.value[-1])
    if rows.flow_style:
        end = rows.value[-1].end_mark.index
        return f"{text[:end]}, {{{', '.join(fields)}}}{text[end:]}"
    return _after_line(text, last.end_mark.index, _block(fields, rows.start_mark.column))


def _last_node(node: yaml.Node) -> yaml.Node:
    """The last written node below `node`: a block ends where the next node begins."""
    while isinstance(node, yaml.CollectionNode) and node.value and not node.flow_style:
        below = node.value[-1]
        node = below[1] if isinstance(below, tuple) else below
    return node


def _after_line(text: str, index: int, rows: str) -> str:
    """`text` with `rows` inserted after the line that holds `index`, including a comment at its end."""
    if index and text[index - 1] == "\n":  # a block scalar ends where the next line begins
        return text[:index] + rows + text[index:]
    end = text.find("\n", index)
    return _joined_text(text, rows) if end < 0 else text[: end + 1] + rows + text[end + 1 :]


def _joined_text(text: str, rows: str) -> str:
    return (text if not text or text.endswith("\n") else f"{text}\n") + rows


def _block(fields: list[str], column: int) -> str:
    indent = " " * column
    return "".join(f"{indent}{'- ' if number == 0 else '  '}{field}\n" for number, field in enumerate(fields))


def _fields(row: Waiver | WaiverSignature) -> list[str]:
    values = {name: value for name, value in row.model_dump().items() if value and name != APPROVED}
    return [
        f"{name}: {value if name in PLAIN else json.dumps(value, ensure_ascii=False)}" for name, value in values.items()
    ]
