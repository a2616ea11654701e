"""Records which machine stands at which node, on request: from then on another machine there is refused."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from rackwright.base.durable_file import replace_file
from rackwright.base.errors import OutsideError, UsageError
from rackwright.base.tasks import as_they_end
from rackwright.model.access import Access
from rackwright.model.design import Node
from rackwright.model.resource import MachineIdentity
from rackwright.redfish.apply import read_machine
from rackwright.redfish.bmc_files import read_identities
from rackwright.redfish.concurrency import limits
from rackwright.redfish.identity import to_text


def record(path: Path | None, nodes: Sequence[Node], access: Access) -> Iterator[str]:
    """Append the machines behind the BMCs of nodes that have no line in `path` yet, and say what was done.

    UsageError when the site names no file. Of machines that report no serial number, or that of another node, no line is written.
    """
    declared = _declared(path)
    answers = asyncio.run(_answers([node for node in nodes if node.name not in declared], access))
    yield from write(path, answers)


def write(path: Path | None, answers: Mapping[str, MachineIdentity | OutsideError]) -> Iterator[str]:
    """Append the machines of `answers`, by node, that have no line yet; as `record`."""
    declared = _declared(path)
    assert path is not None, "`_declared` refuses a site without a file"
    places = {identity.serial: name for name, identity in declared.items()}
    lines, refused = [], []
    for name, answer in sorted((name, answer) for name, answer in answers.items() if name not in declared):
        reason = str(answer) if isinstance(answer, OutsideError) else _refusal(name, answer, places)
        if reason:
            refused.append(reason)
        elif isinstance(answer, MachineIdentity):
            places[answer.serial] = name
            lines.append(f"{name} {to_text(answer)}\n")
    text = (
        path.read_text(encoding="utf-8")
        if path.exists()
        else "# Node, serial number and UUID of the machine that stands there\n"
    )
    replace_file(path, text + "".join(lines))
    yield f"{len(lines)} machines are recorded in {path}, {len(declared)} were; compare them with the delivery note before you trust them"
    yield from (f"  {reason}" for reason in refused)


def _declared(path: Path | None) -> dict[str, MachineIdentity]:
    if path is None:
        raise UsageError("the site names no file for its machines: set control.bmc.identities_file, then run again")
    return read_identities(path) if path.exists() else {}


def _refusal(name: str, answer: MachineIdentity | OutsideError, places: Mapping[str, str]) -> str:
    """Why no line is written of a machine; empty where one is."""
    if isinstance(answer, OutsideError):
        return str(answer)
    if len(answer.serial.split()) != 1:
        return f"{name} reports {'the serial number ' + repr(answer.serial) if answer.serial else 'no serial number'}: have the maker write its plate"
    if answer.serial in places:
        return f"{name} reports serial number {answer.serial}, which is that of {places[answer.serial]}: correct the address of one BMC, or exchange the two machines"
    return ""


async def _answers(nodes: Sequence[Node], access: Access) -> dict[str, MachineIdentity | OutsideError]:
    async def look(node: Node) -> tuple[str, MachineIdentity | OutsideError]:
        try:
            return node.name, (await read_machine(node.bmc_address, access)).identity
        except OutsideError as silent:
            return node.name, silent

    looks = (partial(look, node) for node in nodes)
    return {name: answer async for name, answer in as_they_end(looks, limits()["log_ins_at_once"])}
