"""One-sentence summaries of the steps of the flow, for terminal, ledger and report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from textwrap import shorten

from rackwright.collect.plan import CollectPlan
from rackwright.compare.limits import UNPUBLISHED
from rackwright.gate.reason import PREFIX
from rackwright.gate.scheduler import SchedulerAct
from rackwright.model.check import NodeEvidence
from rackwright.model.design import Design
from rackwright.model.gate import Decision, GroupDecision
from rackwright.model.inventory import HostRecap, Recap
from rackwright.model.verdict import Outcome, Verdict
from rackwright.provision.result import MachineResult, UpResult

LINE = 116
"""Characters of a remark on the terminal, which precedes it with four more: 120 columns are common."""
FEW = 6
"""Number of names or check ids up to which they are listed individually."""


def machine(result: MachineResult) -> str:
    """Actions on one machine, and its differences from its SKU."""
    return "; ".join((result.outcome, *result.changes, *result.mismatches))


def provision_summary(result: UpResult) -> str:
    """Number of machines by outcome, and the names of those that failed."""
    counts = ", ".join(f"{count} {outcome}" for outcome, count in result.counts.items() if count)
    return f"{counts or 'nothing'}{_names('not as their SKU says', _differences(result))}"


def machine_troubles(result: UpResult) -> list[str]:
    """One line per machine that failed or differs from its SKU."""
    failed = [
        remark(name, result_of_machine.error)
        for name, result_of_machine in result.machines.items()
        if result_of_machine.error
    ]
    return failed + [remark(name, "; ".join(why)) for name, why in _differences(result).items()]


def _differences(result: UpResult) -> dict[str, Sequence[str]]:
    return {
        name: machine_result.mismatches for name, machine_result in result.machines.items() if machine_result.mismatches
    }


def host_failure(recap: HostRecap) -> str:
    """Why a host failed; empty if it did not."""
    if recap.first_failure:
        return recap.first_failure
    return "did not answer" if recap.unreachable else ("a task failed" if recap.failed else "")


def host(recap: HostRecap) -> str:
    """Ansible's counts of one host."""
    return f"{recap.ok} ok, {recap.changed} changed"


def onboarding_summary(recap: Recap, *, check: bool = False) -> str:
    """Number of hosts that are as declared, and names of the others; with `check`, number of hosts that would change."""
    bad = [name for name, recap_of_host in recap.hosts.items() if host_failure(recap_of_host)]
    good = {name: recap_of_host for name, recap_of_host in recap.hosts.items() if name not in bad}
    changed = sum(1 for recap_of_host in good.values() if recap_of_host.changed)
    if check:
        return f"{changed} of {len(recap.hosts)} hosts would change{_names('cannot be checked', bad)}"
    text = f"{len(good)} of {len(recap.hosts)} hosts are as declared, {changed} of them changed"
    return text + _names("not as declared", bad)


def host_troubles(recap: Recap) -> list[str]:
    """The first failure of every host that is not as declared, one line each; hosts that a stopped run never reached share one line."""
    untouched = [name for name, host_recap in recap.hosts.items() if recap.stopped and not host_recap.wave]
    lines = [
        remark(name, host_failure(host_recap))
        for name, host_recap in recap.hosts.items()
        if host_failure(host_recap) and name not in set(untouched)
    ]
    return lines + ([remark(f"{len(untouched)} hosts were not touched", recap.stopped)] if untouched else [])


def evidence_summary(evidence_by_node: Mapping[str, NodeEvidence]) -> str:
    """Number of records, and names of incomplete machines."""
    records = sum(len(evidence.records) for evidence in evidence_by_node.values())
    silent = sorted(name for name, evidence in evidence_by_node.items() if evidence.errors)
    return f"{records} records of {len(evidence_by_node)} machines{_names('incomplete', silent)}"


def burning(planned: CollectPlan, seconds: float, at_once: int) -> str:
    """Number of tests of a burn-in, and its longest duration."""
    asks = sum(map(len, planned.asks.values()))
    hours, minutes = divmod(round(seconds / 60), 60)
    longest = f"{hours} h {minutes} min" if hours else f"{minutes} min"
    return f"{asks} tests on {len(planned.asks)} nodes, at most {at_once} nodes at once, at most {longest}"


def burn_in_summary(evidence_by_node: Mapping[str, NodeEvidence], refused: Mapping[str, str]) -> str:
    """Number of results under load, and names of nodes that were skipped."""
    records = sum(len(evidence.records) for evidence in evidence_by_node.values())
    silent = sorted(name for name, evidence in evidence_by_node.items() if evidence.errors)
    text = f"{records} results of {len(evidence_by_node)} nodes{_names('incomplete', silent)}"
    return text + _names("left alone", sorted(refused))


def left_alone(refused: Mapping[str, str]) -> list[str]:
    """One line per node that was not put under load."""
    return [remark(name, why) for name, why in refused.items()]


def silences(evidence_by_node: Mapping[str, NodeEvidence]) -> list[str]:
    """One line per machine with missing readings: the reasons, without duplicates."""
    return [
        remark(name, "; ".join(dict.fromkeys(evidence.errors.values())))
        for name, evidence in evidence_by_node.items()
        if evidence.errors
    ]


def verdict_summary(verdicts: Iterable[Verdict]) -> str:
    """Number of verdicts by outcome."""
    return outcome_summary(Counter(verdict.outcome for verdict in verdicts))


