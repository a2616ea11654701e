"""`rackwright mirror build`: plan, fetch the sources, build, package, publish. Hosts see nothing of it before the next sync."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from rackwright.base import file_lock
from rackwright.base.errors import Problem, ProblemsError
from rackwright.mirror import signing
from rackwright.mirror.build.host import BuildHost
from rackwright.mirror.build.packaging import make_packages
from rackwright.mirror.build.planning import PlannedBuild, lacks, plan_builds
from rackwright.mirror.build.recipes import Recipes
from rackwright.mirror.build.repository import BuiltRepository
from rackwright.mirror.build.running import RunningBuild
from rackwright.mirror.fetch import Fetcher, FetchError, Transfer
from rackwright.mirror.install_groups import InstallGroup
from rackwright.mirror.layout import MirrorLayout
from rackwright.mirror.sync_records import JOBS, OnEvent
from rackwright.upstreams import Upstreams, vendor_url


@dataclass(frozen=True)
class BuildOptions:
    """Options of one build, from the command line."""

    to: Path
    recipes: Recipes
    upstreams: Upstreams
    files: Path | None = None
    sign_key: str = ""


@dataclass(frozen=True)
class BuildResult:
    """Result of one build."""

    built: Mapping[str, Sequence[str]]
    """Software with its version -> files of its packages."""
    kept: tuple[str, ...]
    """Software that was there already."""
    folder: Path


def build_mirror(
    groups: Sequence[InstallGroup], host: BuildHost, options: BuildOptions, on_event: OnEvent, now: datetime
) -> BuildResult:
    """Build what nodes like this host need and the mirror has not built yet.

    Raises `ProblemsError` with everything that is missing before anything starts, `UsageError` where the host is of another kind than the nodes or the
    folder is being filled, `OutsideError` where a step, a packager or gpg fails; then nothing is published.
    """
    builds, problems = plan_builds(options.recipes, groups, host)
    layout = MirrorLayout(options.to)
    repository = BuiltRepository(layout, host)
    due = [build for build in builds if not repository.has(build)]
    unchanged = tuple(build.name for build in builds if build not in due)
    urls, unknown = _addresses(due, options)
    problems += [*unknown, *lacks(options.recipes, due, host)]
    if problems:
        raise ProblemsError(problems)
    if not due:
        return BuildResult({}, unchanged, repository.root)
    layout.prepare()
    hold = file_lock.take_lock(
        layout.work / "busy", f"{options.to} is being filled by another run; let it end, or use --to"
    )
    try:
        if options.sign_key:  # a key that gpg does not know must not wait until everything is built
            signing.Signer(options.sign_key, {})
        work = layout.work / "build"
        archives = asyncio.run(_fetch(due, urls, layout, work))
        fresh = []
        for build in due:
            on_event("mirror.build", {"name": build.name})
            running = RunningBuild(build, work)
            running.run(archives[build.name])
            fresh.append((build, urls[build.name], make_packages(running, host, running.root / "packages")))
        with signing.open_signer(options.sign_key, layout.secrets) as signer:
            files = {build.name: [path.name for path in paths] for build, _, paths in fresh}
            repository.publish(fresh, signer, now)
        return BuildResult(files, unchanged, repository.root)
    finally:
        os.close(hold)


def _addresses(due: Sequence[PlannedBuild], options: BuildOptions) -> tuple[dict[str, str], list[Problem]]:
    """Where the archives come from: the folder of --files, the recipe, the table of vendor files."""
    urls, problems = {}, []
    for build in due:
        supplied = options.files / build.archive if options.files else None
        url = supplied.resolve().as_uri() if supplied and supplied.is_file() else build.fill(build.recipe.url)
        url = url or vendor_url(options.upstreams, build.archive)[0]
        if url:
            urls[build.name] = url
        else:
            problems.append(_no_address(build))
    return urls, problems


async def _fetch(
    due: Sequence[PlannedBuild], urls: Mapping[str, str], layout: MirrorLayout, work: Path
) -> dict[str, Path]:
    """Build -> its archive, each with the pinned digest. ProblemsError with all downloads that failed."""
    archives, problems = {}, []
    async with Fetcher(layout.partial, JOBS) as fetcher:
        for build in due:
            archives[build.name] = work / build.archive
            try:
                await fetcher.file(Transfer(urls[build.name], archives[build.name], build.sha256))
            except FetchError as error:
                problems.append(_not_fetched(build, urls[build.name], error))
    if problems:
        raise ProblemsError(problems)
    return archives


def _no_address(build: PlannedBuild) -> Problem:
    return Problem(
        place=f"recipe {build.recipe.name}",
        path="",
        message="nobody knows where its source comes from",
        expected=f"{build.archive} in the folder of --files, or `url` in the recipe",
        found="neither",
        next_step=f"put {build.archive} into a folder and give that with --files DIR",
        code="mirror.by_hand",
    )


def _not_fetched(build: PlannedBuild, url: str, error: FetchError) -> Problem:
    return Problem(
        place=f"recipe {build.recipe.name}",
        path="",
        message=f"the source of {build.name} did not come",
        expected=f"{url} with SHA-256 {build.sha256}",
        found=error.reason,
        next_step=f"{error.next_step}; or put {build.archive} into a folder and give that with --files DIR",
        code=error.code,
    )
