"""Which recipes the bills of a site need on this build host, and everything that stands in their way: nothing has started then."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from rackwright.base.errors import Problem, UsageError
from rackwright.mirror.build import host as build_host
from rackwright.mirror.build.host import BuildHost
from rackwright.mirror.build.recipes import WORD, BuildNeed, Recipe, Recipes, fill
from rackwright.mirror.install_groups import InstallGroup
from rackwright.model.software import Bill
from rackwright.upstreams import bill_words

FIELD_OF = {"cuda_dashed": "cuda", "cuda_home": "cuda"}
"""Words that follow from a field of the bill."""


@dataclass(frozen=True)
class PlannedBuild:
    """One recipe at one version, everything filled in."""

    recipe: Recipe
    version: str
    sha256: str
    """Digest of its archive."""
    words: dict[str, str]

    @property
    def name(self) -> str:
        """Name and version, as reports print it."""
        return f"{self.recipe.name} {self.version}"

    @property
    def archive(self) -> str:
        """Name of the archive."""
        return f"{self.recipe.name}-{self.version}.tar.gz"

    @property
    def inputs(self) -> str:
        """Digest of all that the packages follow from, but for what the build host has."""
        settings = {name: value for name, value in self.words.items() if name != "jobs"}
        text = json.dumps([self.recipe.model_dump(mode="json"), settings, self.sha256], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()

    def fill(self, text: str) -> str:
        """`text` with its words."""
        return fill(text, self.words)


def plan_builds(
    recipes: Recipes, groups: Sequence[InstallGroup], host: BuildHost
) -> tuple[list[PlannedBuild], list[Problem]]:
    """The builds that nodes like this host need, in the order of the file, and problems with the bills; UsageError for a host of another kind."""
    alike = [group for group in groups if group.os == host.os and group.architecture == host.architecture]
    if not alike:
        kinds = ", ".join(sorted({f"{group.os} on {group.architecture}" for group in groups})) or "no system"
        raise UsageError(
            f"this host has {host.os} on {host.machine}, and the nodes of the site {kinds}: build on a host with the system of the nodes"
        )
    builds: dict[str, PlannedBuild] = {}
    problems: list[Problem] = []
    for recipe in [recipe for recipe in recipes.recipes if host.os in recipe.os]:
        for group in alike:
            build = _build(recipe, group, host)
            if isinstance(build, Problem):
                problems.append(build)
            elif build is not None:
                earlier = builds.setdefault(f"{build.name}", build)
                problems += [_conflict(build, earlier)] if earlier.inputs != build.inputs else []
    return list(builds.values()), list(dict.fromkeys(problems))


def lacks(recipes: Recipes, due: Sequence[PlannedBuild], host: BuildHost) -> list[Problem]:
    """Problems of the host for the pending builds: the needs of each, and once those of the packager."""
    packaging = [need for need in recipes.packaging if need.packager == host.packager]
    problems = [problem for build in due for problem in _lacks(build, host, build.recipe.needs)]
    return [*problems, *(problem for build in due[:1] for problem in _lacks(build, host, packaging))]


def _build(recipe: Recipe, group: InstallGroup, host: BuildHost) -> PlannedBuild | Problem | None:
    """The build of `recipe` for `group`; None where its bill wants none."""
    version = str(getattr(group.bill, recipe.bill_field)) if recipe.bill_field else next(iter(recipe.versions))
    others = any(bool(getattr(group.bill, field)) != wished for field, wished in recipe.declared.items())
    if not version or others or (recipe.distribution and fnmatchcase(version, recipe.distribution)):
        return None
    place = f"software.{recipe.bill_field}" if recipe.bill_field else recipe.name
    if version not in recipe.versions:
        return _problem(
            group, place, f"no digest of the source of {recipe.name} {version} is pinned", ", ".join(recipe.versions), version,
            "declare one of these, or add the version with the SHA-256 of its archive to a copy of the recipes and give that with --recipes",
        )  # fmt: skip
    major = group.bill.cuda.split(".")[0]
    if recipe.by_cuda_major and major not in recipe.by_cuda_major:
        return _problem(
            group, "software.cuda", f"the recipe of {recipe.name} does not know this CUDA", ", ".join(recipe.by_cuda_major),
            group.bill.cuda, "add it to a copy of the recipes and give that with --recipes",
        )  # fmt: skip
    words = _words(recipe, group, host, version) | recipe.by_cuda_major.get(major, {})
    missing = sorted(_used_words(recipe) - words.keys() - {"release"})
    if missing:
        return _missing_word(recipe, group, missing[0])
    return PlannedBuild(recipe, version, recipe.versions[version], {**words, "release": fill(recipe.release, words)})


def _missing_word(recipe: Recipe, group: InstallGroup, word: str) -> Problem:
    field = FIELD_OF.get(word, word.removesuffix("_minor"))
    if field not in Bill.model_fields:
        return _problem(
            group, recipe.name, "the recipe uses a word that there is not", "those that the head of recipes.yaml lists",
            f"{{{word}}}", "correct the recipe",
        )  # fmt: skip
    return _problem(
        group, f"software.{field}", f"{recipe.name} is built for a version of {field}", "the version of the nodes", "none",
        f"declare software.{field}",
    )  # fmt: skip


def _used_words(recipe: Recipe) -> set[str]:
    """The words that the recipe uses."""
    return set(WORD.findall(json.dumps(recipe.model_dump(mode="json"))))


def _words(recipe: Recipe, group: InstallGroup, host: BuildHost, version: str) -> dict[str, str]:
    """Values of the recipe's placeholders; only those it uses, because others must not change the identity of a build."""
    words = bill_words(group.bill) | {
        "version": version,
        "version_dashed": version.replace(".", "-"),
        "machine": host.machine,
        "multiarch": build_host.multiarch(host.machine),
        "jobs": str(len(os.sched_getaffinity(0))),
    }
    if series := words.get("cuda_minor"):
        home = build_host.cuda_home(series, os.environ.get("CUDA_HOME"))
        words |= {"cuda_dashed": series.replace(".", "-"), "cuda_home": home}
    used = _used_words(recipe)
    of_system = {
        name: fill(text, words) for name, text in recipe.os[group.os].items() if words.keys() >= set(WORD.findall(text))
    }
    return {name: value for name, value in words.items() if name in used} | of_system


def _lacks(build: PlannedBuild, host: BuildHost, needs: Iterable[BuildNeed]) -> Iterator[Problem]:
    for need in needs:
        lack = build_host.lack(need, build.words, host, build.recipe.name)
        if lack is not None:
            yield lack


def _conflict(build: PlannedBuild, earlier: PlannedBuild) -> Problem:
    differ = {name for name, value in build.words.items() if earlier.words.get(name) != value}
    return Problem(
        place=f"recipe {build.recipe.name}",
        path="",
        message=f"pools need {build.name} built in two ways, and one package cannot be both",
        expected="pools with one system that agree",
        found=", ".join(
            f"{name}: {earlier.words.get(name, 'none')} and {build.words[name]}" for name in sorted(differ)
        ),
        next_step="give these pools the same software, or leave this one out of the bill of one of them",
        code="mirror.build_conflict",
    )


def _problem(group: InstallGroup, path: str, message: str, expected: str, actual: str, step: str) -> Problem:
    return Problem(
        place=group.title,
        path=path,
        message=message,
        expected=expected,
        found=actual,
        next_step=step,
        code="mirror.no_recipe",
    )
