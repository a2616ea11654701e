"""Parses one answer: raw output goes through the parser of its collector, and every failure becomes a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from rackwright.base import foreign
from rackwright.collect.collector import Collector, Collectors, ParseError
from rackwright.collect.output import MOST_LETTERS, Output

HALF = re.compile(
    r"(?<!\\)(?P<before>(?:\\\\)*)"
    r"(?:(?P<whole>\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})|\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
)
"""A character that JSON spells as a surrogate pair, or one half alone; the backslashes before it are escaped ones."""


DOCUMENTS = {"node": "node_document", "bmc": "redfish_visit", "equipment": "redfish_visit"}
"""Scope of a collector -> the limit of a JSON document."""


class ParsedAnswer(NamedTuple):
    """One parsed answer: a value, or the sentence why there is none."""

    value: Any
    raw: str
    """Hash of the raw output."""
    error: str
    taken_at: str = ""
    """ISO time in UTC at which its run began; empty if nothing was read."""


class Seen(NamedTuple):
    """A parsed answer with the machine and subject that it is about."""

    machine: str
    """The machine that answered."""
    collector: str
    subject: str
    reading: ParsedAnswer
    nodes: frozenset[str] = frozenset()
    """For a test over several nodes: the nodes whose evidence it belongs to."""


def readings(outputs: Iterable[tuple[Output, str]], collectors: Collectors, taken_at: str = "") -> list[Seen]:
    """All `outputs` parsed, each given with the hash of its standard output; outputs of collectors that do not exist
    are omitted.
    """
    return [
        Seen(
            output.node,
            output.collector,
            output.subject,
            reading(output, raw, collectors[output.collector], taken_at),
            frozenset(output.nodes),
        )
        for output, raw in outputs
        if output.collector in collectors
    ]


def reading(output: Output, raw: str, collector: Collector, taken_at: str = "") -> ParsedAnswer:
    """`output` parsed by its collector; `raw` is the hash of its standard output."""
    value, error = _read(output, collector)
    return ParsedAnswer(value, raw, error if len(error) <= MOST_LETTERS else f"{error[:MOST_LETTERS]}…", taken_at)


def _read(output: Output, collector: Collector) -> tuple[Any, str]:
    if output.error:
        return None, output.error
    if output.rc not in collector.accepts:
        lines = (output.stderr or output.stdout).decode(errors="replace").strip().splitlines()
        words = f": {lines[-1]}" if lines else " and printed nothing"
        name = collector.library or " ".join(collector.command[:1])
        return None, f"{name} ended with status {output.rc}{words}"
    try:
        if output.stdout.lstrip()[:1] in (b"{", b"[") and collector.scope in DOCUMENTS:
            foreign.refuse_document(output.stdout, foreign.limit(DOCUMENTS[collector.scope]))
        value = collector.parse(_words(output.stdout))
    except ParseError as error:
        return None, f"output cannot be read, {error}"
    except foreign.RefusedAnswerError as error:
        return None, f"{output.node} answered with {error}: find out what answers there, its raw output is stored"
    except Exception as error:  # noqa: BLE001 - a crash of a parser is reported as the failure of this reading alone
        return None, f"the parser of {output.collector} crashed on this output ({type(error).__name__}: {error})"
    return (_with_attendance(value, output) if collector.scope == "group" else value), ""


def _words(output: bytes) -> str:
    """Output as text.

    Half of a surrogate pair, which JSON may spell but UTF-8 cannot encode, becomes a replacement character.
    """
    text = output.decode(errors="replace")
    return HALF.sub(_whole_character, text) if "\\ud" in text or "\\uD" in text else text


def _whole_character(match: re.Match[str]) -> str:
    return match[0] if match["whole"] else f"{match['before']}\N{REPLACEMENT CHARACTER}"


def _with_attendance(value: Any, output: Output) -> Any:
    """The results of a test over several nodes, completed with its subject and its nodes if the tool did not print
    them.
    """
    attendance = {"subject": output.subject, "nodes": list(output.nodes)}
    return value.model_copy(
        update={name: [_result_with(result, attendance) for result in results] for name, results in lists(value)}
    )


def _result_with(result: Any, attendance: Mapping[str, Any]) -> Any:
    unsaid = {name: value for name, value in attendance.items() if getattr(result, name, value) in ("", [])}
    return result.model_copy(update=unsaid) if unsaid and hasattr(result, "model_copy") else result


def lists(value: Any) -> list[tuple[str, list[Any]]]:
    """The fields of a record that are lists, each with its name."""
    return [(name, results) for name in type(value).model_fields if isinstance(results := getattr(value, name), list)]
