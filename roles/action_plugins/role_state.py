"""Ansible action: reads the declarations of roles, fills in their templates, and has ``node_state`` carry them out on the host.

What a role declares, and in which
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


def _beside(name):
    """A file of ``plugin_utils/``, which stands beside this folder in a checkout and in the collection alike."""
    known = f"rackwright_{name}"
    if known not in sys.modules:
        spec = importlib.util.spec_from_file_location(known, HERE / "plugin_utils" / f"{name}.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        sys.modules[known] = module
    return sys.modules[known]


Declarations, Host = _beside("declarations").Declarations, _beside("arguments").Host
_beside("declarations").read_all(ROLES)


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
        if part in ("look", "reboot") or "rackwright" not in task_vars.get("ansible_facts", {}):
            facts = self._facts(task_vars)
            task_vars = {**task_vars, "ansible_facts": {**task_vars.get("ansible_facts", {}), **facts}}
        if part in ("look", "reboot"):
            return {"changed": False, **(self._look if part == "look" else self._reboot)(roles, task_vars, facts)}
        if part == "verify" and self._task.check_mode:
            roles = [role for role in roles if role not in _found(task_vars, "rackwright_would_change")]
        result = self._carry_out(part, roles, task_vars)
        if self._task.check_mode and part != "verify":
            facts["rackwright_would_change"] = _would_change(result, roles, task_vars)
            facts["rackwright_due"] = result.get("due", _found(task_vars, "rackwright_due"))
        return {**result, "ansible_facts": facts} if facts else result

    def _validate(self, roles, task_vars):
        """Everything that cannot work, at once; nothing is asked of the host."""
        played = self._host(roles, task_vars).played.values()
        problems = [problem for one in played for problem in one.wrong_arguments() or one.told("refuse")]
        if problems:
            return {"failed": True, "msg": "; ".join(problems), "problems": problems}
        return {"changed": False, "roles": {}}

    def _facts(self, task_vars):
        result = self._execute_module(module_name="node_facts", module_args={}, task_vars=task_vars)
        if result.get("failed") or result.get("unreachable"):
            raise AnsibleActionFail(result.get("msg", "the facts of the host could not be gathered"), result=result)
        return result["ansible_facts"]

    def _reboot(self, roles, task_vars, facts):
        """Why this host needs a reboot, by facts that were gathered now."""
        reasons = self._host(roles, task_vars).reasons()
        return {"ansible_facts": {**facts, "rackwright_reboot_reasons": reasons}, "reasons": reasons}

    def _look(self, roles, task_vars, facts):
        """The facts of the host, and whether it is as its roles declare, where that says all: then nothing more is asked of it."""
        wanted = task_vars.get("rackwright_look") and "rackwright_parts" not in task_vars and not self._task.check_mode
        result = self._looked(self._host(roles, task_vars), task_vars) if wanted else {}
        return {**result, "ansible_facts": {**facts, "rackwright_as_declared": bool(result)}}

    def _looked(self, host, task_vars):
        if host.told("unfit") or host.reasons():
            return {}
        result = self._ask("look", host, host.everything(), {}, task_vars)
        return result if result.get("as_declared") else {}

    def _carry_out(self, part, roles, task_vars):
        host = self._host(roles, task_vars)
        unfit = host.told("unfit") if part == "install" else []
        if unfit:
            return {"failed": True, "msg": "; ".join(unfit), "problems": unfit}
        declared = host.part(part)
        if not declared:
            return {"changed": False, "roles": {}}
        due = _found(task_vars, "rackwright_due") if self._task.check_mode else []
        return self._ask(part, host, declared, {"watchers": host.watchers(declared), "due": due}, task_vars)

    def _ask(self, part, host, declared, more, task_vars):
        arguments = {
            "part": part,
            "roles": declared,
            "secrets": host.secrets,
            "family": host.family,
            "any_source": bool(self._templar.template(task_vars.get("rackwright_any_source", False))),
            **more,
        }
        result = self._execute_module(module_name="node_state", module_args=arguments, task_vars=task_vars)
        result.pop("invocation", None)  # the declarations of all roles: too much for the log of every host
        return result

    def _host(self, roles, task_vars):
        own = self._templar.template(task_vars.get("rackwright_roles", []))
        family = task_vars.get("ansible_facts", {}).get("rackwright", {}).get("family", "debian")
        return Host(lambda role: Declarations(ROLES / role, self._templar, task_vars), roles, own, family)


def _would_change(result, roles, task_vars):
    """Roles that a check found to be different so far: there is nothing to verify of them yet."""
    own = [role for role, told in result.get("roles", {}).items() if told.get("changed")]
    own = roles if "packages" in own else own  # one transaction for all of them
    return sorted({*_found(task_vars, "rackwright_would_change"), *own})


def _found(task_vars, fact):
    """What an earlier task of this action found out about the host; facts are not variables of their own here."""
    return task_vars.get("ansible_facts", {}).get(fact, [])
