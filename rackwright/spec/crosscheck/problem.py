"""One way to write a problem of a cross-check; the caller that knows the file adds the line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rackwright.base.errors import Problem
from rackwright.spec.fields import nearest_word


def problem(path: str, code: str, message: str, expected: str, actual: str, next_step: str) -> Problem:
    """A problem at the field `path`; its place is filled in from there."""
    return Problem("site", path, message, expected, actual or "empty text", next_step, f"spec.{code}")


def with_article(noun: str) -> str:
    """``a server``, ``an instance``."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def unknown_name(path: str, what: str, name: str, names: Sequence[str]) -> Iterator[Problem]:
    """A problem when `name` is not among `names`, which the site has of this kind."""
    if name in names:
        return
    guess = nearest_word(name, names)
    noun = with_article(what)
    step = f"did you mean {guess}?" if guess else f"name {noun} of the site, or leave it out"
    expected = f"one of {', '.join(names)}" if names else noun
    code = "unknown_" + what.split()[-1]
    yield problem(path, code, f"there is no {what} {name}", expected, name, step)
