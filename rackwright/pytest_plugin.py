"""A thin skin: ``pytest validators/ --site SITE`` shows stored evidence as one test per (check, node).

In: the newest stored evidence of a site. Out: pytest items that carry the verdict in their ``user_properties`` (and so in
JUnit XML). It judges with the same `judge.run` as ``rackwright judge`` and touches no machine. Whatever is not a pass
fails the item: a skipped item would look like consent. ``validators/conftest.py`` switches it on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from rackwright import collect, content, design, judge, spec
from rackwright.errors import RackwrightError
from rackwright.model.verdict import Outcome, Verdict
from rackwright.workspace import Workspace

VERDICTS = pytest.StashKey[dict[str, list[Verdict]]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--site`` and where its evidence is."""
    group = parser.getgroup("rackwright")
    group.addoption("--site", help="site file, or the folder that holds site.yaml")
    group.addoption("--evidence", help="evidence store (default: .rackwright/<site>/evidence)")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> CheckFile | None:
    """Every check file is a collector, once a site is named."""
    if parent.config.getoption("--site") is None or file_path.suffix != ".py":
        return None
    base = content.folder("validators", "checks")
    return CheckFile.from_parent(parent, path=file_path) if file_path.is_relative_to(base) else None


class CheckFile(pytest.File):
    """One check; its items are the nodes that it was judged on."""

    def collect(self) -> Iterable[VerdictItem]:
        """The verdicts of this check, in design order."""
        base = content.folder("validators", "checks")
        check = ".".join(self.path.relative_to(base).with_suffix("").parts)
        for verdict in _verdicts(self.config).get(check, []):
            yield VerdictItem.from_parent(self, name=f"{check}[{verdict.target}]", verdict=verdict)


class VerdictItem(pytest.Item):
    """One verdict."""

    def __init__(self, *, verdict: Verdict, **rest: Any) -> None:
        super().__init__(**rest)
        self.verdict = verdict
        self.user_properties += [(key, str(value)) for key, value in verdict.model_dump(mode="json").items()]

    def runtest(self) -> None:
        """Pass only what passed."""
        if self.verdict.outcome != Outcome.PASS:
            raise NotPassedError(f"{self.verdict.outcome.value}: {self.verdict.says}")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The sentence of the verdict, without a traceback of ours."""
        return str(excinfo.value) if isinstance(excinfo.value, NotPassedError) else super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where pytest says the item is."""
        return self.path, 0, self.name


class NotPassedError(Exception):
    """The verdict is not a pass."""


def _verdicts(config: pytest.Config) -> dict[str, list[Verdict]]:
    if VERDICTS not in config.stash:
        grouped: dict[str, list[Verdict]] = defaultdict(list)
        for verdict in _judged(Path(config.getoption("--site")), config.getoption("--evidence")):
            grouped[verdict.check].append(verdict)
        config.stash[VERDICTS] = grouped
    return config.stash[VERDICTS]


def _judged(site: Path, evidence: str | None) -> list[Verdict]:
    try:
        loaded = spec.load(site)
        plan = design.expand(loaded.site, loaded.catalog)
        work = Workspace(Path(".rackwright") / loaded.site.site)
        store = collect.Store(Path(evidence) if evidence else work.path / "evidence")
        return judge.run(plan, collect.load(store), judge.checks(), judge.limits())
    except RackwrightError as error:
        raise pytest.UsageError(str(error)) from error
