"""The whole flow on one page: a rehearsal runs it on a twin, the verbs of the command run its steps on a real site.

    site.yaml -> Site -> Design -> provision -> onboard -> collect -> judge -> gate -> report
                 asked   follows                           seen       verdict  join    handover

Each function below is one step: it calls one stage, tells the watcher, and leaves what happened to every node in the
ledger. A step that fails for some nodes goes on with the others; what was not seen of them refuses them at the gate.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from rackwright import __version__, collect, design, gate, judge, onboard, report
from rackwright.flow import (
    isolation_results,
    load_tests,
    part_history,
    schedulers,
    signed_bundle,
    ssh_runner,
)
from rackwright.flow import (
    summaries as sentences,
)
from rackwright.flow.job import Job, OnDiff
from rackwright.flow.stored_evidence import Recalled, recall
from rackwright.ledger import Stream
from rackwright.model.check import NodeEvidence
from rackwright.model.equipment import equipment
from rackwright.model.evidence.fabric import NodeFabric
from rackwright.model.gate import Decision, GroupDecision, Waiver
from rackwright.model.handover import Handover
from rackwright.model.inventory import Recap
from rackwright.model.verdict import Verdict
from rackwright.provision.result import Result, Verb
from rackwright.provision.up import up

STEPS = ("spec", "design", "provision", "onboard", "collect", "judge", "gate", "report")


def provision(job: Job, verb: Verb = "up") -> Result:
    """Machines: the stack ``stacks/site`` through the Pulumi engine and our Redfish provider."""
    with job.step("provision" if verb == "up" else verb, len(job.nodes)) as step:
        result = up(
            job.design, job.nodes, job.access, job.workspace, site_path=job.path, verb=verb, on_event=step.machine
        )
        step.nodes({name: (one.error, sentences.machine(one)) for name, one in result.machines.items()})
        step.end(sentences.provisioned(result), good=result.good)
    _note(job, sentences.machine_troubles(result))
    return result


def bring_to_bill(job: Job, asked: onboard.Options | None = None, *, diff: OnDiff | None = None) -> Recap:
    """Software: ``roles/site.yml``, wave by wave, to the versions of the software bill; `diff` is called with what changes in files."""
    options = asked or onboard.Options()
    name = "check" if options.check else "verify" if options.harmless else "onboard"
    with job.step(name, onboard.acts() * len(job.nodes)) as step, Stream(job.ledger, job.run) as stream:
        hosts = onboard.inventory(job.design, job.nodes, job.access, onboard.secret_files(job.design, job.workspace))
        reach = partial(ssh_runner.runner, job.access)
        guard = onboard.guard(job.design, job.nodes, reach, options.drain_hook, job.watch.note)
        places = onboard.places(job.design, job.nodes)
        recap = onboard.bring(hosts, job.workspace, places, options, guard, step.tasks(stream, diff))
        step.nodes({name: (sentences.trouble(host), sentences.host(host)) for name, host in recap.hosts.items()})
        step.end(sentences.onboarded(recap, check=options.check), good=recap.good)
    _note(job, sentences.host_troubles(recap))
    return recap


def gather(job: Job, via: load_tests.Via = load_tests.SSH) -> Mapping[str, NodeEvidence]:
    """Evidence: one probe per node, BMCs, fabric, scheduler; stored before it is read. `via` a scheduler: its nodes by jobs of it."""
    with job.step("collect", 3 * len(job.nodes) + 2 * len(equipment(job.design, job.nodes))) as step:
        store = collect.Store(job.workspace.folder("evidence"))
        by = load_tests.way(job, via)
        seen = collect.gather(job.design, job.nodes, job.access, store, step.answer, asked_by=job.run, by=by)
        step.nodes(
            {name: ("; ".join(one.errors.values()), f"{len(one.records)} records") for name, one in seen.items()}
        )
        step.end(sentences.collected(seen), good=not any(one.errors for one in seen.values()))
    _note(job, sentences.silences(seen))
    return seen


def burn_in(
    job: Job, burning: collect.Burning, via: load_tests.Via = load_tests.SSH, *, unscheduled: bool = False
) -> load_tests.Loaded:
    """Evidence under load: the tests of each node one after the other; nodes that take jobs are left alone."""
    planned = collect.burn_plan(job.design, job.nodes, burning)
    with job.step("burn-in", sum(map(len, planned.asks.values())) + len(planned.owed)) as step:
        job.watch.note(sentences.burning(planned, collect.longest_burn(planned, burning), burning.at_once))
        found = load_tests.burn_in(job, step, burning, via, unscheduled=unscheduled)
        good = not found.refused and not any(one.errors for one in found.seen.values())
        step.end(sentences.burned(found.seen, found.refused), good=good)
    _note(job, [*sentences.left_alone(found.refused), *sentences.silences(found.seen)])
    return found


def group_tests(
    job: Job, asked: load_tests.Asked, via: load_tests.Via, *, unscheduled: bool = False
) -> load_tests.Loaded:
    """Evidence of several nodes together, round after round; groups with a node that is unfit are left alone."""
    count = len(asked.tests) * sum(map(len, asked.rounds))
    with job.step("group tests", count) as step:
        way = load_tests.launcher(job, via)
        found = load_tests.in_rounds(job, asked, way, {} if unscheduled else load_tests.unfit(job, asked, via.name))
        good = not found.refused and not any(one.errors for one in found.seen.values())
        step.end(sentences.burned(found.seen, found.refused), good=good)
    _note(job, [*sentences.left_alone(found.refused), *sentences.silences(found.seen)])
    return found


def evidence(job: Job) -> Recalled:
    """What the store holds of the nodes of the job and of what feeds and cools them, as `recall` has it: the newest readings."""
    found = recall(job.workspace.folder("evidence"), job.design, judge.load_limits())
    wanted = {*job.nodes, *(one.name for one in equipment(job.design, job.nodes))}
    return replace(found, nodes={name: one for name, one in found.nodes.items() if name in wanted})


def verdicts(job: Job, seen: Mapping[str, NodeEvidence]) -> list[Verdict]:
    """Verdicts: every check on every node of this run, those without evidence included."""
    with job.step("judge") as step:
        found = judge.judge_evidence(job.design, seen, judge.load_checks(), judge.load_limits(), job.nodes)
        job.ledger.record_verdicts(job.run, found)
        step.end(sentences.judged(found))
    return found


@dataclass(frozen=True)
class Gated:
    """What the gate decided and did."""

    decisions: tuple[Decision, ...]
    acts: tuple[gate.SchedulerAct, ...]
    proof: gate.JobProof | None
    """The job that accepted nodes ran; None when none was accepted."""
    void_waivers: tuple[str, ...] = ()
    groups: tuple[GroupDecision, ...] = ()
    """Whether each gate is open for racks, fabrics, pools and the site."""
    waivers: tuple[Waiver, ...] = ()
    unreached: str = ""
    """Why a scheduler could not be told; empty when all were."""

    @property
    def answered(self) -> tuple[str, ...]:
        """Nodes that ran the job."""
        return self.proof.answered if self.proof else ()

    @property
    def sentences(self) -> tuple[str, ...]:
        """The job, and what Slurm did not follow."""
        job = self.proof.says if self.proof else "no node was accepted, so no job was run"
        untold = (self.unreached,) if self.unreached else ()
        return (job, *untold, *(act.says for act in self.acts if not act.done))


def decide(job: Job, seen: Mapping[str, NodeEvidence], found: Sequence[Verdict], *, dry_run: bool = False) -> Gated:
    """Decisions of the whole chain of gates, carried out in the schedulers, and a job on the accepted nodes."""
    with job.step("gate") as step:
        acceptance, today = job.design.site.acceptance, job.now()[:10]
        path = job.path.parent / acceptance.waivers if acceptance.waivers else None
        waivers = gate.load_waivers(
            path,
            tuple(judge.load_checks()),
            [*(node.name for node in job.design.nodes()), *judge.plant_names(job.design)],
        )
        history = part_history.history(job, seen)
        taken = {name: one.taken for name, one in seen.items()}
        chain = gate.load_chain(acceptance.gates)
        isolated = isolation_results.known(job, seen)
        case = gate.GateInput(
            verdicts=found,
            nodes=job.candidates,
            waivers=waivers,
            now=job.now(),
            collected=taken,
            members=gate.node_groups(job.design, job.candidates),
            around=gate.plant_units(job.design, job.candidates),
            coverage=isolated.coverage,
            faults=isolated.faults,
            notes=isolated.notes,
            holds=[*gate.repair_holds(history, found, taken, chain[-1]), *isolated.holds],
        )
        decisions, groups = gate.decide_all(chain, case)
        if not dry_run:
            job.ledger.record_decisions(job.run, decisions)
            part_history.remember(job, history, found, decisions, taken)
        acts, proof = schedulers.slurm(job, decisions, dry_run=dry_run)
        tainted, pods, untold = schedulers.kubernetes(job, decisions, dry_run=dry_run)
        gated = Gated(
            tuple(decisions), (*acts, *tainted), schedulers.together(proof, pods), tuple(gate.expired_waivers(waivers, today)), tuple(groups),
            tuple(waivers), untold,
        )  # fmt: skip
        step.end(sentences.gated(decisions, () if dry_run else gated.acts))
    _note(job, (*sentences.refusals(decisions), *sentences.closed(groups), *gated.sentences, *gated.void_waivers))
    return gated


def hand_over(
    job: Job,
    seen: Mapping[str, NodeEvidence],
    found: Sequence[Verdict],
    gated: Gated,
    source: signed_bundle.EvidenceSource | None = None,
) -> Path:
    """The report, and the judgement that a signature is for; returns the path of the page.

    `source` is the stored evidence that was judged, by default all that is in the store (`evidence`).
    """
    with job.step("report") as step:
        handover = Handover(
            design=job.design,
            nodes=job.nodes,
            design_verdicts=tuple(design.rules.run_rules(job.design)),
            verdicts=tuple(found),
            decisions=gated.decisions,
            steps=job.ledger.steps(job.run) if job.rehearsal else job.ledger.last_steps(job.design.site.site),
            jobs=gated.sentences,
            not_tested=tuple(sentences.not_tested(job.design, job.nodes, found)),
            rehearsal=job.rehearsal,
            run_id=job.run,
            created=job.now(),
            version=__version__,
            seen_links={name: links for name, one in seen.items() if (links := one.get(NodeFabric)) is not None},
            seen=seen,
            parts={name: gate.node_parts(one) for name, one in seen.items()},
            history=tuple(job.ledger.part_events(job.run)),
            groups=gated.groups,
            waivers=gated.waivers,
            isolations=tuple(isolation_results.stored(job.workspace)),
        )
        page = report.write(handover, job.workspace.folder("report"))
        signed_bundle.write_judgement(job, seen, found, gated, source, handover.created)
        step.end(str(page))
    return page


def _note(job: Job, lines: Iterable[str]) -> None:
    for line in lines:
        job.watch.note(line)
