"""The text of a check: read from its file, split into sections."""

from __future__ import annotations

import re

from rackwright.base import content

_HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*\s*$")
_BOLD_LEAD = re.compile(r"^\*\*(.+?)[.:]?\*\*[.:]?\s*(.*)$")
_WHAT_TO_DO = re.compile(r"^(what to do|next step|to do)\b", re.IGNORECASE)


def read_check_text(check: str, roots: content.Roots | None = None) -> str:
    """The Markdown of `check` (``gpu.row_remap``) below `roots` (default: what is shipped); empty if there is none."""
    name = f"validators/checks/{check.replace('.', '/')}.md"
    path = next((root / name for root in roots or content.shipped() if (root / name).is_file()), None)
    return path.read_text(encoding="utf-8") if path else ""


def body(text: str) -> str:
    """The text without its title, which the report prints itself."""
    first, _, rest = text.lstrip().partition("\n")
    return rest.lstrip() if first.startswith("# ") else text


def next_step(text: str) -> str:
    """The "what to do" section of a check text, without its heading; empty if there is none."""
    section: list[str] = []
    inside = False
    for line in text.splitlines():
        title, rest = _title(line)
        if title:
            inside = bool(_WHAT_TO_DO.match(title))
        if inside:
            section.append(rest)
    return "\n".join(section).strip()


def _title(line: str) -> tuple[str, str]:
    """Title and remainder if `line` opens a section (a heading, or a paragraph that starts in bold)."""
    if heading := _HEADING.match(line):
        return heading[1], ""
    if lead := _BOLD_LEAD.match(line):
        return lead[1], lead[2]
    return "", line
