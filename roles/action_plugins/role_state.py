"""Ansible action: reads the declarations of roles, fills in their templates, and has ``node_state`` carry them out on the host.

In: a part and the roles of the host, in order. Out: the result of one module call for all of them. Cut here because templates are filled in
on the controller, with the defaults and variables of each role as Ansible itself would have them. What a role declares, and in which
part it is carried out, stands in ``roles/README.md``.
"""

from __future__ import annotations

import base64
from functools import cache
from pathlib import Path

from ansible.errors import AnsibleActionFail
from ansible.module_utils.common.arg_spec import ArgumentSpecValidator
from ansible.parsing.dataloader import DataLoader
from ansible.plugins.action import ActionBase
from ansible.template import trust_as_template

HERE = Path(__file__).resolve().parents[1]
ROLES = HERE if (HERE / "site.yml").exists() else HERE.parent / "roles"
"""Beside the playbook in a checkout; ``plugins/action`` and ``roles`` are siblings in the collection."""
SECTIONS = {
    "install": ("sources", "files", "remove", "packages", "downloads"),
    "configure": ("groups", "users", "files", "commands"),
    "run": ("units",),
    "join": ("units", "audit"),
    "verify": ("verify", "audit"),
}
KEYRINGS = {"debian": "/etc/apt/keyrings/{}-mirror.asc", "redhat": "/etc/pki/rpm-gpg/RPM-GPG-KEY-{}"}
SAME_VARIABLES = {"rocky-9": "rhel-9"}
RELOAD = ["/etc/systemd/system/*", "/lib/systemd/system/*", "/usr/lib/systemd/system/*"]
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


def _read_all():
    """In the parent of all workers, once: what is read here is shared by every host of the play."""
    for pattern in ("*/state.yml", "*/defaults/main.yml", "*/vars/*.yml", "*/meta/argument_specs.yml"):
        for path in ROLES.glob(pattern):
            read(path)


_read_all()


