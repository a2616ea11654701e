"""The output of a shell that prints several sources one after the other, each under a line ``== name``.

The number of a line is computed only for errors: it is needed once in a thousand outputs, and costs as much as the
parsing.
"""

from __future__ import annotations

HEADER = "== "


def read(output: str) -> dict[str, list[str]]:
    """Section -> its lines; a section that occurs twice is continued. Lines before the first header are dropped."""
    by_section: dict[str, list[str]] = {}
    for part in f"\n{output}".split(f"\n{HEADER}")[1:]:
        name, _, body = part.partition("\n")
        by_section.setdefault(name.strip(), []).extend(filter(str.strip, body.splitlines()))
    return by_section


def number(output: str, name: str, index: int) -> int:
    """The line of `output`, from 1, that holds line `index` of section `name` (as `read` returns it); 1 if there is
    none.
    """
    current, remaining = "", index
    for at, text in enumerate(output.splitlines(), start=1):
        if text.startswith(HEADER):
            current = text[len(HEADER) :].strip()
        elif current == name and text.strip():
            if remaining == 0:
                return at
            remaining -= 1
    return 1
