"""One answer, read: raw output through the parser of its collector, and every failure a sentence. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rackwright.collect.collector import Collector, ParseError
from rackwright.collect.output import Output


@dataclass(frozen=True)
class Reading:
    """One parsed answer: a value or the sentence why there is none."""

    value: Any
    raw: str
    """Hash of the raw output."""
    error: str
    taken: str = ""
    """ISO time in UTC at which its run began; empty when nothing was read."""


@dataclass(frozen=True)
class Seen:
    """A reading, and what it is about."""

    machine: str
    """The machine that was asked."""
    collector: str
    subject: str
    reading: Reading
    nodes: frozenset[str] = frozenset()
    """For a test over several nodes: the nodes whose evidence it belongs to."""


def reading(output: Output, raw: str, collector: Collector, taken: str = "") -> Reading:
    """What `output` says; `raw` is the hash of its standard output."""
    value, error = _read(output, collector)
    return Reading(value, raw, error, taken)


def _read(output: Output, collector: Collector) -> tuple[Any, str]:
    if output.error:
        return None, output.error
    if output.rc not in collector.accepts:
        said = (output.stderr or output.stdout).decode(errors="replace").strip().splitlines()
        words = f": {said[-1]}" if said else " and said nothing"
        name = collector.library or " ".join(collector.command[:1])
        return None, f"{name} ended with status {output.rc}{words}"
    try:
        value = collector.parse(output.stdout.decode(errors="replace"))
    except ParseError as error:
        return None, f"output cannot be read, {error}"
    except Exception as error:  # noqa: BLE001 - a crash of a parser is that reading's failure, named, and nobody else's
        return None, f"the parser of {output.collector} crashed on this output ({type(error).__name__}: {error})"
    return (_attended(value, output) if collector.scope == "group" else value), ""


def _attended(value: Any, output: Output) -> Any:
    """The result of a test over several nodes, with what its output does not say: the test, and who took part in it."""
    return value.model_copy(
        update={
            "results": [
                one.model_copy(update={"subject": output.subject, "nodes": list(output.nodes)}) for one in value.results
            ]
        }
    )