class ActionModule(ActionBase):
    """``role_state: {part: ..., roles: [...]}``."""

    _supports_check_mode = True
    _supports_async = False
    _VALID_ARGS = frozenset(("part", "roles"))

    def run(self, tmp=None, task_vars=None):  # noqa: ARG002 - the form of an action
        """Carry out one part for the roles of this host."""
        super().run(None, task_vars)
        part, roles = self._task.args["part"], list(self._task.args["roles"])
        only = self._templar.template(task_vars.get("rackwright_only_roles", roles))
        roles = [role for role in roles if role in only]
        if part == "validate":
            return self._validate(roles, task_vars)
        facts = {}
        if part == "reboot" or "rackwright" not in task_vars.get("ansible_facts", {}):
            facts = self._facts(task_vars)
            task_vars = {**task_vars, "ansible_facts": {**task_vars.get("ansible_facts", {}), **facts}}
        if part == "reboot":
            return self._reboot(roles, task_vars, facts)
        unfit = self._told(roles, "unfit", task_vars) if part == "install" else []
        if unfit:
            return {"failed": True, "msg": "; ".join(unfit), "problems": unfit}
        if part == "verify" and self._task.check_mode:
            roles = [role for role in roles if role not in _found(task_vars, "rackwright_would_change")]
        result = self._carry_out(part, roles, task_vars)
        if self._task.check_mode and part != "verify":
            facts["rackwright_would_change"] = _would_change(result, roles, task_vars)
        return {**result, "ansible_facts": facts} if facts else result

    def _validate(self, roles, task_vars):
        """Everything that cannot work, at once; nothing is asked of the host."""
        problems = []
        for role in roles:
            wrong = self._wrong_arguments(role, self._variables(role, task_vars))
            problems += wrong or self._told([role], "refuse", task_vars)
        if problems:
            return {"failed": True, "msg": "; ".join(problems), "problems": problems}
        return {"changed": False, "roles": {}}

    def _wrong_arguments(self, role, known):
        specs = read(ROLES / role / "meta" / "argument_specs.yml").get("argument_specs", {})
        # Defaults stand in defaults/main.yml, so that those of the specification are for readers alone.
        told = specs.get("main", {}).get("options") or {}
        options = {
            name: {key: value for key, value in option.items() if key != "default"} for name, option in told.items()
        }
        templar = self._templar.copy_with_new_env(available_variables=known)
        given = {name: templar.template(known[name]) for name in options if name in known}
        found = ArgumentSpecValidator(options).validate(given, validate_role_argument_spec=True)
        return [f"{role}: {message}" for message in found.error_messages]

    def _told(self, roles, section, task_vars):
        """The sentences of ``refuse``, which knows no host, or of ``unfit``: what a host says of itself before it is touched."""
        told = []
        for role in roles:
            for entry in self._entries(role, section, self._variables(role, task_vars)):
                said = f"{role}: {' '.join(entry['message'].split())}"
                told.append(" Source: ".join([said, *filter(None, [entry.get("source")])]))
        return told

    def _reboot(self, roles, task_vars, facts):
        """Why this host needs a reboot, by facts that were gathered now."""
        reasons = [
            f"{role}: {' '.join(entry['reason'].split())}"
            for role in roles
            for entry in self._entries(role, "reboot", self._variables(role, task_vars))
        ]
        return {"changed": False, "ansible_facts": {**facts, "rackwright_reboot_reasons": reasons}, "reasons": reasons}

    def _carry_out(self, part, roles, task_vars):
        family = task_vars["ansible_facts"]["rackwright"]["family"]
        secrets, declared, watchers = {}, [], {}
        for role in roles:
            known = self._variables(role, task_vars)
            sections = {name: found for name in SECTIONS[part] if (found := self._section(role, name, known))}
            if part in ("run", "join"):
                sections = _marked(sections, "units", "late", part == "join")
            if part in ("install", "configure"):
                sections = _marked(sections, "files", "early", part == "install")
                self._texts(role, sections, known, secrets)
                if sections.get("files") or sections.get("commands"):
                    watchers |= self._watchers(role, known)
            if "sources" in sections:
                sections["keys"] = _with_keys(sections["sources"], KEYRINGS[family])
            if "audit" in sections:
                sections["audit"] = [{**one, **self._of_all_roles(roles, task_vars)} for one in sections["audit"]]
            if sections:
                declared.append({"role": role, **sections})
        if not declared:
            return {"changed": False, "roles": {}}
        arguments = {
            "part": part,
            "roles": declared,
            "secrets": secrets,
            "watchers": {**watchers, "systemd.reload": RELOAD},
            "family": family,
            "any_source": bool(self._templar.template(task_vars.get("rackwright_any_source", False))),
        }
        result = self._execute_module(module_name="node_state", module_args=arguments, task_vars=task_vars)
        result.pop("invocation", None)  # the declarations of all roles: too much for the log of every host
        return result

    def _of_all_roles(self, roles, task_vars):
        """Packages and sources that all roles of the host declare, those that are not played now included."""
        known = {
            role: self._variables(role, task_vars)
            for role in self._templar.template(task_vars.get("rackwright_roles", roles))
        }
        return {
            "declared": {role: self._section(role, "packages", own) or {} for role, own in known.items()},
            "sources": [entry["uri"] for role, own in known.items() for entry in self._entries(role, "sources", own)],
        }

    def _texts(self, role, sections, known, secrets):
        """Fill in the templates of files; what is secret goes a way that is never shown."""
        for entry in sections.get("files", []):
            if "template" in entry:
                entry["text"] = self._render(role, entry.pop("template"), known, entry.pop("variables", {}))
            elif "from" in entry:
                found = _from_controller(role, entry.pop("from"))
                entry["text"] = found if entry.get("secret") else found.decode()
            if entry.get("secret"):
                secrets[entry["path"]] = base64.b64encode(entry.pop("text")).decode()

    def _render(self, role, name, known, variables):
        path = Path(name) if Path(name).is_absolute() else ROLES / role / "templates" / name
        templar = self._templar.copy_with_new_env(
            searchpath=[str(path.parent)], available_variables={**known, **variables}
        )
        return templar.template(text_of(path), escape_backslashes=False, overrides={"trim_blocks": True})

    def _watchers(self, role, known):
        """What has to follow the change of a file; the names are those of rackwright_commands.key and rackwright_units.key."""
        found = {}
        for entry in self._entries(role, "commands", known):
            slug = "".join(sign if sign.isalnum() else "-" for sign in entry["name"].lower())
            found[f"{role}.{slug}"] = entry.get("after_change_of")
        for entry in self._entries(role, "units", known):
            found[f"{role}.unit.{entry['name'].replace('/', '-')}"] = entry.get("restart_on")
        return {name: patterns for name, patterns in found.items() if patterns}

    def _section(self, role, name, known):
        if name == "packages" or name == "remove":
            declared = read(ROLES / role / "state.yml").get(name)
            return self._templar.copy_with_new_env(available_variables=known).template(declared) if declared else None
        return self._entries(role, name, known)

    def _entries(self, role, section, known):
        """The entries of a section whose conditions hold, filled in."""
        templar = self._templar.copy_with_new_env(available_variables=known)
        declared = read(ROLES / role / "state.yml").get(section) or []
        if isinstance(declared, str):
            declared = templar.template(declared)
        found = []
        for entry in declared:
            conditions = entry.get("when", [])
            conditions = conditions if isinstance(conditions, list) else [conditions]
            if all(templar.evaluate_conditional(condition) for condition in conditions):
                found.append(templar.template({key: value for key, value in entry.items() if key != "when"}))
        return found

    def _variables(self, role, task_vars):
        """Defaults below the inventory, variables of the role and of its operating system above it."""
        folder = ROLES / role
        facts = task_vars.get("ansible_facts", {}).get("rackwright", {})
        system = facts.get("os") or self._templar.template(task_vars.get("rackwright_os", "debian-12"))
        own = folder / "vars" / f"{SAME_VARIABLES.get(system, system)}.yml"
        if not own.exists() and any(folder.glob("vars/*-*.yml")):
            known = sorted(path.stem for path in folder.glob("vars/*-*.yml"))
            raise AnsibleActionFail(f"{role}: this host runs {system}, and the role knows {', '.join(known)}")
        known = {
            **read(folder / "defaults" / "main.yml"),
            **task_vars,
            **read(folder / "vars" / "main.yml"),
            **read(own),
            "role_name": role,
            "role_path": str(folder),
            "ansible_managed": MANAGED,
        }
        return {**known, **self._more_variables(role, known)}

    def _more_variables(self, role, known):
        """A further file of ``vars/`` that the role names by a template: data of a vendor, beside those of the operating system."""
        name = known.get(f"__{role}_more_vars")
        if not name:
            return {}
        name = self._templar.copy_with_new_env(available_variables=known).template(name)
        return read(ROLES / role / "vars" / f"{name}.yml")

    def _facts(self, task_vars):
        result = self._execute_module(module_name="node_facts", module_args={}, task_vars=task_vars)
        if result.get("failed") or result.get("unreachable"):
            raise AnsibleActionFail(result.get("msg", "the facts of the host could not be gathered"), result=result)
        return result["ansible_facts"]


