"""The one-line reason that the scheduler shows for a node.

Every reason starts with `PREFIX`, by which the gate distinguishes its drains from those of an operator.
"""

from __future__ import annotations

from collections.abc import Sequence

from rackwright.model.gate import Gate, Hold
from rackwright.model.verdict import Outcome, Verdict

PREFIX = "rackwright:"
"""Start of every reason that rackwright sets, here and in the Slurm role."""
LONGEST = 200
"""Longest reason, in characters, that operators can still read in `sinfo -R`."""
WORST_FIRST = (Outcome.FAIL, Outcome.INCONCLUSIVE, Outcome.NOT_RUN, Outcome.DEGRADED)


def accepted_reason(gate: Gate, verdicts: int, waived: Sequence[str]) -> str:
    """Reason of an accepted node."""
    note = f", waived: {', '.join(waived)}" if waived else ""
    return reason_line(f"gate {gate.name} open, {verdicts} verdicts{note}")


def refused_reason(gate: Gate, blocking: Sequence[Verdict], missing: Sequence[str], holds: Sequence[Hold] = ()) -> str:
    """Reason of a refused node: the worst verdict first, then checks without a verdict, then holds, and how many more
    there are.
    """
    if blocking:
        first = min(blocking, key=lambda verdict: (WORST_FIRST.index(verdict.outcome), verdict.check))
        text = f"{first.check}: {_short_reason(first)}"
    elif missing:
        text = f"{missing[0]}: no verdict, gate {gate.name} asks for one"
    elif holds:
        text = f"{holds[0].rule}: {holds[0].says}"
    else:
        text = f"gate {gate.name} asks for nothing, so it shows nothing"
    more = len({*(verdict.check for verdict in blocking), *missing, *(hold.rule for hold in holds)}) - 1
    note = f" (and {more} more)" if more > 0 else ""
    room = LONGEST - len(PREFIX) - 1 - len(note)
    return reason_line(_shortened(text, room) + note)


def reason_line(text: str) -> str:
    """`text` after the prefix, in printable ASCII without double quotes, at most `LONGEST` characters."""
    plain = text.replace('"', "'").encode("ascii", "replace").decode()
    printable = plain if plain.isprintable() else "".join(letter if letter.isprintable() else " " for letter in plain)
    return f"{PREFIX} {printable}"[:LONGEST]


def _shortened(text: str, room: int) -> str:
    """`text` in at most `room` characters, ending after a whole word."""
    if len(text) <= room:
        return text
    return f"{text[: room - 3].rsplit(' ', 1)[0].rstrip(' ,;:(')}..."


def _short_reason(verdict: Verdict) -> str:
    """Observed and expected; for a verdict without a reading its sentence, without the node's name."""
    if verdict.outcome in (Outcome.FAIL, Outcome.DEGRADED):
        return f"{verdict.observed}; expected {verdict.expected}"
    sentence = verdict.says.removeprefix(f"{verdict.target}: ")
    return sentence if verdict.observed == "no reading" else f"{verdict.outcome.value}, {sentence}"
