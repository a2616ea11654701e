"""The output of a shell that prints several sources one after the other, each under a line ``== name``.

The
number of a line is worked out only where one cannot be read: it is wanted once in a thousand outputs, and costs as much as the reading.
"""

from __future__ import annotations

HEADER = "== "


def read(output: str) -> dict[str, list[str]]:
    """Section -> its lines; one that comes twice goes on. Lines before the first header belong to none."""
    by_section: dict[str, list[str]] = {}
    for part in f"\n{output}".split(f"\n{HEADER}")[1:]:
        name, _, body = part.partition("\n")
        by_section.setdefault(name.strip(), []).extend(filter(str.strip, body.splitlines()))
    return by_section


def number(output: str, name: str, index: int) -> int:
    """The line of `output`, from 1, on which line `index` of section `name` stands (as `read` gives it); 1 when there is none."""
    current, remaining = "", index
    for at, text in enumerate(output.splitlines(), start=1):
        if text.startswith(HEADER):
            current = text[len(HEADER) :].strip()
        elif current == name and text.strip():
            if remaining == 0:
                return at
            remaining -= 1
    return 1
