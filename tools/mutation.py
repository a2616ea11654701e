"""Measures tests by mutation: the share of small random errors in a package that its tests do not notice.

    .venv/bin/python tools/mutation.py gate --count 100

Draws mutants of ``rackwright/PACKAGE`` with a fixed seed (a comparison turned round, a condition negated, a number or a text changed,
a call or an operand removed, a result dropped), runs the tests that reach each and prints the survivors. Nothing is written:
a mutant exists in the memory of its process alone. Tests that start other processes do not see it.
"""

from __future__ import annotations

import argparse
import importlib
import os
import pickle
import random
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import wraps
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from mutants import Mutant, mutants

ROOT = Path(__file__).resolve().parent.parent
MARKERS = "not (engine or twin or slurm or fabric or kubectl or postgres or gpu)"
TESTS = {
    "compare": [
        "tests/layout/test_checks.py::test_case",
        "tests/layout/test_checks.py::test_without_limits_nothing_that_needs_one_passes",
        "tests/properties/test_fleet_statistics.py",
        "tests/properties/test_standing.py",
    ]
}
"""Tests of a package that do not lie in ``tests/unit/PACKAGE``."""
PRELOADED = ("hypothesis.strategies", "polars", "pydantic", "yaml", "jinja2", "rackwright.design", "tests.build")
SECONDS = 20
"""Processor time that a mutant may take in addition to three times that of its tests; with more it loops, and counts as noticed."""

Function = tuple[str, int]
"""File and first line."""


@dataclass
class Reach:
    """Which tests reach which function of a package."""

    on_import: set[Function] = field(default_factory=set)
    """Functions that run before the first test: every test may see their result."""
    by_test: dict[str, set[Function]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)

    def tests(self, mutant: Mutant) -> list[str]:
        """The tests that may notice a mutant, the most likely and the quickest first.

        Those that reach another function of its file are among them: they may get what its own function has returned before.
        """
        quickest = sorted(self.seconds, key=self.seconds.__getitem__)
        path, function = str(mutant.path), (str(mutant.path), *mutant.scopes[-1:])
        reaching = [test for test in quickest if function in self.by_test[test]]
        near = [test for test in quickest if any(name == path for name, _ in self.by_test[test])]
        everywhere = quickest if not mutant.scopes or function in self.on_import else []
        return list(dict.fromkeys([*reaching, *near, *everywhere]))


class Recorder:
    """A pytest plugin that notes the functions of `package` that each test calls."""

    def __init__(self, package: str) -> None:
        self.reach = Reach()
        self._package = package
        self._functions = self.reach.on_import
        sys.settrace(self._trace)

    def _trace(self, frame: FrameType, _event: str, _argument: object) -> None:
        code = frame.f_code
        if code.co_filename.startswith(self._package):
            self._functions.add((code.co_filename, code.co_firstlineno))

    def cache(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """`functools.cache` after which each caller has reached what the first one reached."""
        results: dict[object, tuple[Any, set[Function]]] = {}

        @wraps(function)
        def cached(*positional: Any, **named: Any) -> Any:
            key = positional, tuple(named.items())
            if key not in results:
                outer, self._functions = self._functions, set()
                try:
                    results[key] = function(*positional, **named), self._functions
                finally:
                    outer |= self._functions
                    self._functions = outer
            self._functions |= results[key][1]
            return results[key][0]

        cached.cache_clear = results.clear  # type: ignore[attr-defined]
        return cached

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Record one test."""
        self._functions = self.reach.by_test.setdefault(item.nodeid, set())
        started = time.process_time()
        sys.settrace(self._trace)
        try:
            return (yield)
        finally:
            self.reach.seconds[item.nodeid] = time.process_time() - started
            self._functions = set()


class Selection:
    """A pytest plugin that runs `tests` in their order, and those that a mutant brought about."""

    def __init__(self, tests: list[str], every: dict[str, float]) -> None:
        self._turn = {test: place for place, test in enumerate(tests)}
        self._every = every
        self._functions = {test.partition("[")[0] for test in every}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep and sort the tests."""
        chosen = [item for item in items if item.nodeid in self._turn or self._is_new(item.nodeid)]
        items[:] = sorted(chosen, key=lambda item: self._turn.get(item.nodeid, -1))

    def _is_new(self, test: str) -> bool:
        return test not in self._every and test.partition("[")[0] in self._functions


def in_process(run: Callable[[], int], *, quiet: bool = True) -> int:
    """The result of `run` in a process of its own."""
    process = os.fork()
    if process == 0:
        if quiet:
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, 1)
            os.dup2(null, 2)
        os._exit(run())
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def run_tests(words: list[str], plugin: object) -> int:
    """The exit status of pytest."""
    options = ["-x", "-q", "--tb=no", "-p", "no:cacheprovider", "-p", "no:xdist", "--disable-warnings", "-m", MARKERS]
    return int(pytest.main([*options, *words], plugins=[plugin]))


