"""The small part of Markdown that check texts are written in, as HTML that is safe to embed.

Headings, paragraphs, lists, fenced code, tables,
bold and inline code are known; a link is shown as its text and its address, because the report refers to nothing outside.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from markupsafe import Markup, escape

_FENCE = re.compile(r"^\s*(```|~~~)")
_HEADING = re.compile(r"^(#{1,6})\s+(.+?)\s*#*$")
_ITEM = re.compile(r"^\s*(?:[-*+]|(\d+)[.)])\s+(.*)$")
_TABLE_RULE = re.compile(r"^\s*\|?[\s:|-]+\|[\s:|-]*$")
_INLINE = re.compile(r"`([^`]+)`|\*\*(.+?)\*\*|\[([^\]]+)\]\(([^)\s]+)\)")

_TOP_HEADING = 4
"""Check texts are embedded below an h3, so that the outline of the page has no gaps."""


def html(text: str) -> Markup:
    """`text` as HTML."""
    return Markup("\n").join(_block(block) for block in _blocks(text))


def inline(text: str) -> Markup:
    """One line with its bold, code and links."""
    parts: list[Markup] = []
    at = 0
    for match in _INLINE.finditer(text):
        parts.append(escape(text[at : match.start()]))
        parts.append(_span(match))
        at = match.end()
    parts.append(escape(text[at:]))
    return Markup("").join(parts)


def _span(match: re.Match[str]) -> Markup:
    code, bold, label, address = match.groups()
    if code is not None:
        return Markup("<code>{}</code>").format(code)
    if bold is not None:
        return Markup("<strong>{}</strong>").format(inline(bold))
    return Markup("{} ({})").format(label, address)


def _blocks(text: str) -> Iterator[list[str]]:
    """Runs of lines that belong together: separated by empty lines, and at headings; a fence is one block."""
    block: list[str] = []
    fenced = False
    for line in text.splitlines():
        fence = bool(_FENCE.match(line))
        starts = not fenced and (fence or _HEADING.match(line) or _starts_list(block, line))
        if block and (starts or (not fenced and not line.strip())):
            yield block
            block = []
        if line.strip() or fenced:
            block.append(line)
        ends = (fenced and fence) or (not fenced and _HEADING.match(line))
        fenced = fenced != fence
        if ends:
            yield block
            block = []
    if block:
        yield block


def _starts_list(block: list[str], line: str) -> bool:
    return bool(block) and not _ITEM.match(block[0]) and bool(_ITEM.match(line))


def _block(lines: list[str]) -> Markup:
    first = lines[0]
    if _FENCE.match(first):
        closed = len(lines) > 1 and _FENCE.match(lines[-1])
        return Markup("<pre>{}</pre>").format("\n".join(lines[1:-1] if closed else lines[1:]))
    if heading := _HEADING.match(first):
        level = min(6, _TOP_HEADING - 1 + len(heading[1]))
        return Markup("<h{0}>{1}</h{0}>").format(level, inline(heading[2]))
    if _ITEM.match(first):
        return _list(lines)
    if len(lines) > 1 and "|" in first and _TABLE_RULE.match(lines[1]):
        return _table(lines)
    return Markup("<p>{}</p>").format(inline(" ".join(line.strip() for line in lines)))


def _list(lines: list[str]) -> Markup:
    items: list[str] = []
    ordered = False
    for line in lines:
        item = _ITEM.match(line)
        if item:
            ordered = ordered or item[1] is not None
            items.append(item[2])
        else:
            items[-1] += " " + line.strip()
    tag = "ol" if ordered else "ul"
    body = Markup("").join(Markup("<li>{}</li>").format(inline(item)) for item in items)
    return Markup("<{0}>{1}</{0}>").format(tag, body)


def _table(lines: list[str]) -> Markup:
    head, rows = _cells(lines[0]), [_cells(line) for line in lines[2:]]
    top = Markup("").join(Markup('<th scope="col">{}</th>').format(inline(cell)) for cell in head)
    body = Markup("").join(
        Markup("<tr>{}</tr>").format(Markup("").join(Markup("<td>{}</td>").format(inline(cell)) for cell in row))
        for row in rows
    )
    return Markup("<table><thead><tr>{}</tr></thead><tbody>{}</tbody></table>").format(top, body)


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]
