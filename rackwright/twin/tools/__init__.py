"""Output of every collector's tool, computed from the state alone: no host, no connection, no tool.

One module for each collector, named by its id: `observe` returns the record, and `render` the output that the collector parses to it.
"""

from __future__ import annotations

import importlib
import importlib.util
import shlex
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from types import ModuleType
from typing import Any

from rackwright.base import content
from rackwright.base.content import Roots
from rackwright.collect import collector as collectors
from rackwright.collect.output import Ask, Output
from rackwright.collect.plan import CollectPlan, plan_requests
from rackwright.model.design import Design
from rackwright.twin.hardware.state import State

HANGS = "{node} accepted the connection and then sent nothing: its sshd hangs, restart it"
REFUSED = "the BMC of {node} refused the account (HTTP 401)"
OFF = "{node} does not answer: it is switched off"


Answer = Callable[[Design, State, str, Ask], Output]
Through = Callable[[Answer, Design, State, str, Ask], Output]
"""Computes an answer, or takes it from a cache."""


class Silent(Exception):  # noqa: N818 - not an error of the twin: the tool would not answer
    """The tool would not answer; the sentence gives the reason."""


class Failed(Exception):  # noqa: N818 - likewise
    """The tool would exit with `status` and this text on standard error."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status


def outputs(
    design: Design, state: State, nodes: Sequence[str], *, load: bool = False
) -> tuple[CollectPlan, list[Output]]:
    """The questions for `nodes` and their answers; `load` as in `collect.plan`.

    Machines that answer for the whole site and are not in `state` stay silent, as if they were switched off.
    """
    requests = plan_requests(design, nodes, collectors.library(design.roots), load=load)
    return requests, list(plan_outputs(design, state, requests, load=load))


def directly(answer: Answer, design: Design, state: State, machine: str, ask: Ask) -> Output:
    """A `Through` without a cache."""
    return answer(design, state, machine, ask)


def plan_outputs(
    design: Design, state: State, requests: CollectPlan, *, load: bool = False, through: Through = directly
) -> Iterator[Output]:
    """The answers of `outputs` to the questions in `requests`, one after the other: those of a large site would fill the memory."""
    for machine, asks in requests.asks.items():
        for ask in asks:
            yield through(answer_request, design, state, machine, ask)
    library = collectors.library(design.roots)
    bmcs = [
        Ask(name, collector.seconds)
        for name, collector in library.items()
        if collector.scope in ("bmc", "equipment") and collector.load == load
    ]
    for node in requests.bmcs:
        for ask in bmcs:
            if ask.id in requests.owed[node]:
                yield through(_asked_bmc, design, state, node, ask)


def equipment(design: Design, state: State, name: str) -> bytes:
    """Documents of the controller of the rack PDU or CDU called `name`; raises `Silent` when it does not answer."""
    kind = state.plant.units[name].kind
    observer = tool(kind, design.roots)
    assert observer is not None, f"the twin has nothing that answers {kind}"
    rendered: bytes = observer.render(observer.observe(state, design, name))
    return rendered


def answers(design: Design, state: State, node: str) -> dict[str, dict[str, Any]]:
    """Command line -> ``{"stdout", "stderr", "rc"}`` for every collector whose tool is simulated on the hosts of the twin."""
    library = collectors.library(design.roots)
    answers_by_command = {}
    for load in (False, True):
        for ask in plan_requests(design, [node], library, load=load).asks.get(node, ()):
            if ask.command and getattr(tool(ask.collector, design.roots), "ANSWERED", False):
                output = _answer(design, state, node, ask)
                text = {"stdout": output.stdout.decode(), "stderr": output.stderr.decode() or output.error}
                answers_by_command[shlex.join(ask.command)] = {**text, "rc": 1 if output.error else output.rc}
    return answers_by_command


def answer_request(design: Design, state: State, machine: str, ask: Ask) -> Output:
    """The answer of one machine to one question."""
    hardware = state.machines.get(machine)
    if hardware is None or hardware.power_state != "On":
        return _no_output(machine, ask, OFF.format(node=machine))
    if hardware.ssh_hangs:
        return _no_output(machine, ask, HANGS.format(node=machine))
    return _answer(design, state, machine, ask)


def _asked_bmc(design: Design, state: State, node: str, ask: Ask) -> Output:
    if node in state.machines and state.machines[node].bmc_password_refused:
        return _no_output(node, ask, REFUSED.format(node=node))
    return _answer(design, state, node, ask)


def _answer(design: Design, state: State, machine: str, ask: Ask) -> Output:
    observer = tool(ask.collector, design.roots)
    if observer is None:
        return _no_output(machine, ask, f"the twin has nothing that answers {ask.collector}")
    try:
        record = observer.observe(state, design, ask.subject or machine)
    except Silent as reason:
        return _no_output(machine, ask, str(reason))
    except Failed as failure:
        return Output(machine, ask.collector, ask.subject, stderr=str(failure).encode(), rc=failure.status)
    raw = record if isinstance(record, bytes) else observer.render(record)
    return Output(machine, ask.collector, ask.subject, stdout=raw, rc=0)


def _no_output(machine: str, ask: Ask, why: str) -> Output:
    return Output(machine, ask.collector, ask.subject, error=why)


@cache
def tool(identity: str, roots: Roots | None = None) -> ModuleType | None:
    """The module of the collector called `identity`, of the twin or below ``twin/tools`` of a site; None when there is no such tool."""
    name = f"{__name__}.{identity}"
    if importlib.util.find_spec(name):
        return importlib.import_module(name)
    return content.modules("twin", "tools", roots=roots).get(identity)
