"""Makes Slurm follow the decisions.

`plan` has four rules: only rackwright's own drain (its reason starts with `rackwright:`) is ever lifted; nodes that an
operator drained are left alone and reported, accepted or not; a refused node is drained even if it is already in
service; a node that slurmctld does not reach is not in service, and its drain stays.

Slurm has no compare-and-set, so the command on the controller checks the reason again before it changes the node: if
the reason changed since it was read, nothing is changed and the node is read again. The result is read back: the state
that Slurm reports counts, not the exit status.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from rackwright.base.errors import OutsideError
from rackwright.gate.reason import PREFIX
from rackwright.gate.slurm_nodes import SlurmNode, parse
from rackwright.model.gate import Decision

Run = Callable[[Sequence[str]], tuple[int, str, str]]
"""Runs an argument list where `scontrol` works: exit status, standard output, standard error."""
OUT = ("down", "error", "future", "unknown")
"""Base states in which a node runs nothing although it is not drained."""
Verb = Literal["resume", "drain", "nothing", "leave"]
TRIES = 3
"""Number of times that a node is read again if something else changes it at the same time."""
PAUSE = ("sleep", "1")
PAUSES = range(10)
"""Number of pauses of a second, for all nodes together, after which an unreachable node is read again.

A resume marks a node as not responding until it answers the ping that follows at once (Slurm 22.05.8,
src/slurmctld/node_mgr.c, update_node); ten seconds are Slurm's own limit for a message (slurm.conf(5), MessageTimeout,
default). A node that takes longer is resumed by the next run.
"""
CHANGED = 75
"""Exit status of `GUARDED` if the reason has changed (sysexits.h, EX_TEMPFAIL)."""
GUARDED = """
now=$(scontrol --oneliner show node "$1") || exit
case $now in *Reason=*) now=${now#*Reason=} ;; *) now= ;; esac
while case $now in *' ') true ;; *) false ;; esac; do now=${now% }; done
[ "$now" = "$2" ] || { echo "its reason is now: ${now:-none}" >&2; exit 75; }
node=$1; shift 2
exec scontrol update "NodeName=$node" "$@"
"""
"""Arguments: the node, the reason that was read, the change."""
DONE = {"resume": "resumed", "drain": "drained"}


@dataclass(frozen=True)
class SchedulerAct:
    """The action on one node and its result, or why nothing was done."""

    node: str
    verb: Verb
    done: bool
    """True if the node is now as decided; False also for a node that was left to its operator."""
    says: str


def plan(decision: Decision, node: SlurmNode | None) -> tuple[Verb, str]:
    """The action for one node, and the reason."""
    if node is None:
        return "leave", "Slurm does not know this node: add it to slurm.conf"
    if _drained_by_person(node):
        who = f" by {node.reason_by}" if node.reason_by else ""
        return "leave", f"{node.words}{who} ({node.reason or 'no reason'}): left to whoever drained it"
    if not decision.accepted:
        current = node.drained and node.reason == decision.reason
        return ("nothing", f"stays drained: {decision.reason}") if current else ("drain", decision.reason)
    if not node.answers:
        return (
            "leave",
            f"accepted, but slurmctld does not reach it ({node.words}): look at slurmd on the node, its port and munge",
        )
    if node.drained:
        return "resume", f"accepted: {decision.reason}"
    if node.state in OUT:
        return "leave", f"accepted, but Slurm says {node.words}: look at slurmd on the node"
    return "nothing", f"in service already ({node.words})"


def _drained_by_person(node: SlurmNode) -> bool:
    """True if a person took the node out: a drain without our prefix, or a node set down by a user other than Slurm."""
    if node.reason.startswith(PREFIX):
        return False
    return node.drained or (node.state in OUT and bool(node.reason) and node.reason_by not in ("", "slurm"))


def apply_decisions(decisions: Iterable[Decision], run: Run, *, dry_run: bool = False) -> list[SchedulerAct]:
    """Carry out every decision, node by node. With `dry_run` nothing is changed, and `done` is True for nodes that
    already are as decided.

    Raises OutsideError if Slurm does not answer; a node that Slurm refuses to change is a `SchedulerAct` that is not
    done.
    """
    pauses = iter(() if dry_run else PAUSES)
    return [_apply(decision, run, pauses, dry_run=dry_run) for decision in decisions]


def _apply(decision: Decision, run: Run, pauses: Iterator[int], *, dry_run: bool) -> SchedulerAct:
    for _ in range(TRIES):
        node = read(decision.node, run)
        while decision.accepted and node is not None and not node.answers and next(pauses, None) is not None:
            run(PAUSE)
            node = read(decision.node, run)
        verb, why = plan(decision, node)
        if node is None or verb in ("nothing", "leave") or dry_run:
            return SchedulerAct(decision.node, verb, done=verb == "nothing", says=f"{decision.node}: {why}")
        change = ["State=RESUME"] if verb == "resume" else ["State=DRAIN", f"Reason={decision.reason}"]
        status, _, error = run(["sh", "-c", GUARDED, "sh", decision.node, node.printed_reason, *change])
        if status != CHANGED:
            break
    after = read(decision.node, run)
    done = after is not None and (_drained_for_decision(after, decision) if verb == "drain" else _in_service(after))
    if done:
        return SchedulerAct(decision.node, verb, done=True, says=f"{decision.node}: {DONE[verb]}, {why}")
    state = f"{after.words}, reason {after.reason!r}" if after else "gone"
    message = error.strip().split("\n")[-1] if status else "Slurm took the command"
    return SchedulerAct(
        decision.node, verb, done=False, says=f"{decision.node}: {verb} did not hold ({message}); now {state}"
    )


def _drained_for_decision(node: SlurmNode, decision: Decision) -> bool:
    return node.drained and node.reason == decision.reason


def _in_service(node: SlurmNode) -> bool:
    return not node.drained and node.state not in OUT


def read(node: str, run: Run) -> SlurmNode | None:
    """The current node; None if Slurm does not know it. Raises OutsideError if Slurm does not answer."""
    status, text, error = run(["scontrol", "--oneliner", "show", "node", node])
    node_read = parse(text).get(node)
    if node_read is None and "not found" not in f"{text}{error}".lower():
        message = (error or text).strip().split("\n")[-1] or f"exit status {status}"
        raise OutsideError(f"Slurm does not answer ({message}): check that slurmctld runs on the controller")
    return node_read
