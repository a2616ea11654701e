"""Ansible action: reads the declarations of roles, fills in their templates, and has ``node_state`` carry them out on the host.

In: a part and the roles of the host, in order. Out: the result of one module call for all of them. Cut here because templates are filled in
on the controller, with the defaults and variables of each role as Ansible itself would have them. What a role declares, and in which
part it is carried out, stands in ``roles/README.md``.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

from ansible.errors import AnsibleActionFail
from ansible.plugins.action import ActionBase

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
RELOAD = ["/etc/systemd/system/*", "/lib/systemd/system/*", "/usr/lib/systemd/system/*"]


def _declarations():
    """``plugin_utils/declarations.py``, which stands beside this folder in a checkout and in the collection alike."""
    name = "rackwright_declarations"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, HERE / "plugin_utils" / "declarations.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        module.read_all(ROLES)
        sys.modules[name] = module
    return sys.modules[name].Declarations


Declarations = _declarations()


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
        if part == "verify" and self._task.check_mode:
            roles = [role for role in roles if role not in _found(task_vars, "rackwright_would_change")]
        result = self._carry_out(part, roles, task_vars)
        if self._task.check_mode and part != "verify":
            facts["rackwright_would_change"] = _would_change(result, roles, task_vars)
            facts["rackwright_due"] = result.get("due", _found(task_vars, "rackwright_due"))
        return {**result, "ansible_facts": facts} if facts else result

    def _of(self, roles, task_vars):
        return [Declarations(ROLES / role, self._templar, task_vars) for role in roles]

    def _validate(self, roles, task_vars):
        """Everything that cannot work, at once; nothing is asked of the host."""
        problems = [
            problem for one in self._of(roles, task_vars) for problem in one.wrong_arguments() or one.told("refuse")
        ]
        if problems:
            return {"failed": True, "msg": "; ".join(problems), "problems": problems}
        return {"changed": False, "roles": {}}

    def _reboot(self, roles, task_vars, facts):
        """Why this host needs a reboot, by facts that were gathered now."""
        reasons = [reason for one in self._of(roles, task_vars) for reason in one.reasons()]
        return {"changed": False, "ansible_facts": {**facts, "rackwright_reboot_reasons": reasons}, "reasons": reasons}

    def _carry_out(self, part, roles, task_vars):
        declarations = self._of(roles, task_vars)
        unfit = [problem for one in declarations for problem in one.told("unfit")] if part == "install" else []
        if unfit:
            return {"failed": True, "msg": "; ".join(unfit), "problems": unfit}
        family, secrets, declared = task_vars["ansible_facts"]["rackwright"]["family"], {}, []
        for one in declarations:
            sections = self._sections(part, one, family, secrets)
            if "audit" in sections:
                sections["audit"] = [{**entry, **self._of_all_roles(roles, task_vars)} for entry in sections["audit"]]
            if sections:
                declared.append({"role": one.role, **sections})
        if not declared:
            return {"changed": False, "roles": {}}
        arguments = {
            "part": part,
            "roles": declared,
            "secrets": secrets,
            "watchers": {**self._watchers(declared, roles, task_vars), "systemd.reload": RELOAD},
            "due": _found(task_vars, "rackwright_due") if self._task.check_mode else [],
            "family": family,
            "any_source": bool(self._templar.template(task_vars.get("rackwright_any_source", False))),
        }
        result = self._execute_module(module_name="node_state", module_args=arguments, task_vars=task_vars)
        result.pop("invocation", None)  # the declarations of all roles: too much for the log of every host
        return result

    @staticmethod
    def _sections(part, declarations, family, secrets):
        sections = {name: found for name in SECTIONS[part] if (found := declarations.section(name))}
        if part in ("run", "join"):
            sections = _marked(sections, "units", "late", part == "join")
        if part in ("install", "configure"):
            sections = _marked(sections, "files", "early", part == "install")
            declarations.fill(sections.get("files", []), secrets)
        if "sources" in sections:
            sections["keys"] = _with_keys(sections["sources"], KEYRINGS[family])
        return sections

    def _everything(self, roles, task_vars):
        """All roles of the host, those that are not played now included."""
        own = self._templar.template(task_vars.get("rackwright_roles", []))
        return self._of(dict.fromkeys([*own, *roles]), task_vars)

    def _watchers(self, declared, roles, task_vars):
        """What follows a change of files, whichever role declares it: the daemon of a file may be that of another role."""
        if not any(sections.get("files") or sections.get("commands") for sections in declared):
            return {}
        return {name: asked for one in self._everything(roles, task_vars) for name, asked in one.watchers().items()}

    def _of_all_roles(self, roles, task_vars):
        """Packages and sources that all roles of the host declare."""
        everything = self._everything(roles, task_vars)
        return {
            "declared": {one.role: one.section("packages") for one in everything},
            "sources": [entry["uri"] for one in everything for entry in one.entries("sources")],
        }

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
