"""The declarations of one role for one host: the files of the role, with the templates filled in as Ansible would."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from ansible.errors import AnsibleActionFail, AnsibleUndefinedVariable  # type: ignore[import-untyped]
from ansible.module_utils.common.arg_spec import ArgumentSpecValidator  # type: ignore[import-untyped]
from ansible.parsing.dataloader import DataLoader  # type: ignore[import-untyped]
from ansible.template import trust_as_template  # type: ignore[import-untyped]

from .compiled import check_values, compile_templates, share_compiled
from .formats import finalizer

SAME_VARIABLES = {"rocky-9": "rhel-9", "almalinux-9": "rhel-9", "dgx-os-6": "ubuntu-22.04", "dgx-os-7": "ubuntu-24.04"}
VARIABLES_FILE = re.compile("([a-z0-9-]+/)?[a-z0-9][a-z0-9.-]*")
SINGLE_VALUES = ("packages", "remove")
"""Sections that are one value and not a list of entries."""
_read: set[tuple[Path, str, str]] = set()
"""Folder, role and system of the files that `read_role_files` has read."""
MANAGED = "written by rackwright: a change by hand is undone by the next onboarding"


@cache
def read_yaml(path: Path) -> dict[str, Any]:
    """A YAML file whose strings may be templates; an empty mapping if the file does not exist."""
    if not path.exists():
        return {}
    # unsafe: without a copy, which would take longer than the reading; the loader that could hand it to another is gone
    return DataLoader().load_from_file(str(path), unsafe=True, trusted_as_template=True) or {}


@cache
def read_template(path: Path) -> Any:
    """The text of a template."""
    return trust_as_template(DataLoader().get_text_file_contents(str(path)))


def read_role_files(folder: Path, roles: Iterable[str] | None = None, system: str = "*") -> None:
    """Read the files of `roles` (by default all in `folder`), with the variables of `system` (by default of each).

    Called before Ansible forks its workers, which then share the content; each worker has to read other files itself.
    """
    unread = [name for name in _names(folder, roles) if (folder, name, system) not in _read]
    if unread:
        _read.update((folder, name, system) for name in unread)
        for name in unread:
            read_yaml(folder / name / "meta" / "argument_specs.yml")
        compile_templates(read_yaml(path) for name in unread for path in _template_files(folder / name, system))


def _names(folder: Path, roles: Iterable[str] | None) -> list[str]:
    return (
        [str(name) for name in roles]
        if roles is not None
        else [path.parent.name for path in folder.glob("*/state.yml")]
    )


def _template_files(folder: Path, system: str) -> Iterator[Path]:
    yield from (folder / "state.yml", folder / "defaults" / "main.yml")
    # The variables of operating systems are in files that end in a release, those of vendors are not.
    yield from {*folder.glob("vars/*[!0-9].yml"), *folder.glob(f"vars/{SAME_VARIABLES.get(system, system)}.yml")}


class RoleDeclarations:
    """One role for one host."""

    def __init__(self, folder: Path, templar: Any, task_vars: Mapping[str, Any]) -> None:
        """`folder` is that of the role. `task_vars` override its defaults; its ``vars`` files override both."""
        self.role = folder.name
        self._folder, self._state = folder, read_yaml(folder / "state.yml")
        self._vars = self._variables(templar, task_vars)
        self._templar = share_compiled(templar.copy_with_new_env(available_variables=self._vars))
        self._sections: dict[str, Any] = {}
        self._conditions: dict[Any, bool] = {}

    def section(self, name: str) -> Any:
        """One section, filled in once; empty when none of its entries applies to this host."""
        if name not in self._sections:
            self._sections[name] = self._single_value(name) if name in SINGLE_VALUES else self.entries(name)
        return self._sections[name]

    def _single_value(self, name: str) -> Any:
        return self._templar.template(self._state[name]) if self._state.get(name) else {}

    def entries(self, section: str, having: str = "") -> list[dict[str, Any]]:
        """The entries of a section whose conditions hold; with `having`, only the entries with that key, reduced to it and their name."""
        declared = self._state.get(section) or []
        if isinstance(declared, str):
            declared = self._templar.template(declared)
        selected = [entry for entry in declared if not having or having in entry]
        filled = [self.filled(entry, ("name", having) if having else entry) for entry in selected]
        return [entry for entry in filled if entry is not None]

    def filled(self, entry: Mapping[str, Any], keys: Iterable[str] = ()) -> dict[str, Any] | None:
        """An entry with its templates filled in, limited to `keys` if any are given; None when its conditions do not hold."""
        if not self._holds(entry.get("when", [])):
            return None
        values: dict[str, Any] = self._templar.template(_without_when(entry, keys or entry))
        return values

    def messages(self, section: str) -> list[str]:
        """The sentences of ``refuse`` (no facts of the host needed) or of ``unfit`` (by facts, before the host is changed)."""
        return [
            " Source: ".join(
                [f"{self.role}: {' '.join(entry['message'].split())}", *filter(None, [entry.get("source")])]
            )
            for entry in self.entries(section)
        ]

    def reboot_reasons(self) -> list[str]:
        """Why this host needs a reboot."""
        return [f"{self.role}: {' '.join(entry['reason'].split())}" for entry in self.entries("reboot")]

    def wrong_arguments(self) -> list[str]:
        """Options that are missing, or of another type than in the argument specification of the role."""
        specs = read_yaml(self._folder / "meta" / "argument_specs.yml").get("argument_specs", {})
        # Defaults come from defaults/main.yml; those of the specification are for readers alone.
        options = {
            name: {key: value for key, value in option.items() if key != "default"}
            for name, option in (specs.get("main", {}).get("options") or {}).items()
        }
        result = ArgumentSpecValidator(options).validate(self._arguments(options), validate_role_argument_spec=True)
        return [f"{self.role}: {message}" for message in result.error_messages]

    def _arguments(self, options: Iterable[str]) -> dict[str, Any]:
        arguments = {}
        for name in options:
            if name in self._vars:
                # An option that rests on a missing one is left out: the missing option is reported by its name.
                with suppress(AnsibleUndefinedVariable):
                    arguments[name] = self._templar.template(self._vars[name])
        return arguments

    def watchers(self) -> dict[str, list[str]]:
        """Actions that follow the change of a file; the names are those of rackwright_commands.key and rackwright_units.key."""
        watchers = {}
        for entry in self.entries("commands", having="after_change_of"):
            slug = "".join(sign if sign.isalnum() else "-" for sign in entry["name"].lower())
            watchers[f"{self.role}.{slug}"] = entry["after_change_of"]
        for entry in self.entries("units", having="restart_on"):
            watchers[f"{self.role}.unit.{entry['name'].replace('/', '-')}"] = entry["restart_on"]
        return watchers

    def fill_files(self, files: Iterable[dict[str, Any]], secrets: dict[str, str]) -> None:
        """Add the texts of `files`; a secret one goes into `secrets` instead, in base64 by path, and is never printed."""
        for entry in files:
            if "template" in entry:
                entry["text"] = self._render(entry.pop("template"), entry.pop("variables", {}))
            elif "from" in entry:
                content = self._read_controller_file(entry.pop("from"))
                entry["text"] = content if entry.get("secret") else content.decode()
            if entry.get("secret"):
                secrets[entry["path"]] = base64.b64encode(entry.pop("text")).decode()

    def _render(self, name: str, variables: Mapping[str, Any]) -> str:
        path = Path(name) if Path(name).is_absolute() else self._folder / "templates" / name
        text = read_template(path)
        variables = {**self._vars, **variables}
        templar = check_values(
            self._templar.copy_with_new_env(searchpath=[str(path.parent)], available_variables=variables),
            text,
            lambda finalize: finalizer(self.role, path.name, finalize, MANAGED),
        )
        filled: str = templar.template(text, escape_backslashes=False, overrides={"trim_blocks": True})
        return filled

    def _read_controller_file(self, path: str) -> bytes:
        try:
            return Path(path).read_bytes()
        except OSError as error:
            raise AnsibleActionFail(
                f"{self.role}: {path} cannot be read on the controller ({error.strerror})"
            ) from None

    def _holds(self, conditions: Any) -> bool:
        conditions = conditions if isinstance(conditions, list) else [conditions]
        return all(self._evaluate(condition) for condition in conditions)

    def _evaluate(self, condition: Any) -> bool:
        """Whether a condition holds; cached, because compiling one takes 2 ms and many entries have the same."""
        if condition not in self._conditions:
            self._conditions[condition] = self._templar.evaluate_conditional(condition)
        return self._conditions[condition]

    def _variables(self, templar: Any, task_vars: Mapping[str, Any]) -> dict[str, Any]:
        facts = task_vars.get("ansible_facts", {}).get("rackwright", {})
        system = facts.get("os") or templar.template(task_vars.get("rackwright_os", "debian-12"))
        system_vars = self._variables_file(SAME_VARIABLES.get(system, system))
        if not system_vars.exists() and any(self._folder.glob("vars/*-*.yml")):
            systems = sorted(path.stem for path in self._folder.glob("vars/*-*.yml"))
            raise AnsibleActionFail(f"{self.role}: this host runs {system}, and the role knows {', '.join(systems)}")
        variables = {
            **read_yaml(self._folder / "defaults" / "main.yml"),
            **task_vars,
            **read_yaml(self._folder / "vars" / "main.yml"),
            **read_yaml(system_vars),
            "role_name": self.role,
            "role_path": str(self._folder),
            "ansible_managed": MANAGED,
        }
        return {**variables, **self._more_variables(templar, variables)}

    def _more_variables(self, templar: Any, variables: Mapping[str, Any]) -> dict[str, Any]:
        """Variables of a further file in ``vars/`` that the role names by a template: the data of a vendor. Empty if it names none."""
        name = variables.get(f"__{self.role}_more_vars")
        if not name:
            return {}
        with suppress(AnsibleUndefinedVariable):  # `wrong_arguments` reports the missing option
            name = share_compiled(templar.copy_with_new_env(available_variables=variables)).template(name)
            return read_yaml(self._variables_file(name))
        return {}

    def _variables_file(self, name: str) -> Path:
        """Path of a file in ``vars/``. Its content is filled in as templates, so no option and no fact of a host may name another file."""
        if not VARIABLES_FILE.fullmatch(name):
            raise AnsibleActionFail(f"{self.role}: {str(name)!a} cannot be the name of an operating system or a vendor")
        return self._folder / "vars" / f"{name}.yml"


def _without_when(entry: Mapping[str, Any], keys: Iterable[str]) -> dict[str, Any]:
    return {key: entry[key] for key in keys if key != "when"}
