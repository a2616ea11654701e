"""What the steps of the flow say of themselves, in plain sentences, for terminal, ledger and report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from textwrap import shorten

from rackwright.collect.plan import Plan
from rackwright.gate.reason import PREFIX
from rackwright.gate.scheduler import SchedulerAct
from rackwright.model.check import NodeEvidence
from rackwright.model.design import Design
from rackwright.model.gate import Decision, GroupDecision
from rackwright.model.inventory import HostRecap, Recap
from rackwright.model.verdict import Outcome, Verdict
from rackwright.provision.result import MachineResult, Result

LINE = 116
"""Characters of a remark on the terminal, which puts four more in front: 120 columns are common."""
FEW = 6
"""Check ids that one still reads one by one."""


def machine(result: MachineResult) -> str:
    """What was done to one machine and where it differs from its SKU."""
    return "; ".join((result.outcome, *result.changes, *result.mismatches))


def provisioned(result: Result) -> str:
    """Machines by what was done to them, and those that failed by name."""
    counts = ", ".join(f"{count} {outcome}" for outcome, count in result.counts.items() if count)
    return f"{counts or 'nothing'}{_names('not as their SKU says', _differences(result))}"


def machine_troubles(result: Result) -> list[str]:
    """One line per machine that failed or is not what its SKU says."""
    failed = [remark(name, one.error) for name, one in result.machines.items() if one.error]
    return failed + [remark(name, "; ".join(why)) for name, why in _differences(result).items()]


def _differences(result: Result) -> dict[str, Sequence[str]]:
    return {name: one.mismatches for name, one in result.machines.items() if one.mismatches}


def trouble(recap: HostRecap) -> str:
    """Why a host failed; empty when it did not."""
    if recap.first_failure:
        return recap.first_failure
    return "did not answer" if recap.unreachable else ("a task failed" if recap.failed else "")


def host(recap: HostRecap) -> str:
    """Ansible's counts of one host."""
    return f"{recap.ok} ok, {recap.changed} changed"


def onboarded(recap: Recap, *, check: bool = False) -> str:
    """How many hosts are as declared, and which are not; with `check`, how many would change."""
    bad = [name for name, one in recap.hosts.items() if trouble(one)]
    good = {name: one for name, one in recap.hosts.items() if name not in bad}
    changed = sum(1 for one in good.values() if one.changed)
    if check:
        return f"{changed} of {len(recap.hosts)} hosts would change{_names('cannot be checked', bad)}"
    text = f"{len(good)} of {len(recap.hosts)} hosts are as declared, {changed} of them changed"
    return text + _names("not as declared", bad)


def host_troubles(recap: Recap) -> list[str]:
    """The first failure of every host that is not as declared, one line each; a run that stopped says so of the rest at once."""
    rest = [name for name, one in recap.hosts.items() if recap.stopped and not one.wave]
    lines = [remark(name, trouble(one)) for name, one in recap.hosts.items() if trouble(one) and name not in set(rest)]
    return lines + ([remark(f"{len(rest)} hosts were not touched", recap.stopped)] if rest else [])


def collected(seen: Mapping[str, NodeEvidence]) -> str:
    """How much was read, and of whom something is missing."""
    records = sum(len(one.records) for one in seen.values())
    silent = sorted(name for name, one in seen.items() if one.errors)
    return f"{records} records of {len(seen)} machines{_names('incomplete', silent)}"


def burning(planned: Plan, seconds: float, at_once: int) -> str:
    """What a burn-in is about to do, and the longest that it can take."""
    asks = sum(map(len, planned.asks.values()))
    hours, minutes = divmod(round(seconds / 60), 60)
    longest = f"{hours} h {minutes} min" if hours else f"{minutes} min"
    return f"{asks} tests on {len(planned.asks)} nodes, at most {at_once} nodes at once, at most {longest}"


def burned(seen: Mapping[str, NodeEvidence], refused: Mapping[str, str]) -> str:
    """How much was measured under load, and which nodes were left alone."""
    records = sum(len(one.records) for one in seen.values())
    silent = sorted(name for name, one in seen.items() if one.errors)
    told = f"{records} results of {len(seen)} nodes{_names('incomplete', silent)}"
    return told + _names("left alone", sorted(refused))


def left_alone(refused: Mapping[str, str]) -> list[str]:
    """One line per node that was not put under load."""
    return [remark(name, why) for name, why in refused.items()]


