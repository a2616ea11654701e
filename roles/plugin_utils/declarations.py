"""What one role declares for one host: its own files, with the templates filled in as Ansible would.

Loaded by path (see ``role_state``).
"""

from __future__ import annotations

import base64
from contextlib import suppress
from functools import cache
from pathlib import Path

from ansible.errors import AnsibleActionFail, AnsibleUndefinedVariable
from ansible.module_utils.common.arg_spec import ArgumentSpecValidator
from ansible.parsing.dataloader import DataLoader
from ansible.template import trust_as_template

SAME_VARIABLES = {"rocky-9": "rhel-9"}
WHOLE = ("packages", "remove")
"""Sections that are one value and no list of entries."""
MANAGED = "written by rackwright: a change by hand is undone by the next onboarding"


@cache
def read(path):
    """A YAML file whose strings may be templates; an empty mapping when there is none."""
    loader = DataLoader()
    return (loader.load_from_file(str(path), trusted_as_template=True) or {}) if path.exists() else {}


@cache
def text_of(path):
    """The text of a template."""
    return trust_as_template(DataLoader().get_text_file_contents(str(path)))


def read_all(roles):
    """In the parent of all workers, once: what is read here is shared by every host of the play."""
    for pattern in ("*/state.yml", "*/defaults/main.yml", "*/vars/*.yml", "*/meta/argument_specs.yml"):
        for path in roles.glob(pattern):
            read(path)


class Declarations:
    """One role for one host."""

    def __init__(self, folder, templar, task_vars):
        """`folder` is that of the role; defaults stand below `task_vars`, variables of the role and its system above them."""
        self.role = folder.name
        self._folder, self._state = folder, read(folder / "state.yml")
        self._known = self._variables(templar, task_vars)
        self._templar = templar.copy_with_new_env(available_variables=self._known)
        self._sections, self._known_so = {}, {}

    def section(self, name):
        """One section, filled in once; empty when nothing of it holds on this host."""
        if name not in self._sections:
            whole = name in WHOLE
            empty = {} if whole else []
            found = self._templar.template(self._state[name]) if whole and self._state.get(name) else empty
            self._sections[name] = found if whole else self.entries(name)
        return self._sections[name]

    def entries(self, section, having=""):
        """The entries of a section whose conditions hold; with `having` their names and that key of those that have it."""
        declared = self._state.get(section) or []
        if isinstance(declared, str):
            declared = self._templar.template(declared)
        return [
            self._templar.template(_without_when(entry, ("name", having) if having else entry))
            for entry in declared
            if (not having or having in entry) and self._holds(entry.get("when", []))
        ]

    def told(self, section):
        """The sentences of ``refuse``, which knows no host, or of ``unfit``: what a host says of itself before it is touched."""
        return [
            " Source: ".join([f"{self.role}: {' '.join(one['message'].split())}", *filter(None, [one.get("source")])])
            for one in self.entries(section)
        ]

    def reasons(self):
        """Why this host needs a reboot."""
        return [f"{self.role}: {' '.join(entry['reason'].split())}" for entry in self.entries("reboot")]

    def wrong_arguments(self):
        """Options that are missing, or of another type than the role's argument specification has."""
        specs = read(self._folder / "meta" / "argument_specs.yml").get("argument_specs", {})
        # Defaults stand in defaults/main.yml, so that those of the specification are for readers alone.
        told = specs.get("main", {}).get("options") or {}
        options = {
            name: {key: value for key, value in option.items() if key != "default"} for name, option in told.items()
        }
        found = ArgumentSpecValidator(options).validate(self._given(options), validate_role_argument_spec=True)
        return [f"{self.role}: {message}" for message in found.error_messages]

    def _given(self, options):
        found = {}
        for name in options:
            if name in self._known:
                with suppress(
                    AnsibleUndefinedVariable
                ):  # it rests on an option that is missing, which is said by its own name
                    found[name] = self._templar.template(self._known[name])
        return found

    def watchers(self):
        """What has to follow the change of a file; the names are those of rackwright_commands.key and rackwright_units.key."""
        found = {}
        for entry in self.entries("commands", having="after_change_of"):
            slug = "".join(sign if sign.isalnum() else "-" for sign in entry["name"].lower())
            found[f"{self.role}.{slug}"] = entry["after_change_of"]
        for entry in self.entries("units", having="restart_on"):
            found[f"{self.role}.unit.{entry['name'].replace('/', '-')}"] = entry["restart_on"]
        return found

    def fill(self, files, secrets):
        """Give `files` their texts; what is secret goes into `secrets`, in base64 by path, and is never shown."""
        for entry in files:
            if "template" in entry:
                entry["text"] = self._render(entry.pop("template"), entry.pop("variables", {}))
            elif "from" in entry:
                found = self._from_controller(entry.pop("from"))
                entry["text"] = found if entry.get("secret") else found.decode()
            if entry.get("secret"):
                secrets[entry["path"]] = base64.b64encode(entry.pop("text")).decode()

    def _render(self, name, variables):
        path = Path(name) if Path(name).is_absolute() else self._folder / "templates" / name
        known = {**self._known, **variables}
        templar = self._templar.copy_with_new_env(searchpath=[str(path.parent)], available_variables=known)
        return templar.template(text_of(path), escape_backslashes=False, overrides={"trim_blocks": True})

    def _from_controller(self, path):
        try:
            return Path(path).read_bytes()
        except OSError as error:
            raise AnsibleActionFail(
                f"{self.role}: {path} cannot be read on the controller ({error.strerror})"
            ) from None

    def _holds(self, conditions):
        conditions = conditions if isinstance(conditions, list) else [conditions]
        return all(self._is_so(condition) for condition in conditions)

    def _is_so(self, condition):
        """Roles ask the same of every other entry; to compile a condition takes 2 ms."""
        if condition not in self._known_so:
            self._known_so[condition] = self._templar.evaluate_conditional(condition)
        return self._known_so[condition]

    def _variables(self, templar, task_vars):
        facts = task_vars.get("ansible_facts", {}).get("rackwright", {})
        system = facts.get("os") or templar.template(task_vars.get("rackwright_os", "debian-12"))
        own = self._folder / "vars" / f"{SAME_VARIABLES.get(system, system)}.yml"
        if not own.exists() and any(self._folder.glob("vars/*-*.yml")):
            known = sorted(path.stem for path in self._folder.glob("vars/*-*.yml"))
            raise AnsibleActionFail(f"{self.role}: this host runs {system}, and the role knows {', '.join(known)}")
        known = {
            **read(self._folder / "defaults" / "main.yml"),
            **task_vars,
            **read(self._folder / "vars" / "main.yml"),
            **read(own),
            "role_name": self.role,
            "role_path": str(self._folder),
            "ansible_managed": MANAGED,
        }
        return {**known, **self._more_variables(templar, known)}

    def _more_variables(self, templar, known):
        """A further file of ``vars/`` that the role names by a template: data of a vendor, beside those of the operating system."""
        name = known.get(f"__{self.role}_more_vars")
        if not name:
            return {}
        with suppress(AnsibleUndefinedVariable):  # the option that it rests on is missing, which `wrong_arguments` says
            name = templar.copy_with_new_env(available_variables=known).template(name)
            return read(self._folder / "vars" / f"{name}.yml")
        return {}


def _without_when(entry, keys):
    return {key: entry[key] for key in keys if key != "when"}
