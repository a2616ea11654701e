"""Answers to the failed rules of a site: for each rule the alternatives that pass when built, the cheapest first, and
all of them as one change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rackwright import spec
from rackwright.design import remedies
from rackwright.design.remedies import ChangeTerms, FieldChange, Knob, expense
from rackwright.design.remedies.expense import Expense
from rackwright.design.remedies.knob import first_accepted
from rackwright.design.rules import domain_of
from rackwright.flow.site_trials import PREFIX, SiteTrial, SiteTrials, judged

MOST_ALTERNATIVES = 5
"""Largest number of alternatives that are offered for a rule."""
NOTHING = Expense(0.0, 0, 0, 0.0)


@dataclass(frozen=True)
class Alternative:
    """A change that answers a rule, with which the site was built and judged."""

    number: int
    """Number over all rules, from 1."""
    changes: tuple[FieldChange, ...]
    terms: ChangeTerms
    expense: Expense
    remaining: int
    """Number of targets that still fail the rule."""


@dataclass(frozen=True)
class RuleAnswers:
    """A failed rule and its alternatives."""

    rule: str
    """Rule, or the code of the problem that keeps the site from being built."""
    says: tuple[str, ...]
    """The defects, target by target."""
    next_step: str
    alternatives: tuple[Alternative, ...]
    taken: Alternative | None
    """The alternative that is part of the proposal; None if none passes, or if `answered`."""
    answered: bool = False
    """Whether the changes for earlier rules answer this one, too."""


@dataclass(frozen=True)
class SiteFix:
    """The failed rules of a site, their answers, and the files with the proposal."""

    answers: tuple[RuleAnswers, ...]
    changes: tuple[FieldChange, ...]
    texts: Mapping[str, str]
    """New text by file; empty if there is no answer."""
    before: Mapping[str, str]
    remaining: tuple[str, ...]
    """Rules that still fail with the proposal."""
    built: int
    """Number of sites that were built and judged."""
    expense: Expense = field(default=NOTHING)


def propose(site: spec.LoadedSite, take: Sequence[int] = ()) -> SiteFix:
    """The smallest changes of `site` that answer its failed rules, one after the other; `take` numbers alternatives
    that are preferred to the cheapest.
    """
    trials = SiteTrials(site)
    first = current = judged(site, site.catalog)
    changes: tuple[FieldChange, ...] = ()
    answers: list[RuleAnswers] = []
    pending = first.rules()
    number = 1
    while pending:
        rule = pending.pop(0)
        source = current if current.count(rule) else first
        if source is not current:
            answers.append(RuleAnswers(rule, *source.wrong(rule), (), None, answered=True))
            continue
        search = _Search(trials, rule, current, changes)
        options = search.alternatives(number)
        number += len(options)
        choice = next((option for option in options if option.number in take), options[0] if options else None)
        answers.append(RuleAnswers(rule, *source.wrong(rule), tuple(options), choice))
        if choice:
            was_built, changes = not current.problems, _joined(changes, choice.changes)
            current = trials.trial(changes) or current
            pending = [] if current.problems else ([*pending, rule] if choice.remaining else pending)
            pending += [] if was_built else list(current.failing)
    money = expense.between(first.design, current.design) if first.design and current.design else NOTHING
    texts = trials.edited(changes) if changes else {}
    return SiteFix(tuple(answers), changes, texts, trials.texts, tuple(current.rules()), trials.count, money)


@dataclass(frozen=True)
class _Search:
    """The search for answers to one rule, with the changes that were chosen before it."""

    trials: SiteTrials
    rule: str
    before: SiteTrial
    changes: tuple[FieldChange, ...]

    def alternatives(self, number: int) -> list[Alternative]:
        """The cheapest alternatives, numbered from `number`."""
        site = self.trials.loaded(self.changes) if self.changes else self.trials.site
        if site is None:
            return []
        options: list[Alternative] = []
        for knob in remedies.knobs(self.rule.removeprefix(PREFIX), site.site, site.catalog):
            options += self._answers(knob)
        options.sort(key=lambda option: (option.terms, option.remaining, option.expense.rank, len(option.changes)))
        return [
            Alternative(number + at, option.changes, option.terms, option.expense, option.remaining)
            for at, option in enumerate(options[:MOST_ALTERNATIVES])
        ]

    def _answers(self, knob: Knob) -> list[Alternative]:
        """The smallest change of `knob` that answers the rule for all, otherwise for some of its targets; at most one
        alternative.
        """
        for most in dict.fromkeys((0, self.before.count(self.rule) - 1)):
            at = first_accepted(len(knob.steps), lambda step: self._count(knob.steps[step]) <= most)  # noqa: B023 - used in this turn
            if at is not None and (alternative := self._built(knob, at)):
                return [alternative]
        return []

    def _count(self, step: tuple[FieldChange, ...]) -> int:
        trial = self.trials.trial(_joined(self.changes, step), domain_of(self.rule))
        return (
            trial.count(self.rule)
            if trial and (self.before.problems or not trial.problems)
            else self.before.count(self.rule) + 1
        )

    def _built(self, knob: Knob, at: int) -> Alternative | None:
        trial = self.trials.trial(_joined(self.changes, knob.steps[at]))
        if trial is None or not trial.is_better(self.before, self.rule):
            return None
        costs = expense.between(self.before.design, trial.design) if self.before.design and trial.design else NOTHING
        return Alternative(0, knob.steps[at], knob.terms, costs, trial.count(self.rule))


def _joined(changes: tuple[FieldChange, ...], more: tuple[FieldChange, ...]) -> tuple[FieldChange, ...]:
    """Both, with the later value of a field."""
    return tuple({change.field: change for change in (*changes, *more)}.values())
