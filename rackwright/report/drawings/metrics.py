"""Text widths, so that no text runs over a line or into other text.

The widths are those of DejaVu Sans, the widest face of the font stack in ``drawings.css``: what fits in it fits in Helvetica and Arial too.
"""

from __future__ import annotations

from collections.abc import Iterable

_EM = {
    **dict.fromkeys("il'|jI.,:;!", 0.34),
    **dict.fromkeys("ftr()[]-/ ", 0.41),
    **dict.fromkeys("mMW@%", 0.98),
    **dict.fromkeys("wOQGDNHU&", 0.82),
    **dict.fromkeys("…→←×·", 0.84),
}
"""Widths in em of what is much narrower or wider than the rest (DejaVu Sans 2.37, ``hmtx``), rounded up by group."""
_USUAL, _CAPITAL, _BOLD = 0.64, 0.70, 1.12
_OTHER = 1.0
"""Anything outside Latin-1: full-width letters of East Asian names take a whole em."""


def width(words: str, size: float, *, bold: bool = False) -> float:
    """Width of `words` at font size `size`, in the same unit."""
    em = sum(_letter(letter) for letter in words)
    return em * size * (_BOLD if bold else 1)


def fit(words: str, room: float, size: float, *, bold: bool = False) -> str:
    """`words`, shortened with an ellipsis to fit `room`; empty if not even two letters fit."""
    if width(words, size, bold=bold) <= room:
        return words
    width_left = room - width("…", size, bold=bold)
    count = 0
    for letter in words:
        width_left -= width(letter, size, bold=bold)
        if width_left < 0:
            break
        count += 1
    return words[:count].rstrip() + "…" if count > 1 else ""


def first_fit(forms: Iterable[str], room: float, size: float, *, bold: bool = False) -> str:
    """The first of `forms`, ordered from long to short, that fits; empty if none does."""
    return next((form for form in forms if width(form, size, bold=bold) <= room), "")


def wrap(words: str, room: float, size: float) -> list[str]:
    """`words` broken between words into lines that fit `room`; a word that is too long is shortened."""
    lines: list[str] = []
    for word in words.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width(longer, size) <= room:
            lines[-1] = longer
        else:
            lines.append(fit(word, room, size))
    return lines


def _letter(letter: str) -> float:
    if letter in _EM:
        return _EM[letter]
    if ord(letter) > 0x24F:
        return _OTHER
    return _CAPITAL if letter.isupper() else _USUAL
