"""Asks the scheduler before a node is disturbed, and takes a node out of service first.

Rules: a node with running jobs is never disturbed; a drain that an operator set is kept, reason and all;
nothing is ever resumed here, because a node that was changed joins again through the gate alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from rackwright.base.errors import OutsideError
from rackwright.onboard import slurm_state

Run = Callable[[Sequence[str]], tuple[int, str, str]]
"""Runs an argument list: exit status, standard output, standard error. OutsideError when the host does not answer."""
Note = Callable[[str], None]
Clock = Callable[[], float]
REASON = "rackwright: {why}, acceptance pending"
"""The prefix tells the gate that the drain is ours, so that it may lift it once the node is accepted."""
POLL_SECONDS = 5.0
"""How often the end of jobs is looked for: a job takes minutes, and slurmctld serves the whole site."""
DRAIN = """
reason=$1; shift
for node; do
  state=$(scontrol --oneliner show node "$node") || exit
  state=${state#* State=}
  case ${state%% *} in
    *DRAIN* | *DRNG* | DOWN | DOWN+*) ;;
    *) scontrol update "NodeName=$node" State=DRAIN "Reason=$reason" || exit ;;
  esac
done
"""
"""Arguments: the reason, the nodes. Slurm has no write that compares, so the controller looks once more itself: a node that somebody has
taken out meanwhile keeps the reason that he gave, by which the gate knows that it is not to lift it. DOWN* is a node that does not answer."""
NO_SUCH_COMMAND = 127
"""Exit status of a shell for a program that is not there: no scheduler was installed yet (POSIX.1-2024, Shell, 2.8.2)."""

STILL_SERVES = "Slurm, which it leaves, still gives it jobs"
NOT_SET_UP = "could not establish a configuration source"
"""What the programs of Slurm say where they are installed and no slurm.conf is there yet (22.05)."""


class Guard(Protocol):
    """Whoever stands between us and the users of nodes."""

    def running(self, nodes: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """Jobs by node, in words; nodes without any are left out."""

    def free(self, nodes: Sequence[str]) -> frozenset[str]:
        """Those that certainly serve nobody now and get no job later: they may be disturbed as they are."""

    def drain(self, nodes: Sequence[str], why: str, wait_seconds: float) -> Mapping[str, str]:
        """Take `nodes` out of service and wait for their jobs: by node, why it may not be disturbed; empty when it may."""


class Nobody:
    """The guard of hosts that serve no scheduler."""

    def running(self, nodes: Sequence[str]) -> Mapping[str, tuple[str, ...]]:  # noqa: ARG002 - the form of a Guard
        """Nothing runs."""
        return {}

    def free(self, nodes: Sequence[str]) -> frozenset[str]:
        """All of them."""
        return frozenset(nodes)

    def drain(self, nodes: Sequence[str], why: str, wait_seconds: float) -> Mapping[str, str]:  # noqa: ARG002 - as above
        """Nothing to wait for."""
        return dict.fromkeys(nodes, "")


class SlurmGuard:
    """Slurm, asked on its controller."""

    def __init__(self, run: Run, note: Note, *, clock: Clock = time.monotonic, sleep: Callable[[float], None] = time.sleep) -> None:  # fmt: skip
        self._run, self._note, self._clock, self._sleep = run, note, clock, sleep
        self._silent = False
        """Whether the controller did not answer when `running` last asked: its programs try for a minute before they give up."""

    def running(self, nodes: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """Jobs by node. When Slurm does not answer that is noted, and each host's own look at its processes has to do."""
        self._silent = False
        try:
            return self._jobs(nodes)
        except OutsideError as error:
            self._silent = True
            self._note(f"{error}; whether jobs run is left to what each node says of itself")
            return {}

    def free(self, nodes: Sequence[str]) -> frozenset[str]:
        """Nodes that Slurm does not know, and those that somebody took out, without jobs; none when it does not answer."""
        if self._silent:
            return frozenset()
        try:
            serving, jobs = self._in_service(nodes), self._jobs(nodes)
        except OutsideError:
            return frozenset()
        return frozenset(node for node in nodes if node not in serving and node not in jobs)

    def drain(self, nodes: Sequence[str], why: str, wait_seconds: float) -> Mapping[str, str]:
        """See `Guard`; a node that Slurm does not know, or a controller without Slurm, has nothing to drain."""
        try:
            in_service = self._in_service(nodes)
            if in_service:
                self._set_drain(in_service, REASON.format(why=why))
            jobs = self._wait(nodes, wait_seconds)
        except OutsideError as error:
            return dict.fromkeys(nodes, str(error))
        return {node: f"{', '.join(jobs[node])} still running" if node in jobs else "" for node in nodes}

    def _jobs(self, nodes: Sequence[str]) -> dict[str, tuple[str, ...]]:
        jobs = slurm_state.jobs_by_node(self._query_slurm(slurm_state.SQUEUE))
        return {node: jobs[node] for node in nodes if node in jobs}

    def _in_service(self, nodes: Sequence[str]) -> list[str]:
        states = self._states()
        return [node for node in nodes if node in states and not states[node].taken_out]

    def _states(self) -> Mapping[str, slurm_state.SlurmState]:
        return slurm_state.states_by_node(self._query_slurm(slurm_state.SINFO))

    def _set_drain(self, nodes: Sequence[str], reason: str) -> None:
        self._query_slurm(["sh", "-c", DRAIN, "sh", reason, *nodes])

    def _wait(self, nodes: Sequence[str], seconds: float) -> dict[str, tuple[str, ...]]:
        """Jobs that are left after at most `seconds`. Asked after the drain, so that none can begin unseen."""
        end = self._clock() + seconds
        while jobs := self._jobs(nodes):
            remaining = end - self._clock()
            if remaining <= 0:
                break
            self._sleep(min(POLL_SECONDS, remaining))
        return jobs

    def _query_slurm(self, argv: Sequence[str]) -> str:
        status, output, error = self._run(argv)
        if status == NO_SUCH_COMMAND or (status != 0 and NOT_SET_UP in error.lower()):
            return ""
        if status != 0:
            answer = (error or output).strip().split("\n")[-1] or f"exit status {status}"
            raise OutsideError(f"Slurm does not answer ({argv[0]}: {answer})")
        return output


