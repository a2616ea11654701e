from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rackwright import gate
from rackwright.gate.reason import LONGEST, PREFIX
from rackwright.model.verdict import Outcome
from tests import build

TODAY = "2026-11-21"
CHECKS = ("gpu.count", "gpu.ecc", "pcie.width", "fabric.cabling", "odd.advisory")
PATTERNS = ("gpu.*", "gpu.count", "pcie.*", "fabric.cabling")
NOT_PASS = [outcome for outcome in Outcome if outcome != Outcome.PASS]


def decide(*verdicts, patterns=PATTERNS, waivers=(), allow_degraded=False, nodes=None):
    return gate.decide_nodes(
        verdicts, build.gate(patterns, allow_degraded=allow_degraded), waivers, date.fromisoformat(TODAY), nodes
    )


def all_pass(**change: Outcome):
    outcomes = {name.replace("_", ".", 1): outcome for name, outcome in change.items()}
    return [build.verdict(check, outcome=outcomes.get(check, Outcome.PASS)) for check in CHECKS]


def test_all_pass_opens() -> None:
    [decision] = decide(*all_pass())
    assert decision.accepted
    assert decision.blocking == []
    assert decision.reason == "rackwright: gate handover open, 4 verdicts"


@pytest.mark.parametrize("outcome", NOT_PASS)
def test_anything_else_closes(outcome: Outcome) -> None:
    [decision] = decide(*all_pass(gpu_ecc=outcome))
    assert not decision.accepted
    assert decision.blocking == ["gpu.ecc"]
    assert decision.reason.startswith("rackwright: gpu.ecc: ")


@pytest.mark.parametrize("outcome", NOT_PASS)
def test_a_check_that_no_pattern_matches_decides_nothing(outcome: Outcome) -> None:
    assert decide(*all_pass(odd_advisory=outcome))[0].accepted


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_pattern_without_a_verdict_refuses(pattern: str) -> None:
    rest = [verdict for verdict in all_pass() if not verdict.check.startswith(pattern.split(".")[0])]
    [decision] = decide(*rest)
    assert not decision.accepted
    assert pattern in decision.blocking


def test_a_gate_that_asks_for_nothing_refuses() -> None:
    [decision] = decide(*all_pass(), patterns=())
    assert not decision.accepted
    assert decision.blocking


def test_a_node_without_any_verdict_is_refused() -> None:
    first, second = decide(*all_pass(), nodes=["train-001", "train-002"])
    assert first.accepted
    assert not second.accepted
    assert second.blocking == sorted(PATTERNS)


def test_only_the_nodes_asked_for_are_decided() -> None:
    extra = build.verdict("bmc.health", target="slurm-01")
    assert [decision.node for decision in decide(*all_pass(), extra, nodes=["train-001"])] == ["train-001"]


@pytest.mark.parametrize(("allowed", "accepted"), [(True, True), (False, False)])
def test_degraded_opens_only_where_it_is_allowed(allowed: bool, accepted: bool) -> None:
    [decision] = decide(*all_pass(gpu_ecc=Outcome.DEGRADED), allow_degraded=allowed)
    assert decision.accepted is accepted


@pytest.mark.parametrize(
    ("outcome", "until", "node", "accepted"),
    [
        (Outcome.FAIL, TODAY, "train-001", True),
        (Outcome.DEGRADED, TODAY, "train-001", True),
        (Outcome.FAIL, "2026-11-20", "train-001", False),
        (Outcome.FAIL, TODAY, "train-002", False),
        (Outcome.INCONCLUSIVE, TODAY, "train-001", False),
        (Outcome.NOT_RUN, TODAY, "train-001", False),
    ],
)
def test_a_waiver_covers_a_known_defect_until_its_end(outcome, until, node, accepted) -> None:
    waivers = [build.waiver("gpu.ecc", node, until=until)]
    [decision] = decide(*all_pass(gpu_ecc=outcome), waivers=waivers)
    assert decision.accepted is accepted
    assert decision.waived == (["gpu.ecc"] if accepted else [])


def test_the_same_check_twice_counts_with_its_worse_verdict() -> None:
    assert not decide(*all_pass(), build.verdict("gpu.ecc", outcome=Outcome.FAIL))[0].accepted


def test_the_reason_shows_the_worst_and_counts_the_rest() -> None:
    [decision] = decide(*all_pass(gpu_count=Outcome.NOT_RUN, pcie_width=Outcome.FAIL, gpu_ecc=Outcome.INCONCLUSIVE))
    assert decision.reason == "rackwright: pcie.width: seen; expected wanted (and 2 more)"


outcomes = st.sampled_from(list(Outcome))
sites = st.fixed_dictionaries({check: st.none() | outcomes for check in CHECKS})
waived = st.lists(st.sampled_from(CHECKS), max_size=3)


def verdicts(site):
    return [build.verdict(check, outcome=outcome) for check, outcome in site.items() if outcome is not None]


@given(sites, waived, st.booleans(), st.sampled_from(CHECKS), st.none() | st.sampled_from(NOT_PASS))
def test_turning_a_pass_into_anything_else_never_opens_a_gate(site, names, allowed, check, worse) -> None:
    waivers = [build.waiver(name) for name in dict.fromkeys(names)]
    [before] = decide(*verdicts(site | {check: Outcome.PASS}), waivers=waivers, allow_degraded=allowed)
    after = decide(*verdicts(site | {check: worse}), waivers=waivers, allow_degraded=allowed, nodes=["train-001"])
    assert before.accepted or not after[0].accepted


@given(sites, waived, st.booleans())
def test_accepted_means_that_every_pattern_is_met_and_nothing_unknown(site, names, allowed) -> None:
    waivers = [build.waiver(name) for name in dict.fromkeys(names)]
    decided = decide(*verdicts(site), waivers=waivers, allow_degraded=allowed, nodes=["train-001"])
    expected = {check: outcome for check, outcome in site.items() if not check.startswith("odd")}
    good = {Outcome.PASS} | ({Outcome.DEGRADED} if allowed else set())
    met = {
        check: outcome in good or (outcome in (Outcome.FAIL, Outcome.DEGRADED) and check in names)
        for check, outcome in expected.items()
        if outcome is not None
    }
    needed = all(expected[check] is not None for check in ("gpu.count", "pcie.width", "fabric.cabling"))
    assert decided[0].accepted == (needed and all(met.values()))
    assert decided[0].accepted == (not decided[0].blocking)


@given(st.text(max_size=400), st.sampled_from(NOT_PASS))
def test_every_reason_fits_the_scheduler(text: str, outcome: Outcome) -> None:
    [decision] = decide(build.verdict("gpu.count", outcome=outcome, observed=text, says=f"train-001: {text}"))
    assert decision.reason.startswith(f"{PREFIX} gpu.count: ")
    assert len(decision.reason) <= LONGEST
    assert decision.reason.isascii()
    assert decision.reason.isprintable()
    assert '"' not in decision.reason
