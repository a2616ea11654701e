"""Builds and judges a site with changes: each candidate is the text of its files, read, expanded and judged like the
site itself.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rackwright import design, spec
from rackwright.base.errors import Problem, ProblemsError
from rackwright.catalog import Catalog
from rackwright.design import assemble, rules
from rackwright.design.remedies import FieldChange
from rackwright.model.design import Design
from rackwright.model.verdict import Outcome, Verdict
from rackwright.spec import assembly, edit, source
from rackwright.spec.fields import parse_path

PREFIX = "design."
QUICK = {
    "power": assemble.PLANT,
    "cooling": assemble.PLANT,
    "structure": assemble.PLANT,
    "fabric": assemble.FABRICS,
    "cabling": assemble.FABRICS,
}
"""Domain -> steps that its rules need; rules of other domains need all steps."""


@dataclass(frozen=True)
class SiteTrial:
    """A site that was built and judged, or could not be built."""

    design: Design | None
    failing: Mapping[str, tuple[Verdict, ...]]
    """Failed verdicts by rule (``design.feed_capacity``)."""
    problems: tuple[Problem, ...] = ()
    """Problems that keep it from being built."""

    def rules(self) -> list[str]:
        """The rules that fail, or the codes of the problems that keep it from being built."""
        return list(dict.fromkeys(problem.code for problem in self.problems)) or list(self.failing)

    def wrong(self, rule: str) -> tuple[tuple[str, ...], str]:
        """The defects by `rule`, target by target, and the next step."""
        problems = [problem for problem in self.problems if problem.code == rule]
        says = [f"{problem.message}; expected {problem.expected}, found {problem.found}" for problem in problems]
        verdicts = self.failing.get(rule, ())
        steps = [*(verdict.next_step for verdict in verdicts), *(problem.next_step for problem in problems)]
        return (*(verdict.says for verdict in verdicts), *says), next(filter(None, steps), "")

    def count(self, rule: str) -> int:
        """Number of targets that fail `rule`, or of problems with that code that keep the site from being built."""
        return len(self.failing.get(rule, ())) + sum(problem.code == rule for problem in self.problems)

    def is_better(self, before: SiteTrial, rule: str) -> bool:
        """Whether fewer targets fail `rule` than `before`, and no more of any other rule.

        If `before` could not be built, it is enough that this site can.
        """
        if before.problems or self.problems:
            return not self.problems
        return self.count(rule) < before.count(rule) and all(
            self.count(name) <= before.count(name) for name in self.failing
        )


class SiteTrials:
    """Builds `site` with changes; the same changes are built once."""

    def __init__(self, site: spec.LoadedSite) -> None:
        self.site = site
        self.texts = {str(path): source.read_source(path) for path in assembly.files(site.site, site.path).values()}
        """The text of every file of the site, by path."""
        self._data = site.root.plain()
        self._built: dict[tuple[Any, ...], SiteTrial | None] = {}
        self.count = 0
        """Number of candidates that were built."""

    def edited(self, changes: Sequence[FieldChange]) -> dict[str, str]:
        """The new text of each file that `changes` touch. Raises `NotEditableError`."""
        edits = [edit.FieldEdit(parse_path(change.field), change.value) for change in changes]
        return edit.edited(self.site.root, self.texts, edits)

    def trial(self, changes: Sequence[FieldChange], domain: str = "") -> SiteTrial | None:
        """The site with `changes`, judged by the rules of `domain` or by all of them; None if it is not a valid site."""
        key = (tuple(repr(change) for change in changes), domain if domain in QUICK else "")
        if key not in self._built:
            self._built[key] = self._trial(changes, domain if domain in QUICK else "")
        return self._built[key]

    def loaded(self, changes: Sequence[FieldChange]) -> spec.LoadedSite | None:
        """The changed site, read from its changed files; None if a change cannot be written, or makes an invalid site."""
        try:
            site = spec.load(self.site.path, to_design=True, texts={**self.texts, **self.edited(changes)})
        except (ProblemsError, edit.NotEditableError):
            return None
        return site if site.root.plain() == self._intended(changes) else None

    def _trial(self, changes: Sequence[FieldChange], domain: str) -> SiteTrial | None:
        site = self.loaded(changes)
        if site is None:
            return None
        self.count += 1
        return judged(site, site.catalog, domain)

    def _intended(self, changes: Sequence[FieldChange]) -> Any:
        data = copy.deepcopy(self._data)
        for change in changes:
            *parents, last = parse_path(change.field)
            owner = data
            for step in parents:
                owner = owner.setdefault(step, {}) if isinstance(owner, dict) else owner[int(step)]
            if isinstance(owner, list) and last == len(owner):
                owner.append(change.value)
            else:
                owner[last] = change.value
        return data


def judged(site: spec.LoadedSite, parts: Catalog, domain: str = "") -> SiteTrial:
    """`site` expanded and judged, by the rules of `domain` or by all of them."""
    try:
        built = assemble.expand(site.site, parts, QUICK[domain]) if domain else design.expand(site.site, parts)
    except ProblemsError as error:
        return SiteTrial(None, {}, error.problems)
    verdicts = rules.run_rules(built, (domain,) if domain else rules.DOMAINS)
    failing: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        if verdict.outcome is Outcome.FAIL:
            failing.setdefault(verdict.check, []).append(verdict)
    return SiteTrial(built, {rule: tuple(entries) for rule, entries in failing.items()})