def reach_of(package: str, paths: list[str]) -> Reach:
    """Run the tests without a mutant; exits when one of them fails."""
    with tempfile.NamedTemporaryFile() as file:

        def record() -> int:
            import functools

            recorder = Recorder(f"{ROOT / package}{os.sep}")
            functools.cache = recorder.cache  # type: ignore[assignment]
            status = run_tests(paths, recorder)
            sys.settrace(None)
            Path(file.name).write_bytes(pickle.dumps(recorder.reach))
            return status

        if in_process(record, quiet=False):
            sys.exit(f"the tests fail without a mutant: {' '.join(paths)}")
        return pickle.loads(Path(file.name).read_bytes())  # type: ignore[no-any-return]  # noqa: S301 - our own


def survives(mutant: Mutant, reach: Reach) -> bool:
    """Whether all tests pass that reach a mutant."""
    tests = reach.tests(mutant)
    paths = list(dict.fromkeys(test.split("::")[0] for test in tests))

    def run() -> int:
        seconds = 3 * sum(map(reach.seconds.__getitem__, tests)) + SECONDS
        signal.setitimer(signal.ITIMER_PROF, seconds)
        sys.dont_write_bytecode = True
        code, unchanged = mutant.code(), SourceFileLoader.get_code

        def get_code(self: SourceFileLoader, name: str) -> object:
            return code if Path(self.get_filename(name)) == mutant.path else unchanged(self, name)

        SourceFileLoader.get_code = get_code  # type: ignore[method-assign, assignment]
        return run_tests(paths, Selection(tests, reach.seconds))

    return not tests or in_process(run) == 0


def preload(package: str) -> None:
    """Import what tests need and no mutant can be in, so that each process finds it there; failing examples are not made smaller."""
    from hypothesis import Phase, settings

    from tests import examples

    examples.COMMON = settings(examples.COMMON, phases=[Phase.explicit, Phase.generate])
    for name in PRELOADED:

        def is_mutable(name: str = name) -> int:
            importlib.import_module(name)
            return any(module.startswith(package) for module in sys.modules)

        if not in_process(is_mutable):
            importlib.import_module(name)


def main() -> int:
    """Print the mutants that survive and their share; the exit status is 1 when the share is above the limit."""
    parser = argparse.ArgumentParser(description="share of random errors in a package that its tests do not notice")
    parser.add_argument("package", help="folder below rackwright, such as gate")
    parser.add_argument("--count", type=int, default=100, help="number of mutants (100)")
    parser.add_argument("--seed", type=int, default=1, help="of the draw (1)")
    parser.add_argument("--limit", type=float, default=0.15, help="highest share that passes (0.15)")
    parser.add_argument("--tests", nargs="*", help="test files or folders")
    options = parser.parse_args()
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    tests = options.tests or [f"tests/unit/{options.package}", *TESTS.get(options.package, [])]
    every = [
        mutant for path in sorted((ROOT / "rackwright" / options.package).rglob("*.py")) for mutant in mutants(path)
    ]
    drawn = random.Random(options.seed).sample(every, min(options.count, len(every)))  # noqa: S311 - a sample, no secret
    preload(f"rackwright.{options.package.replace('/', '.')}")
    reach, survivors = reach_of(f"rackwright/{options.package}", tests), 0
    if not survives(replace(drawn[0], replacement=drawn[0].node, scopes=()), reach):
        sys.exit("the tests fail without a mutant when the quickest ones run first")
    for mutant in drawn:
        if survives(mutant, reach):
            survivors += 1
            print(str(mutant).removeprefix(f"{ROOT}/"), flush=True)
    share = survivors / len(drawn)
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(
        f"{options.package}: {survivors} of {len(drawn)} mutants survive ({share:.0%}), {len(every)} possible, "
        f"{spent.ru_utime + spent.ru_stime:.0f} s of processor time"
    )
    return int(share > options.limit)


if __name__ == "__main__":
    sys.exit(main())