def _would_change(result, roles, task_vars):
    """Roles that a check found to be different so far: there is nothing to verify of them yet."""
    own = [role for role, told in result.get("roles", {}).items() if told.get("changed")]
    own = roles if "packages" in own else own  # one transaction for all of them
    return sorted({*_found(task_vars, "rackwright_would_change"), *own})


def _found(task_vars, fact):
    """What an earlier task of this action found out about the host; facts are not variables of their own here."""
    return task_vars.get("ansible_facts", {}).get(fact, [])


def _marked(sections, name, mark, wanted):
    """Units that wait for other hosts (``late``) or that do not; files that packages need (``early``) or that need them."""
    found = [entry for entry in sections.get(name, []) if bool(entry.get(mark)) == wanted]
    rest = {key: value for key, value in sections.items() if key != name}
    return {**rest, name: found} if found else rest


def _with_keys(sources, keyring):
    """Name the keyring of every source; returns what has to be fetched for them."""
    keys = []
    for entry in sources:
        entry["keyring"] = keyring.format(entry["name"])
        if entry.get("key_url"):
            keys.append({"path": entry["keyring"], "url": entry["key_url"], "sha256": entry.get("key_sha256", "")})
    return keys


def _from_controller(role, path):
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise AnsibleActionFail(f"{role}: {path} cannot be read on the controller ({error.strerror})") from None
