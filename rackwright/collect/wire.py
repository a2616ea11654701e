r"""The conversation with the probe: one command line, one stream in, one JSON line per answer out.

The stream is ``<length>\n<zipapp><request>``. The bootstrap puts the zipapp into an anonymous file in memory and runs
it, so that nothing is ever written to the disk of the node, not even after a kill; the request is the rest of its input.
"""

from __future__ import annotations

import base64
import json
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from rackwright.base import foreign
from rackwright.base.finite_number import finite
from rackwright.collect.output import Ask, Output

BOOTSTRAP = """
import os, sys, zipimport
def take(count):
    block = os.read(0, count)
    if not block:
        sys.exit("rackwright: the probe arrived cut short")
    return block
digits = b""
while not digits.endswith(b"\\n"):
    digits += take(1)
left, probe = int(digits), os.memfd_create("rackwright-probe", 0)
while left:
    block = take(min(left, 65536))
    left -= len(block)
    while block:
        block = block[os.write(probe, block):]
sys.argv[:] = ["/proc/self/fd/%d" % probe]
sys.path.insert(0, sys.argv[0])
exec(zipimport.zipimporter(sys.argv[0]).get_code("__main__"), {"__name__": "__main__"})
"""

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
"""Folders of administrators' tools; a collector names the folders of its vendor (`Collector.folders`)."""


def node_command(before: str = "", by: Sequence[str] = ()) -> str:
    """The command line for the shell of a node: English output, the folders of administrators, and the bootstrap.

    `before` is Python that runs before the probe, with `os` and `sys`; `by` is the prefix that runs all of it
    (`Access.as_root`). Python starts once, and without the packages of the node: that is half of the cost of the probe.
    """
    program = BOOTSTRAP.replace("exec(zipimport", f"{before}exec(zipimport")
    return " ".join(["exec", *by, f"env LC_ALL=C PATH={PATH}:$PATH python3 -I -S -c", shlex.quote(program)])


COMMAND = node_command()

END = "end"
BOOT = re.compile("[0-9a-f-]{0,64}")
"""The kernel's id of a boot, or nothing."""
MOST_STATUS = (1 << 32) - 1
"""Largest exit status of any system; a negative one is a signal."""

LEFT_OUT = "the probe left this question out"

Hear = Callable[[Output], None]
"""Called with each answer as it arrives."""


def probe_bytes(zipapp: bytes, asks: Iterable[Ask], cooldown: float | None = None) -> bytes:
    """The whole stream for a node; with `cooldown` (seconds) its commands run one after the other."""
    return probe_payload(zipapp) + question_bytes(asks, cooldown).encode()


def probe_payload(zipapp: bytes) -> bytes:
    """The first part of the stream, which is the same for every node."""
    return b"%d\n" % len(zipapp) + zipapp


def question_bytes(asks: Iterable[Ask], cooldown: float | None = None) -> str:
    """The second part of the stream: the questions."""
    document: dict[str, Any] = {"commands": [_request(ask) for ask in asks]}
    if cooldown is not None:
        document["cooldown"] = cooldown
    return json.dumps(document)


class Conversation:
    """Parses the output of one probe, as it arrives in blocks."""

    def __init__(self, node: str, asks: Sequence[Ask], most_bytes: int) -> None:
        self.ended = False
        """True if the probe has sent its last line."""
        self._node, self._asks, self._most = node, asks, most_bytes
        self._buffer, self._read = bytearray(), 0

    def take(self, block: bytes) -> Iterator[Output]:
        """The answers that `block` completes.

        ValueError for output that the probe cannot have sent, or that is too long.
        """
        self._read += len(block)
        if self._read > self._most:
            raise foreign.RefusedAnswerError(f"it sent more than {foreign.size(self._most)}", self._buffer)
        searched = len(self._buffer)
        self._buffer += block
        if len(self._buffer) - len(block) > foreign.limit("probe_line").bytes:
            raise foreign.RefusedAnswerError("it sent a line that is longer than any answer of the probe", self._buffer)
        while not self.ended and (end := self._buffer.find(b"\n", searched)) >= 0:
            line = bytes(self._buffer[:end])
            del self._buffer[: end + 1]
            searched = 0
            if line.startswith(b"{"):  # anything else is a greeting of a login shell
                output = answer(self._node, self._asks, line)
                self.ended = output is None
                if output is not None:
                    yield output


def _request(ask: Ask) -> dict[str, Any]:
    what: dict[str, Any] = {"library": ask.library} if ask.library else {"argv": list(ask.command)}
    if ask.as_root:
        what["as_root"] = True
    if ask.without_root:
        what["without_root"] = True
    if ask.folders:
        what["folders"] = list(ask.folders)
    return {"id": ask.id, **what, "seconds": ask.seconds}


def answer(node: str, asks: Iterable[Ask], line: bytes) -> Output | None:
    """One line of the probe as an Output; None for the last line.

    ValueError for a line that the probe cannot have sent.
    """
    try:
        document = foreign.json_document(line, foreign.limit("probe_line"))
        if document["id"] == END:
            return None
        ask = {ask.id: ask for ask in asks}[document["id"]]
        return Output(
            node=node,
            collector=ask.collector,
            subject=ask.subject,
            stdout=_content(document["stdout"], foreign.limit("command_stdout")),
            stderr=_content(document["stderr"], foreign.limit("command_stderr")),
            rc=_status(document["rc"]),
            seconds=finite(document["seconds"]),
            error=_error(ask, _text(document["error"])),
            tool=_text(document["tool"]),
            clock=_text(document["clock"]),
            boots=_boots(document.get("boot")),
        )
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        words = f"{node}: the probe answered with a line that it cannot have sent: {line[:120]!r}"
        raise foreign.RefusedAnswerError(words, line) from error


def _content(text: str, most: foreign.ForeignLimit) -> bytes:
    content = base64.b64decode(text, validate=True)
    if len(content) > most.bytes + foreign.BLOCK:  # the probe stops after the block that exceeds the limit
        raise ValueError("the probe keeps less of a command")
    return content


def _status(value: object) -> int | None:
    """An exit status, or None. TypeError for anything else: one that cannot be stored would cost the whole run."""
    if value is not None and (type(value) is not int or abs(value) > MOST_STATUS):
        raise TypeError("that is no exit status")
    return value


def _text(value: object) -> str:
    """A text of the probe; empty if it is missing. TypeError for any value that is not text."""
    if not isinstance(value, str | None):
        raise TypeError(f"{type(value).__name__} instead of a text")
    return value or ""


def _boots(value: object) -> tuple[str, ...]:
    """The boot id that a node reports, as a tuple; empty if it reports none. ValueError for anything else."""
    if not BOOT.fullmatch(boot := _text(value)):
        raise ValueError("that is no boot id")
    return (boot,) if boot else ()


def question_id(output: Output) -> str:
    """The id of the question that `output` answers."""
    return Ask(output.collector, 0, subject=output.subject).id


def _error(ask: Ask, message: str) -> str:
    name = ask.library or ask.command[0]
    if message == "timeout":
        return f"{name} did not end within {ask.seconds:g} s"
    if message == "sudo refused":
        return (
            f"sudo does not let this user run {name} as root: install what `rackwright sudoers SITE` prints on the node"
        )
    if message == "not found":
        return f"{name} is not installed on the node"
    return f"{name}: {message}" if message else ""
