"""Runs the action that reads roles, without a host: what would be carried out is caught where it would leave for the host."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from rackwright.onboard.role_engine import run_part

ROOT = Path(__file__).resolve().parents[3]
PARTS = ("install", "configure", "run", "join", "verify")
FACTS = {
    "os": "debian-12",
    "family": "debian",
    "version": "12",
    "kernel": {"release": "6.1.0-49-amd64", "cmdline": "BOOT_IMAGE=/vmlinuz ro", "modules": {}, "headers": True},
    "pci": {"accelerators": [], "nvswitches": [], "nics": []},
    "secure_boot": "disabled",
    "container": False,
    "dkms": [],
    "reboot_required": False,
    "boot_id": "one",
    "selinux": "disabled",
    "firewall": "",
}
SYSTEMS = {
    "debian-12": {"os": "debian-12", "family": "debian", "version": "12"},
    "ubuntu-22.04": {"os": "ubuntu-22.04", "family": "debian", "version": "22.04"},
    "ubuntu-24.04": {"os": "ubuntu-24.04", "family": "debian", "version": "24.04"},
    "rhel-9": {"os": "rhel-9", "family": "redhat", "version": "9.6"},
    "almalinux-9": {"os": "almalinux-9", "family": "redhat", "version": "9.6"},
    "rocky-9": {"os": "rocky-9", "family": "redhat", "version": "9.6"},
}


def _load(path: Path, name: str) -> ModuleType:
    result = importlib.util.spec_from_file_location(name, path)
    assert result is not None
    assert result.loader is not None
    module = importlib.util.module_from_spec(result)
    result.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def host_module() -> Callable[[str], ModuleType]:
    """A module of ``roles/library`` or ``roles/module_utils`` as the host imports it."""
    import ansible.module_utils

    for path in sorted((ROOT / "roles" / "module_utils").glob("*.py")):
        name = f"ansible.module_utils.{path.stem}"
        if name not in sys.modules:
            ansible.module_utils.__path__.append(str(path.parent))
            break

    def load(name: str) -> ModuleType:
        if name.startswith("rackwright_"):
            return importlib.import_module(f"ansible.module_utils.{name}")
        return _load(ROOT / "roles" / "library" / f"{name}.py", f"role_module_{name}")

    return load


class ModuleEndedError(Exception):
    """Ansible ends a module by leaving the process."""


def _done(_: list[str]) -> tuple[int, str, str]:
    return 0, "", ""


@pytest.fixture
def run_module(monkeypatch: pytest.MonkeyPatch) -> Callable[..., dict[str, Any]]:
    """``run_module(module, options, answer, check=False)``: the result of a module whose commands `answer` answers instead of the host."""

    def run(
        module: ModuleType,
        options: Mapping[str, Any] | None = None,
        answer: Callable[[list[str]], tuple[int, str, str]] = _done,
        *,
        check: bool = False,
    ) -> dict[str, Any]:
        class Module:
            check_mode, _diff = check, True

            def __init__(self, argument_spec: dict[str, dict[str, Any]], **_: Any) -> None:
                defaults = {name: spec.get("default") for name, spec in argument_spec.items()}
                self.params = {**defaults, **(options or {})}
                self.run_command = answer

            def exit_json(self, **result: Any) -> None:
                raise ModuleEndedError(result)

            def fail_json(self, **result: Any) -> None:
                raise ModuleEndedError({"failed": True, **result})

        monkeypatch.setattr(module, "AnsibleModule", Module)
        with pytest.raises(ModuleEndedError) as ended:
            module.main()
        return dict(ended.value.args[0])

    return run


class Declared:
    """What a role would have the host do, by section; and why it would refuse or ask for a reboot."""

    def __init__(self, role: str, variables: dict[str, Any], facts: dict[str, Any]) -> None:
        self._role, self._variables, self._facts = role, variables, facts
        self.secrets: dict[str, str] = {}
        self.watchers: dict[str, list[str]] = {}

    def part(self, part: str) -> dict[str, Any]:
        """The sections of one part, templates filled in."""
        sent = self._run(part)[1]
        self.secrets |= sent.get("secrets", {})
        self.watchers |= sent.get("watchers", {})
        return next((dict(entry) for entry in sent.get("roles", [])), {})

    @property
    def sections(self) -> dict[str, Any]:
        """All sections together; ``units`` holds late ones as well."""
        by_name: dict[str, Any] = {}
        for part in PARTS:
            for name, value in self.part(part).items():
                by_name[name] = (
                    by_name[name] + value if part == "join" and name in by_name and name == "units" else value
                )
        return by_name

    @property
    def packages(self) -> dict[str, str]:
        return self.part("install").get("packages", {})

    @property
    def files(self) -> dict[str, str]:
        """Path -> text (empty for links and removals)."""
        return {entry["path"]: entry.get("text", "") for entry in self.part("configure").get("files", [])}

    @property
    def commands(self) -> dict[str, list[str]]:
        return {entry["name"]: entry["run"] for entry in self.part("configure").get("commands", [])}

    @property
    def units(self) -> dict[str, dict[str, Any]]:
        return {e["name"]: e for part in ("run", "join") for e in self.part(part).get("units", [])}

    @property
    def verify(self) -> dict[str, dict[str, Any]]:
        return {entry["name"]: entry for entry in self.part("verify").get("verify", [])}

    @property
    def refused(self) -> str:
        """The sentences of a refusal, empty when the role accepts what it was given."""
        return str(self._run("validate")[0].get("msg", ""))

    @property
    def unfit(self) -> str:
        """Why its host cannot have the role as it is, empty when it can."""
        return str(self._run("install")[0].get("msg", ""))

    @property
    def reboot(self) -> list[str]:
        return list(self._run("reboot")[0]["reasons"])

    def _run(self, part: str) -> tuple[dict[str, Any], dict[str, Any]]:
        return run_part(part, [self._role], self._variables, self._facts)


@pytest.fixture
def declared() -> Callable[..., Declared]:
    """``declared("nccl", os="rhel-9", facts={"container": True}, nccl_version="2.30.4", ...)``."""

    def of(role: str, os: str = "debian-12", facts: dict[str, Any] | None = None, **variables: Any) -> Declared:

        by_name = {**FACTS, **SYSTEMS[os], **(facts or {})}
        names = {"groups": {}, "group_names": [], "inventory_hostname": "train-001", "rackwright_os": os}
        return Declared(role, {**names, **variables}, by_name)

    return of
