"""One twin per site, a host for roles that come after the same ones, and four plays over all of them at once: check, converge, again, verify alone."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from testinfra.backend.base import BaseBackend, CommandResult
from testinfra.host import Host

from rackwright.onboard import settings
from tests import workers
from tests.roles.cast import Scene, Stage, stages
from tests.rotation import of_this_run
from tests.shell import Shell

ANSIBLE = Path(sys.executable).with_name("ansible-playbook")
HERE = Path(__file__).resolve().parent
ROLES = HERE.parents[1] / "roles"
PLAY = """\
- name: The roles of each host, one after the other, each by itself
  hosts: all
  gather_facts: false
  tasks:
"""
TASKS = """\
    - name: The role under test, alone
      ansible.builtin.include_role: {{name: "{{{{ roles_under_test[{number}] }}}}"}}
      when: roles_under_test | length > {number}
    - name: Forget what was seen of the host
      ansible.builtin.meta: clear_facts
"""
LABORATORY = "test_vendors"
"""File whose tests share one twin with a node of each of eight vendors."""
TOUR = "test_all_roles_end_well"
"""Beginning of the name of the test that plays a site on another system."""
Place: TypeAlias = tuple[Path, str] | str | None
PLUGINS = {
    "ANSIBLE_NOCOLOR": "1",
    "ANSIBLE_ROLES_PATH": str(ROLES),
    "ANSIBLE_LIBRARY": str(ROLES / "library"),
    "ANSIBLE_MODULE_UTILS": str(ROLES / "module_utils"),
    "ANSIBLE_ACTION_PLUGINS": str(ROLES / "action_plugins"),
}
"""What a playbook of one's own needs that stands in another folder than the roles."""
LINE = re.compile(
    r"^(?:TASK \[(?:(?P<role>\w+) : )?.*\] \*+|(?P<result>ok|changed|fatal|failed): \[(?P<host>[^\] ]+).*)$"
)
"""What Ansible prints at the beginning of a task, whose role is named before it, and of the task on a host."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """In CI half of the hosts of the example's theatre play, and for every tree another of the other theatres and the laboratory, or a tour.

    `make tours`: all.
    """
    if not os.environ.get("CI"):
        return
    places = playing()
    idle = {item for item in items if item.path.parent == HERE and _place(item.nodeid) not in places}
    config.hook.pytest_deselected(items=[item for item in items if item in idle])
    items[:] = [item for item in items if item not in idle]


def playing() -> set[Place]:
    """What plays for this tree: a tour with every second one."""
    example, *others = stages()
    theatres = [tuple((stage.site, host) for host in stage.parts) for stage in others]
    in_turn = [place for places in (*theatres, (LABORATORY,)) for place in (places, (TOUR,))]
    hosts = ((example.site, host) for host in example.hosts_of_this_run())
    return {None, *hosts, *(place for places in of_this_run(in_turn, 1) for place in places)}


def _place(nodeid: str) -> Place:
    """Where a test plays that has turns: a host of a theatre, the laboratory, or a tour; None for any other."""
    if word := next((word for word in (LABORATORY, TOUR) if word in nodeid), None):
        return word
    role = workers.role(nodeid)
    return next(((stage.site, scene.host) for stage in stages() for scene in stage.scenes if scene.role == role), None)


@pytest.fixture(scope="session")
def collections(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the collection is installed, apart from this checkout."""
    folder = tmp_path_factory.mktemp("collection")
    words = [sys.executable, str(ROLES.parent / "tools" / "collection"), "--out", str(folder)]
    archive = subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()
    galaxy = [str(ANSIBLE.with_name("ansible-galaxy")), "collection", "install", "--offline", archive]
    subprocess.run([*galaxy, "-p", str(folder / "installed")], check=True, capture_output=True)
    return folder / "installed"


@dataclass
class Count:
    """What Ansible printed of one role on one host in one play."""

    results: Counter[str] = field(default_factory=Counter)
    failures: str = ""
    """Failures of this host, as Ansible printed them."""

    @property
    def changed(self) -> int:
        return self.results["changed"]

    @property
    def good(self) -> bool:
        return self.results.keys() <= {"ok", "changed"} and self.results.total() > 0


def count(output: str, scenes: list[Scene]) -> dict[tuple[str, str], Count]:
    """(host, role) -> what a play printed of it; of tasks that are of no role in particular, of every one of the host."""
    counts = {(scene.host, scene.role): Count() for scene in scenes}
    role = None
    for line in output.splitlines():
        match = LINE.match(line)
        if match and not match["result"]:
            role = match["role"]
        elif match:
            mine = {name: entry for (host, name), entry in counts.items() if host == match["host"]}
            for entry in [mine[role]] if role in mine else mine.values():
                entry.results[match["result"]] += 1
            if match["result"] in ("fatal", "failed"):
                for entry in mine.values():
                    entry.failures += f"{line}\n"
    return counts


