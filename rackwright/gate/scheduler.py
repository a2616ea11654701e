"""Makes Slurm follow the decisions.

Three rules, in `plan`: only a drain of our own (its reason starts with `rackwright:`) is ever lifted; what an operator
drained is left alone and reported, accepted or not; a refused node is drained, also one that is already in service. Slurm
has no write that compares, so the controller itself looks at the reason once more in the call that changes the node: when
somebody has set another one since it was read, nothing is changed and the node is looked at anew. It is read back
afterwards: Slurm's word counts, not the exit status.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from rackwright.base.errors import OutsideError
from rackwright.gate.reason import PREFIX
from rackwright.gate.slurm_nodes import SlurmNode, parse
from rackwright.model.gate import Decision

Run = Callable[[Sequence[str]], tuple[int, str, str]]
"""Runs an argument list where `scontrol` works: exit status, standard output, standard error."""
OUT = ("down", "error", "future", "unknown")
"""Base states in which a node runs nothing although nobody drained it."""
Verb = Literal["resume", "drain", "nothing", "leave"]
TRIES = 3
"""How often a node is looked at anew that others change while we act on it."""
CHANGED = 75
"""Exit status of `GUARDED` when the reason is another one (sysexits.h, EX_TEMPFAIL)."""
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
class Act:
    """What was done to one node, or why nothing was."""

    node: str
    verb: Verb
    done: bool
    """The node is now as the decision wants it; False also for a node that was left to its operator."""
    says: str


def plan(decision: Decision, seen: SlurmNode | None) -> tuple[Verb, str]:
    """What to do with one node, and why."""
    if seen is None:
        return "leave", "Slurm does not know this node: add it to slurm.conf"
    if _somebodys(seen):
        who = f" by {seen.reason_by}" if seen.reason_by else ""
        return "leave", f"{seen.words}{who} ({seen.reason or 'no reason'}): left to whoever drained it"
    if not decision.accepted:
        current = seen.drained and seen.reason == decision.reason
        return ("nothing", f"stays drained: {decision.reason}") if current else ("drain", decision.reason)
    if seen.drained:
        return "resume", f"accepted: {decision.reason}"
    if seen.state in OUT:
        return "leave", f"accepted, but Slurm says {seen.words}: look at slurmd on the node"
    return "nothing", f"in service already ({seen.words})"


def _somebodys(seen: SlurmNode) -> bool:
    """Whether a person took the node out: a drain that is not ours, or a node that somebody but Slurm set down."""
    if seen.reason.startswith(PREFIX):
        return False
    return seen.drained or (seen.state in OUT and bool(seen.reason) and seen.reason_by not in ("", "slurm"))


def apply(decisions: Iterable[Decision], run: Run, *, dry_run: bool = False) -> list[Act]:
    """Carry out every decision, node by node. With `dry_run` nothing is changed and `done` says what already holds.

    Raises OutsideError when Slurm itself cannot be asked; a single node that Slurm refuses to change is an `Act` that is
    not done.
    """
    return [_apply(decision, run, dry_run=dry_run) for decision in decisions]


def _apply(decision: Decision, run: Run, *, dry_run: bool) -> Act:
    for _ in range(TRIES):
        seen = read(decision.node, run)
        verb, why = plan(decision, seen)
        if seen is None or verb in ("nothing", "leave") or dry_run:
            return Act(decision.node, verb, done=verb == "nothing", says=f"{decision.node}: {why}")
        change = ["State=RESUME"] if verb == "resume" else ["State=DRAIN", f"Reason={decision.reason}"]
        status, _, error = run(["sh", "-c", GUARDED, "sh", decision.node, seen.told, *change])
        if status != CHANGED:
            break
    after = read(decision.node, run)
    done = after is not None and (_drained(after, decision) if verb == "drain" else _in_service(after))
    if done:
        return Act(decision.node, verb, done=True, says=f"{decision.node}: {DONE[verb]}, {why}")
    found = f"{after.words}, reason {after.reason!r}" if after else "gone"
    told = error.strip().split("\n")[-1] if status else "Slurm took the command"
    return Act(decision.node, verb, done=False, says=f"{decision.node}: {verb} did not hold ({told}); now {found}")


def _drained(seen: SlurmNode, decision: Decision) -> bool:
    return seen.drained and seen.reason == decision.reason


def _in_service(seen: SlurmNode) -> bool:
    return not seen.drained and seen.state not in OUT


def read(node: str, run: Run) -> SlurmNode | None:
    """The node as Slurm has it now; None when Slurm does not know it. Raises OutsideError when Slurm does not answer."""
    status, text, error = run(["scontrol", "--oneliner", "show", "node", node])
    found = parse(text).get(node)
    if found is None and "not found" not in f"{text}{error}".lower():
        told = (error or text).strip().split("\n")[-1] or f"exit status {status}"
        raise OutsideError(f"Slurm does not answer ({told}): check that slurmctld runs on the controller")
    return found
