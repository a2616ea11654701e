"""What the steps of the flow say of themselves, in plain sentences, for terminal, ledger and report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from rackwright.gate.scheduler import Act
from rackwright.model.check import NodeEvidence
from rackwright.model.design import Design
from rackwright.model.gate import Decision
from rackwright.model.inventory import HostRecap, Recap
from rackwright.model.verdict import Outcome, Verdict
from rackwright.provision.result import MachineResult, Result


def machine(result: MachineResult) -> str:
    """What was done to one machine and where it differs from its SKU."""
    return "; ".join((result.outcome, *result.changes, *result.mismatches))


def provisioned(result: Result) -> str:
    """Machines by what was done to them, and those that failed by name."""
    counts = ", ".join(f"{count} {outcome}" for outcome, count in result.counts.items() if count)
    failed = [f"{name}: {one.error}" for name, one in result.machines.items() if one.error]
    differ = [name for name, one in result.machines.items() if one.mismatches]
    tail = f"; not as the SKU says: {', '.join(differ)}" if differ else ""
    return f"{counts or 'nothing'}{tail}" + "".join(f"; {text}" for text in failed)


def trouble(recap: HostRecap) -> str:
    """Why a host failed; empty when it did not."""
    if recap.first_failure:
        return recap.first_failure
    return "did not answer" if recap.unreachable else ("a task failed" if recap.failed else "")


def host(recap: HostRecap) -> str:
    """Ansible's counts of one host."""
    return f"{recap.ok} ok, {recap.changed} changed"


def onboarded(recap: Recap) -> str:
    """Hosts that are as declared, and the first failure of each that is not."""
    bad = {name: trouble(one) for name, one in recap.hosts.items() if trouble(one)}
    changed = sum(1 for one in recap.hosts.values() if one.changed)
    text = f"{len(recap.hosts) - len(bad)} of {len(recap.hosts)} hosts are as declared, {changed} of them changed"
    return text + "".join(f"; {name}: {why}" for name, why in bad.items())


def collected(seen: Mapping[str, NodeEvidence]) -> str:
    """How much was read, and of whom something is missing."""
    records = sum(len(one.records) for one in seen.values())
    silent = sorted(name for name, one in seen.items() if one.errors)
    return f"{records} records of {len(seen)} machines" + (f"; incomplete: {', '.join(silent)}" if silent else "")


def judged(found: Iterable[Verdict]) -> str:
    """Verdicts by outcome."""
    counts = Counter(one.outcome for one in found)
    return (
        ", ".join(f"{counts[outcome]} {outcome.value}" for outcome in Outcome if counts[outcome]) or "nothing to judge"
    )


def gated(decisions: Sequence[Decision], acts: Sequence[Act]) -> str:
    """How many may join, and what Slurm did of it."""
    accepted = [one.node for one in decisions if one.accepted]
    refused = [one.node for one in decisions if not one.accepted]
    undone = [act.node for act in acts if not act.done]
    text = f"{len(accepted)} accepted, {len(refused)} refused"
    text += f" ({', '.join(refused)})" if refused else ""
    return text + (f"; Slurm does not follow for {', '.join(undone)}" if undone else "")


def refusals(decisions: Iterable[Decision]) -> list[str]:
    """One line per refused node."""
    return [f"{one.node} stays drained: {one.reason}" for one in decisions if not one.accepted]


def not_tested(design: Design, nodes: Sequence[str], found: Iterable[Verdict]) -> list[str]:
    """What this run says nothing about: other nodes, readings that were not taken, and whole kinds of tests."""
    others = [node.name for node in design.nodes("accelerator") if node.name not in nodes]
    blind = Counter(one.check for one in found if one.outcome in {Outcome.NOT_RUN, Outcome.INCONCLUSIVE})
    lines = (
        [f"{len(others)} of the site's nodes were not part of this run: {others[0]} to {others[-1]}."] if others else []
    )
    lines += [f"{check} could not be judged on {count} nodes." for check, count in sorted(blind.items())]
    return [*lines, *NEVER_TESTED]


NEVER_TESTED = (
    "Load: no burn-in, GEMM, memory-bandwidth or power test was run.",
    "Collectives: no NCCL test was run, in one node or across nodes.",
    "InfiniBand beyond cabling and link rate: no bandwidth, latency, bit-error or counter soak was run.",
    "Storage tiers and the Ethernet fabrics were designed but not measured.",
)