def outcome_summary(counts: Mapping[Outcome, int]) -> str:
    """Number of verdicts by outcome, from their counts."""
    return (
        ", ".join(f"{counts[outcome]} {outcome.value}" for outcome in Outcome if counts.get(outcome))
        or "nothing to judge"
    )


def gate_summary(decisions: Sequence[Decision], acts: Sequence[SchedulerAct]) -> str:
    """Numbers of accepted and refused nodes, and names of nodes for which the scheduler does not follow."""
    accepted = [decision.node for decision in decisions if decision.accepted]
    refused = [decision.node for decision in decisions if not decision.accepted]
    undone = [act.node for act in acts if not act.done]
    text = f"{len(accepted)} accepted, {len(refused)} refused"
    return (
        text
        + (f" ({', '.join(refused)})" if 0 < len(refused) <= FEW else "")
        + (f"; the scheduler does not follow for {', '.join(undone)}" if undone else "")
    )


def refusals(decisions: Iterable[Decision]) -> list[str]:
    """One line per refused node; the scheduler and the report have the full reason."""
    return [_refusal(decision) for decision in decisions if not decision.accepted]


def closed_groups(groups: Iterable[GroupDecision]) -> list[str]:
    """One line per rack, fabric, pool or site for which a gate stays closed."""
    return [
        remark(f"{group.scope} {group.group}: gate {group.gate} is closed", group.reason)
        for group in groups
        if not group.open
    ]


def _refusal(decision: Decision) -> str:
    more = len(decision.blocking) - 1
    tail = f" (and {more} more)" if more > 0 else ""
    reason = decision.reason.removeprefix(PREFIX).strip().removesuffix(tail).removesuffix("...")
    return remark(f"{decision.node} refused", reason, tail)


def remark(subject: str, text: str, tail: str = "") -> str:
    """One line that fits the terminal: a long text is shortened after a whole word."""
    head = f"{subject}: "
    return head + shorten(text, LINE - len(head) - len(tail), placeholder=" ...") + tail


def _names(what: str, names: Collection[str]) -> str:
    """A few names after a number; more than a few are omitted, because each has its own line below."""
    return f"; {what}: {', '.join(names)}" if 0 < len(names) <= FEW else ""


def checks(names: Sequence[str]) -> str:
    """Check ids as text; only their domains if there are many."""
    if len(names) <= FEW:
        return ", ".join(names)
    return f"{len(names)} checks of {', '.join(dict.fromkeys(name.partition('.')[0] for name in names))}"


def not_tested(design: Design, nodes: Sequence[str], verdicts: Iterable[Verdict]) -> list[str]:
    """Sentences on what this run does not cover: other nodes, kinds of tests, and readings that were not judged."""
    absent = [node.name for node in design.nodes("accelerator") if node.name not in nodes]
    lines = (
        [f"{len(absent)} of the site's nodes were not part of this run: {absent[0]} to {absent[-1]}."] if absent else []
    )
    lines += _unmanaged_plant(design)
    blind: Counter[tuple[str, str, Outcome]] = Counter()
    calibrated: Counter[tuple[str, str]] = Counter()
    ran: set[str] = set()
    for verdict in verdicts:
        calibrated[verdict.check, verdict.title] += UNPUBLISHED in verdict.source
        if verdict.outcome in {Outcome.NOT_RUN, Outcome.INCONCLUSIVE}:
            blind[verdict.check, verdict.title, verdict.outcome] += 1
        else:
            ran.add(verdict.check)
    left_out = [kind for kind in KINDS_OF_TESTS if not any(check.startswith(kind) for check in ran)]
    lines += [f"{sentence}" for kind, sentence in KINDS_OF_TESTS.items() if kind in left_out]
    omitted = tuple(kind for verdict in left_out for kind in verdict)
    lines += [
        f"{title} ({check}): {UNJUDGED[outcome]} on {_nodes(count)}."
        for (check, title, outcome), count in sorted(blind.items())
        if not omitted or not check.startswith(omitted)
    ]
    lines += [
        f"{title} ({check}): judged on {_nodes(count)} by limits that the site calibrated, as no value is published: a fleet that is slow as a whole passes."
        for (check, title), count in sorted(calibrated.items())
        if count
    ]
    return lines


def _unmanaged_plant(design: Design) -> list[str]:
    """Sentences on rack PDUs and CDUs of the site without a management interface."""
    power, liquid = design.site.facility.power, design.site.facility.liquid
    sentences = []
    if power.rack_pdu and power.management == "none":
        sentences.append(
            "Power: rack PDUs were not read, because the site declares no management interface for them (facility.power.management)."
        )
    if liquid and liquid.management == "none":
        sentences.append(
            "Cooling: CDUs were not read, because the site declares no management interface for them (facility.liquid.management)."
        )
    return sentences


def _nodes(count: int) -> str:
    return "1 node" if count == 1 else f"{count} nodes"


UNJUDGED = {Outcome.NOT_RUN: "not run", Outcome.INCONCLUSIVE: "ran, and could not be judged"}

KINDS_OF_TESTS: dict[tuple[str, ...], str] = {
    ("burn.", "copy.", "hbm."): "Load: no burn-in, matrix-product, memory-bandwidth or power test was run.",
    ("collective.",): "Collectives: none was run, in one node or across nodes.",
    ("rail.", "link.soak"): "Fabric under load: no bandwidth, latency or counter soak was run.",
    ("storage_speed.",): "Storage tiers were designed but not measured.",
    ("peers.",): "No node was compared with its peers.",
}
"""Prefixes of check ids of a kind of tests -> the sentence if none of its checks ran."""