class Theatre:
    """The twin of one stage, with all plays done."""

    def __init__(self, stage: Stage, work: Path) -> None:
        self.stage, self.work = stage, work
        self.parts = {host: scenes for host, scenes in stage.parts.items() if host in stage.hosts_of_this_run()}
        names = ",".join(self.parts)
        self.shell = Shell(stage.site, work, "--nodes", names)
        self._inventory()
        entry, page = work / "one.yml", ROLES / "site.yml"
        longest = max(map(len, self.parts.values()))
        entry.write_text(PLAY + "".join(TASKS.format(number=number) for number in range(longest)), encoding="utf-8")
        self.prepared = self._play("prepare", page, "")
        self.check = self._play("check", entry, "--check --diff", alone=True)
        self.converge = self._play("converge", entry, "", alone=True)
        self.again = self._play("again", entry, "", alone=True)
        self.verify = self._play("verify", page, '--check -e \'{"rackwright_parts": ["verify"]}\'', alone=True)

    def _inventory(self) -> None:
        """What a person would play the roles with who has Ansible alone."""
        nodes = ",".join(self.parts)
        words = ["inventory", str(self.stage.site), "--nodes", nodes, "--work", str(self.work)]
        self.shell.say(shlex.join([sys.executable, "-m", "rackwright", *words, "--out", str(self.work / "inventory")]))

    def _play(self, name: str, playbook: Path, options: str, *, alone: bool = False) -> dict[tuple[str, str], Count]:
        """Play on all hosts; with `alone` of site.yml's roles only those under test, else only those before them."""
        more = self.work / "inventory" / "scenes.yml"
        hosts = {host: _variables(scenes, alone=alone) for host, scenes in self.parts.items()}
        more.write_text(json.dumps({"all": {"hosts": hosts}}))
        environment = settings.environment({"HOME": "/root"}, len(hosts), self.work, ROLES) | PLUGINS
        (self.work / settings.CONFIGURATION).write_text(settings.CONFIGURATION_TEXT, encoding="utf-8")
        words = " ".join(f"{key}={shlex.quote(value)}" for key, value in environment.items())
        _, output = self.shell.run(f"env {words} {ANSIBLE} -i {more.parent} {options} {playbook}")
        (self.work / f"{name}.log").write_text(output, encoding="utf-8")
        return count(output, [scene for scenes in self.parts.values() for scene in scenes])


def _variables(scenes: list[Scene], *, alone: bool) -> dict[str, Any]:
    under_test = [scene.role for scene in scenes]
    only = under_test if alone else list(scenes[0].before)
    return {"roles_under_test": under_test, "rackwright_only_roles": only, "rackwright_reboot": "allowed"}


class Backend(BaseBackend):
    """Lets testinfra look at a host through the shell inside the twin."""

    NAME = "twin"

    def __init__(self, shell: Shell, hostname: str, errors: Path) -> None:
        super().__init__(hostname=hostname)
        self._shell, self._errors = shell, errors

    def run(self, command: str, *args: str, **kwargs: Any) -> CommandResult:
        words = self.get_command(command, *args)
        errors = shlex.quote(str(self._errors))
        code, out = self._shell.run(f"ssh {self.hostname} {shlex.quote(words)} 2>{errors}")
        return self.result(code, words, out.encode() + b"\n" if out else b"", self._errors.read_bytes())


@pytest.fixture(scope="session")
def theatre(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Path], Theatre]]:
    """The theatre of a site, opened on first use."""
    opened: dict[Path, Theatre] = {}

    def open_(site: Path) -> Theatre:
        if site not in opened:
            stage = next(stage for stage in stages() if stage.site == site)
            opened[site] = Theatre(stage, tmp_path_factory.mktemp("theatre"))
        return opened[site]

    yield open_
    for entry in opened.values():
        entry.shell.end()


@dataclass(frozen=True)
class Scenario:
    """One role on its host, after all plays."""

    scene: Scene
    theatre: Theatre

    def of(self, play: dict[tuple[str, str], Count]) -> Count:
        return play[self.scene.host, self.scene.role]


@pytest.fixture
def scenario(request: pytest.FixtureRequest, theatre: Callable[[Path], Theatre]) -> Scenario:
    """The scenario of the role that the module is named after (``test_nccl.py``), or that the test is parametrized with."""
    values = getattr(request, "param", None)
    stage, scene = _find_scene(values or Path(request.node.path).stem.removeprefix("test_"))
    return Scenario(scene, theatre(stage.site))


def _find_scene(role: str) -> tuple[Stage, Scene]:
    for stage in stages():
        for scene in stage.scenes:
            if scene.role == role:
                return stage, scene
    raise AssertionError(f"no scene for role {role}")


@pytest.fixture
def host(scenario: Scenario) -> Host:
    """The host of the scenario, through testinfra."""
    theatre = scenario.theatre
    return Host(Backend(theatre.shell, scenario.scene.host, theatre.work / "errors.txt"))
