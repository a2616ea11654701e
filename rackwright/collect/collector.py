"""The shape of a collector: the source of an output, and a pure function from that output to a record.

A source of evidence is added as one file ``validators/collectors/<id>.py`` that defines `COLLECTOR`; its path is its
id. `library` finds them all. A parser raises `ParseError` at the line that it cannot read. For input of an unexpected
kind (a number of 5,000 digits, a list where a tool prints a text) Python raises errors of its own; `Collector` turns
these into `ParseError`, for every parser.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, wraps
from pathlib import Path
from typing import Any, Literal, get_args

from rackwright.base import content, foreign
from rackwright.base.errors import Problem, ProblemsError
from rackwright.base.finite_number import finite
from rackwright.model.base import Record
from rackwright.model.design import Node

Scope = Literal["node", "bmc", "equipment", "subnet", "scheduler", "group"]


class ParseError(ValueError):
    """Output that cannot be read: the line, the text found there, and what was expected."""

    def __init__(self, line: int, text: str, expected: str) -> None:
        excerpt = text if len(text) <= SHOWN_CHARACTERS else text[:SHOWN_CHARACTERS] + "…"
        super().__init__(f"line {line}: expected {expected}, found {excerpt!r}")
        self.line = line
        self.text = text


SHOWN_CHARACTERS = 120
"""Number of characters of an unreadable line that a message shows; the whole line is in the evidence store."""
UNEXPECTED = (ValueError, ArithmeticError, LookupError, TypeError, AttributeError, RecursionError)
"""Exceptions that Python raises for values of another kind or size than a parser expects."""
ENDLESS = re.compile(r"[0-9]{4301}")
"""A number with more digits than Python converts (``sys.int_info.default_max_str_digits``)."""


@dataclass(frozen=True)
class Collector:
    """One source of evidence."""

    produces: type[Record]
    """The record that `parse` returns; for scope ``subnet`` and ``scheduler`` the record of one node in its result."""
    parse: Callable[[str], Any]
    """Pure: from standard output to the record (scope ``scheduler``: to the records of all nodes)."""
    seconds: float
    """Time limit of the command."""
    roles: tuple[str, ...]
    """Roles of the nodes that owe this record; for scope ``equipment`` kinds of equipment (``rack_pdu``)."""
    command: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    """Where the vendor installs its program, searched after the folders of administrators."""
    library: str = ""
    """Name of the library that the probe calls instead of a command (``nvml``)."""
    accepts: tuple[int, ...] = (0,)
    """Exit statuses with usable output; any other status is an error of the tool."""
    as_root: bool = False
    """True if the tool prints less, or nothing, for a user that is not root: such a user runs it by sudo."""
    scope: Scope = "node"
    """Where it runs: on the node itself, against its BMC, against a PDU or CDU, once per InfiniBand subnet, once on the
    scheduler, on several nodes."""
    vendors: tuple[str, ...] = ()
    """Makers of the accelerators of the nodes that owe this record; empty: any, and nodes without accelerators."""
    schedulers: tuple[str, ...] = ()
    """Schedulers of the nodes that owe this record (``kubernetes``); empty: any."""
    owed: Callable[[Node], bool] = lambda _: True
    """Which nodes of its roles and vendors owe this record: a rack-wide NVLink domain has a daemon that other nodes lack."""
    load: bool = False
    """True if it puts the machine under load: only a burn-in runs it, one load test at a time on a node."""
    place: int = 0
    """Position in a burn-in, low ones first: tests that heat disturbs (bandwidth) come before tests that heat the node."""
    optional: bool = False
    """True for a load test that a burn-in runs only if the user names it: not every site has its programs on its nodes."""
    own_lines: tuple[str, ...] = ()
    """Scope ``group``: patterns of lines that a node prints about itself, each with a group that is its name; printed
    by any other node they are refused.
    """
    first_lines: tuple[str, ...] = ()
    """Scope ``group``: patterns of lines that only the first node prints, for all."""
    verb: str = ""
    """The verb that runs it if that is not `rackwright burnin`: it needs more than a command on nodes."""

    def __post_init__(self) -> None:
        """Wrap `parse` so that every exception becomes a `ParseError`."""
        object.__setattr__(self, "parse", _refusing(self.parse, self.library or " ".join(self.command[:1])))


def _refusing(parse: Callable[[str], Any], tool: str) -> Callable[[str], Any]:
    """`parse`, wrapped: output of `tool` of an unexpected kind or size raises `ParseError`."""

    @wraps(parse)
    def refusing(output: str) -> Any:
        try:
            value = parse(output)
            _must_be_finite(value)
        except (ParseError, foreign.RefusedAnswerError):
            raise
        except UNEXPECTED as error:
            raise _unexpected(output, tool, error) from error
        return value

    return refusing


def _must_be_finite(value: Any) -> None:
    """ValueError for infinity and nan anywhere in a record: they cannot be compared, and JSON has no notation for them."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, float):
            finite(part)
        elif isinstance(part, Record):
            waiting.extend(getattr(part, name) for name in _fractions(type(part)))
        elif isinstance(part, dict):
            waiting.extend(part.values())
        elif isinstance(part, list | tuple):
            waiting.extend(part)


@cache
def _fractions(record: type[Record]) -> tuple[str, ...]:
    """Names of the fields that may hold a float: most records have few, and a site has millions of other fields."""
    return tuple(name for name, field in record.model_fields.items() if _may_hold(field.annotation))


def _may_hold(annotation: Any) -> bool:
    if isinstance(annotation, type) and issubclass(annotation, Record):
        return bool(_fractions(annotation))
    return annotation in (float, Any) or any(map(_may_hold, get_args(annotation)))


def _unexpected(output: str, tool: str, error: Exception) -> ParseError:
    for number, line in enumerate(output.splitlines(), start=1):
        if ENDLESS.search(line):
            return ParseError(number, line, "numbers of fewer than 4,300 digits")
    return ParseError(1, output, f"what {tool} prints ({type(error).__name__}: {str(error)[:SHOWN_CHARACTERS]})")


Collectors = Mapping[str, Collector]
"""Collectors by id."""


class CollectorLibrary(dict[str, Collector]):
    """All collectors of some content roots, by id."""

    def __init__(self, roots: content.Roots, collectors: Collectors) -> None:
        super().__init__(collectors)
        self.roots = roots


def library(roots: content.Roots | None = None) -> CollectorLibrary:
    """All collectors below `roots` (default: the shipped content), by id, in id order; cached per `roots`.

    Raises ProblemsError for files that cannot be loaded or define no `COLLECTOR`.
    """
    return _library(roots or content.shipped())


@cache
def _library(roots: content.Roots) -> CollectorLibrary:
    collectors: dict[str, Collector] = {}
    problems: list[Problem] = []
    for identity, module in content.modules("validators", "collectors", roots=roots).items():
        entry = getattr(module, "COLLECTOR", None)
        if isinstance(entry, Collector):
            collectors[identity] = entry
        else:
            shape = "`COLLECTOR = Collector(...)`"
            path = Path(str(module.__file__))
            problems.append(content.undefined(path, "COLLECTOR", shape, entry, "collect.no_collector"))
    if problems:
        raise ProblemsError(problems)
    return CollectorLibrary(roots, collectors)