class FormerSlurm(SlurmGuard):
    """Slurm, about nodes that have another scheduler now and whose jobs may still be there: they leave it drained, or not at all."""

    def running(self, nodes: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """Jobs by node; a node that gets jobs at any moment counts as busy as well."""
        jobs = super().running(nodes)
        try:
            serving = () if self._silent else self._in_service(nodes)
        except OutsideError:
            serving = ()
        return {**dict.fromkeys(serving, (STILL_SERVES,)), **jobs}

    def free(self, nodes: Sequence[str]) -> frozenset[str]:
        """Those that Slurm still knows and somebody took out; of one that it does not know nothing is certain."""
        try:
            states = frozenset() if self._silent else frozenset(self._states())
        except OutsideError:
            return frozenset()
        return super().free(nodes) & states


class HookGuard:
    """A command of the site, called with the name of a node: it ends with 0 once the node may be disturbed."""

    def __init__(self, command: Sequence[str], run: Run) -> None:
        """Without a `command` no node may be disturbed on purpose; `run` runs it on this machine."""
        self._command, self._run = tuple(command), run

    def running(self, nodes: Sequence[str]) -> Mapping[str, tuple[str, ...]]:  # noqa: ARG002 - the form of a Guard
        """Nothing: a command that only drains cannot tell, and each host looks at its own processes."""
        return {}

    def free(self, nodes: Sequence[str]) -> frozenset[str]:  # noqa: ARG002 - the form of a Guard
        """None that we know of."""
        return frozenset()

    def drain(self, nodes: Sequence[str], why: str, wait_seconds: float) -> Mapping[str, str]:  # noqa: ARG002 - as above
        """One node after the other, because a budget of disruptions is counted by whoever answers."""
        if not self._command:
            return dict.fromkeys(nodes, "nothing here takes it out of service: give --drain-hook")
        return {node: self._run_hook(node) for node in nodes}

    def _run_hook(self, node: str) -> str:
        status, output, error = self._run([*self._command, node])
        answer = (error or output).strip().split("\n")[-1]
        return "" if status == 0 else f"the drain hook refused it ({answer or f'exit status {status}'})"


class InTurn:
    """Two guards of the same nodes: the one of a scheduler that they may have had, and that of the one that they have."""

    def __init__(self, former: Guard, present: Guard) -> None:
        self._former, self._present = former, present

    def running(self, nodes: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """Jobs of both."""
        return {**self._present.running(nodes), **self._former.running(nodes)}

    def free(self, nodes: Sequence[str]) -> frozenset[str]:
        """Those that are certainly free of one of both: a node serves one scheduler at a time."""
        return self._former.free(nodes) | self._present.free(nodes)

    def drain(self, nodes: Sequence[str], why: str, wait_seconds: float) -> Mapping[str, str]:
        """The former one first; what it has certainly let go, and the other one never had, needs no second drain."""
        answers = dict(self._former.drain(nodes, why, wait_seconds))
        rest = [node for node in nodes if not answers[node] and node not in self._former.free(nodes)]
        return {**answers, **(self._present.drain(rest, why, wait_seconds) if rest else {})}


class Guards:
    """The right guard for every node."""

    def __init__(self, of: Mapping[str, Guard]) -> None:
        self._of = of

    def running(self, nodes: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """Jobs by node, over all schedulers."""
        return {node: jobs for guard, mine in self._parts(nodes) for node, jobs in guard.running(mine).items()}

    def free(self, nodes: Sequence[str]) -> frozenset[str]:
        """See `Guard`."""
        return frozenset(node for guard, mine in self._parts(nodes) for node in guard.free(mine))

    def drain(self, nodes: Sequence[str], why: str, wait_seconds: float) -> Mapping[str, str]:
        """See `Guard`."""
        return {node: answer for guard, mine in self._parts(nodes) for node, answer in guard.drain(mine, why, wait_seconds).items()}  # fmt: skip

    def _parts(self, nodes: Sequence[str]) -> list[tuple[Guard, list[str]]]:
        parts: dict[int, tuple[Guard, list[str]]] = {}
        for node in nodes:
            guard = self._of[node]
            parts.setdefault(id(guard), (guard, []))[1].append(node)
        return list(parts.values())