def silences(seen: Mapping[str, NodeEvidence]) -> list[str]:
    """One line per machine of which something is missing: why, without repeating itself."""
    return [remark(name, "; ".join(dict.fromkeys(one.errors.values()))) for name, one in seen.items() if one.errors]


def judged(found: Iterable[Verdict]) -> str:
    """Verdicts by outcome."""
    counts = Counter(one.outcome for one in found)
    return (
        ", ".join(f"{counts[outcome]} {outcome.value}" for outcome in Outcome if counts[outcome]) or "nothing to judge"
    )


def gated(decisions: Sequence[Decision], acts: Sequence[SchedulerAct]) -> str:
    """How many may join, and what their schedulers did of it."""
    accepted = [one.node for one in decisions if one.accepted]
    refused = [one.node for one in decisions if not one.accepted]
    undone = [act.node for act in acts if not act.done]
    text = f"{len(accepted)} accepted, {len(refused)} refused"
    return (
        text
        + (f" ({', '.join(refused)})" if 0 < len(refused) <= FEW else "")
        + (f"; the scheduler does not follow for {', '.join(undone)}" if undone else "")
    )


def refusals(decisions: Iterable[Decision]) -> list[str]:
    """One line per refused node; the scheduler and the report have the whole reason."""
    return [_refusal(one) for one in decisions if not one.accepted]


def closed(groups: Iterable[GroupDecision]) -> list[str]:
    """One line per rack, fabric, pool or site for which a gate stays closed."""
    return [remark(f"{one.scope} {one.group}: gate {one.gate} is closed", one.reason) for one in groups if not one.open]


def _refusal(decision: Decision) -> str:
    others = len(decision.blocking) - 1
    tail = f" (and {others} more)" if others > 0 else ""
    reason = decision.reason.removeprefix(PREFIX).strip().removesuffix(tail).removesuffix("...")
    return remark(f"{decision.node} refused", reason, tail)


def remark(subject: str, text: str, tail: str = "") -> str:
    """One line that fits the terminal: what is too long ends after a whole word."""
    head = f"{subject}: "
    return head + shorten(text, LINE - len(head) - len(tail), placeholder=" ...") + tail


def _names(what: str, names: Collection[str]) -> str:
    """A few names behind a number; many of them only as a number, because each has its own line below."""
    return f"; {what}: {', '.join(names)}" if 0 < len(names) <= FEW else ""


def checks(names: Sequence[str]) -> str:
    """Check ids in words; many of them only by their domains."""
    if len(names) <= FEW:
        return ", ".join(names)
    return f"{len(names)} checks of {', '.join(dict.fromkeys(name.partition('.')[0] for name in names))}"


def not_tested(design: Design, nodes: Sequence[str], found: Iterable[Verdict]) -> list[str]:
    """What this run says nothing about: other nodes, whole kinds of tests, and readings that could not be judged."""
    others = [node.name for node in design.nodes("accelerator") if node.name not in nodes]
    lines = (
        [f"{len(others)} of the site's nodes were not part of this run: {others[0]} to {others[-1]}."] if others else []
    )
    lines += _unasked(design)
    blind: Counter[tuple[str, str, Outcome]] = Counter()
    ran: set[str] = set()
    for one in found:
        if one.outcome in {Outcome.NOT_RUN, Outcome.INCONCLUSIVE}:
            blind[one.check, one.title, one.outcome] += 1
        else:
            ran.add(one.check)
    left_out = [kind for kind in KINDS_OF_TESTS if not any(check.startswith(kind) for check in ran)]
    lines += [f"{sentence}" for kind, sentence in KINDS_OF_TESTS.items() if kind in left_out]
    told = tuple(kind for one in left_out for kind in one)
    lines += [
        f"{title} ({check}): {UNJUDGED[outcome]} on {_nodes(count)}."
        for (check, title, outcome), count in sorted(blind.items())
        if not told or not check.startswith(told)
    ]
    return lines


def _unasked(design: Design) -> list[str]:
    """Rack PDUs and CDUs that the site has, and does not let be asked."""
    power, liquid = design.site.facility.power, design.site.facility.liquid
    said = []
    if power.rack_pdu and power.management == "none":
        said.append(
            "Power: rack PDUs were not read, because the site says of none that it answers (facility.power.management)."
        )
    if liquid and liquid.management == "none":
        said.append(
            "Cooling: CDUs were not read, because the site says of none that it answers (facility.liquid.management)."
        )
    return said


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
"""What is said when no check of a kind ran, by the beginnings of its check ids."""
