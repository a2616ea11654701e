"""Tests over several nodes, in rounds: tests of one round run at the same time on nodes that they do not share.

Each round is a separate call, so that a caller who searches for a faulty part can decide after each one what is tested
next.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import Any

import polars as pl

from rackwright.base import concurrency
from rackwright.base.tasks import as_they_end
from rackwright.collect import collector
from rackwright.collect.gather import now_utc
from rackwright.collect.launchers.launcher import Launch, Launcher
from rackwright.collect.output import Output
from rackwright.collect.plan import infiniband_ports, node_digest
from rackwright.collect.store.closing_entries import ISOLATION
from rackwright.collect.store.hash_chain import digest
from rackwright.collect.store.reading import ParsedAnswer, reading
from rackwright.collect.store.recording import Recording, Store
from rackwright.model.design import Design

End = tuple[str, str, int]
"""Node, adapter, accelerator."""


@dataclass(frozen=True)
class GroupTest:
    """One test on several nodes."""

    collector: str
    """Id of a collector of scope ``group``."""
    nodes: tuple[str, ...]
    subject: str
    """Name of the test, unique among the tests of a node (``all_reduce train-001+train-002``)."""
    words: Mapping[str, str] = field(default_factory=dict)
    """Values for ``{name}`` in the command, besides those of the design (`command_words`)."""


def command_words(design: Design, node: str) -> dict[str, str]:
    """Values from the design for the braces of a command: number of ``accelerators`` of a node, its ``rails`` with
    their accelerators, and ``memory``: the options by which perftest uses accelerator memory.
    """
    machine = design.node(node)
    maker = design.vendors.get(machine.accelerator.vendor) if machine.accelerator else None
    return {
        "accelerators": str(machine.accelerators),
        "rails": " ".join(f"{port}={accelerator}" for port, accelerator in rail_adapters(design, node).items()),
        "memory": maker.perftest_memory if maker else "",
    }


def rail_adapters(design: Design, node: str) -> dict[str, int]:
    """The rail adapters of a node in rail order -> index of the accelerator that each serves."""
    ports = design.ports.filter((pl.col("device") == node) & pl.col("rail").is_not_null()).sort("rail", "number")
    rails = [(str(port), int(rail)) for port, rail in ports.select("port", "rail").iter_rows()]
    each = design.node(node).accelerators / max(1, len({rail for _, rail in rails}))
    return {port: int(rail * each) for port, rail in rails}


def flow_word(sender: End, receiver: End) -> str:
    """One word of ``{flows}``: sender and receiver, each with the accelerator whose memory it uses."""
    return "/".join(str(part) for end in (sender, receiver) for part in end)


def flows_to_next(design: Design, nodes: Sequence[str]) -> str:
    """The default of ``{flows}``: every node sends on every rail to the same rail of the next one."""
    ends = {node: [(node, *port) for port in rail_adapters(design, node).items()] for node in nodes}
    hops = zip(nodes, (*nodes[1:], nodes[0]), strict=True)
    return " ".join(flow_word(*pair) for a, b in hops for pair in zip(ends[a], ends[b], strict=False))


def launch(design: Design, test: GroupTest, library: collector.Collectors) -> Launch:
    """The command of `test` with every brace filled.

    KeyError for a collector or node that does not exist; ValueError for a brace without a value.
    """
    entry = library[test.collector]
    rings = any("{flows}" in word for word in entry.command) and "flows" not in test.words
    values = {
        **command_words(design, test.nodes[0]),
        **({"flows": flows_to_next(design, test.nodes)} if rings else {}),
        **test.words,
    }
    command = tuple(_filled_word(word, values) for word in entry.command)
    open_braces = [name for name in BRACES if any(f"{{{name}}}" in word for word in command)]
    if open_braces:
        raise ValueError(f"{test.subject}: {test.collector} needs a word for {', '.join(open_braces)}")
    accelerators = design.node(test.nodes[0]).accelerators
    return Launch(test.subject, test.nodes, command, entry.seconds, accelerators, entry.own_lines, entry.first_lines)


BRACES = ("accelerators", "collective", "flows", "memory", "rails", "shared")
"""Names in braces that commands may have; other braces belong to the shell."""


def _filled_word(word: str, values: Mapping[str, str]) -> str:
    for name in BRACES:
        if name in values:
            word = word.replace(f"{{{name}}}", values[name])
    return word


class Testing:
    """A run of tests over several nodes, round after round."""

    def __init__(
        self, design: Design, launcher: Launcher, recording: Recording, at_once: int, on_event: Callable[[str], None]
    ) -> None:
        self.run = recording.run
        self._design, self._launcher, self._recording = design, launcher, recording
        self._at_once, self._on_event = at_once, on_event
        self._library = collector.library(design.roots)

    def round(self, tests: Sequence[GroupTest]) -> list[tuple[GroupTest, ParsedAnswer]]:
        """Run `tests` at the same time and return each with its parsed answer, in order; a test without output has an
        error.

        ValueError if two of them share a node.
        """
        shared = [node for node, count in Counter(node for test in tests for node in test.nodes).items() if count > 1]
        if shared:
            raise ValueError(f"{', '.join(sorted(shared))} would take part in two tests at once")
        launches = [launch(self._design, test, self._library) for test in tests]
        return asyncio.run(self._round(tests, launches))

    def conclude(self, result: Mapping[str, Any]) -> None:
        """Store the conclusion of the tests as an entry behind their answers."""
        self._recording.note({"kind": ISOLATION, "result": dict(result)})

    async def _round(
        self, tests: Sequence[GroupTest], launches: Sequence[Launch]
    ) -> list[tuple[GroupTest, ParsedAnswer]]:
        readings: dict[int, ParsedAnswer] = {}
        async for number, output in self._outputs(tests, launches):
            entry = self._library[tests[number].collector]
            self._recording.add(output)  # raw first, and at once: the next test may take an hour
            readings[number] = reading(output, digest(output.stdout), entry)
            self._on_event(tests[number].subject)
        return [(test, readings[number]) for number, test in enumerate(tests)]

    async def _outputs(
        self, tests: Sequence[GroupTest], launches: Sequence[Launch]
    ) -> AsyncIterator[tuple[int, Output]]:
        async def run_test(number: int) -> tuple[int, Output]:
            output, test = await self._launcher.launch(launches[number]), tests[number]
            return number, replace(output, collector=test.collector, subject=test.subject, nodes=test.nodes)

        async for numbered in as_they_end((partial(run_test, number) for number in range(len(tests))), self._at_once):
            yield numbered


@contextmanager
def open_rounds(
    design: Design,
    nodes: Sequence[str],
    collectors: Sequence[str],
    launcher: Launcher,
    store: Store,
    *,
    at_once: int | None = None,
    on_event: Callable[[str], None] = lambda _subject: None,
    now: Callable[[], datetime] = now_utc,
    asked_by: str = "",
) -> Iterator[Testing]:
    """Open a run in which `nodes` owe the records of `collectors`; `on_event` is called with the subject of each
    completed test.

    KeyError for a node that the design does not have.
    """
    for node in nodes:
        design.node(node)
    header = {
        "site": design.site.site,
        "purpose": "group",
        "owed": {node: tuple(collectors) for node in nodes},
        "adapters": infiniband_ports(design, nodes),
        "designs": {node: node_digest(design.node(node)) for node in nodes},
        "asked_by": asked_by,
    }
    with store.begin(header, now()) as recording:
        yield Testing(design, launcher, recording, at_once or concurrency.at_once("group_tests"), on_event)
