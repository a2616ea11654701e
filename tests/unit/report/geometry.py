"""Reads a drawing back: where its words stand, whether they touch, whether anything leaves the sheet."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from xml.etree import ElementTree

from rackwright.report.drawings import metrics

SVG = "{http://www.w3.org/2000/svg}"
SIZES = {"h": 17.0, "f": 10.0, "k": 9.0, "n": 8.5, "l": 11.0, "s": 7.5}
BOLD = {"h", "b", "w"}
TOUCHING = 0.4
"""Boxes of letters may touch by this much: they are rounded to a tenth."""


@dataclass(frozen=True)
class Word:
    text: str
    x0: float
    top: float
    x1: float
    bottom: float


def parsed(markup) -> ElementTree.Element:
    return ElementTree.fromstring(str(markup))


def words(root: ElementTree.Element) -> list[Word]:
    """Every text with the box of its letters, in the units of the sheet."""
    return list(_walk(root, 0.0, 0.0))


def _walk(element, dx, dy):
    shift = re.fullmatch(r"translate\(([-\d.e]+) ([-\d.e]+)\)", element.get("transform", ""))
    if shift:
        dx, dy = dx + float(shift[1]), dy + float(shift[2])
    if element.tag == f"{SVG}text" and element.text:
        yield _word(element, dx, dy)
    for child in element:
        yield from _walk(child, dx, dy)


def _word(element, dx, dy) -> Word:
    classes = element.get("class", "").split()
    size = next((SIZES[name] for name in classes if name in SIZES), 9.0)
    wide = metrics.width(element.text, size, bold=bool(BOLD & set(classes)))
    x, y = float(element.get("x")) + dx, float(element.get("y")) + dy
    if "rotate(-90" in element.get("transform", ""):
        return Word(element.text, x - size * 0.75, y - wide, x + size * 0.2, y)
    x0 = x - wide if "e" in classes else x - wide / 2 if "c" in classes else x
    return Word(element.text, x0, y - size * 0.75, x0 + wide, y + size * 0.2)


def overlapping(words: list[Word]) -> list[tuple[str, str]]:
    """Pairs of texts whose letters touch."""
    rows = sorted(words, key=lambda word: word.top)
    pairs = []
    for at, word in enumerate(rows):
        for neighbour in rows[at + 1 :]:
            if neighbour.top >= word.bottom - TOUCHING:
                break
            if word.x0 < neighbour.x1 - TOUCHING and neighbour.x0 < word.x1 - TOUCHING:
                pairs.append((word.text, neighbour.text))
    return pairs


def outside(root: ElementTree.Element) -> list[str]:
    """Texts that leave the sheet."""
    _, _, wide, high = map(float, root.get("viewBox").split())
    return [
        word.text
        for word in words(root)
        if word.x0 < -0.5 or word.x1 > wide + 0.5 or word.top < -0.5 or word.bottom > high + 0.5
    ]


def titles(root: ElementTree.Element) -> list[str]:
    """Hover texts."""
    return [title.text or "" for title in root.iter(f"{SVG}title")]


def assert_sound(markup) -> ElementTree.Element:
    """What every sheet must be: well-formed, named, legible, complete in itself."""
    root = parsed(markup)
    assert overlapping(words(root)) == []
    assert outside(root) == []
    assert root[0].tag == f"{SVG}title"
    assert root[1].tag == f"{SVG}desc"
    assert root[0].text
    assert root[1].text
    assert root.get("role") == "img"
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    text = str(markup)
    assert "url(" not in text
    assert "href" not in text
    assert "nan" not in re.sub(r">[^<]*<", "><", text)
    assert (
        min((SIZES[c] for e in root.iter(f"{SVG}text") for c in e.get("class", "").split() if c in SIZES), default=9)
        >= 7
    )
    return root


def columns(values) -> list[float]:
    """Distances between neighbours."""
    return [b - a for a, b in pairwise(sorted(values))]
