"""Lints the roles with ansible-lint. It starts Ansible once per role for a syntax check; here one start checks the roles together.

If that fails, ansible-lint checks every role by itself as usual, and names the mistake.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml
from ansiblelint.__main__ import main
from ansiblelint.runner import Runner

ROLES = Path(__file__).resolve().parents[1] / "roles"
SEARCHED = {
    "ANSIBLE_LIBRARY": "library",
    "ANSIBLE_ACTION_PLUGINS": "action_plugins",
    "ANSIBLE_MODULE_UTILS": "module_utils",
}


def syntax_is_right() -> bool:
    """Whether Ansible can read all roles, each of which is imported into one playbook."""
    roles = sorted(path.parent.parent for path in ROLES.glob("*/tasks/main.yml"))
    imports = [{"name": role.name, "ansible.builtin.import_role": {"name": str(role)}} for role in roles]
    environment = {**os.environ, **{name: str(ROLES / folder) for name, folder in SEARCHED.items()}}
    with tempfile.NamedTemporaryFile("w", suffix=".yml", encoding="utf-8") as playbook:
        yaml.safe_dump([{"name": "All roles", "hosts": "localhost", "tasks": imports}], playbook)
        playbook.flush()
        command = [str(Path(sys.executable).parent / "ansible-playbook"), "--syntax-check", playbook.name]
        return subprocess.run(command, env=environment, capture_output=True, check=False).returncode == 0


if __name__ == "__main__":
    gc.set_threshold(100_000, 50)  # a fifth of the time would be garbage collection
    if syntax_is_right():
        check = Runner._get_ansible_syntax_check_matches

        def of_playbooks(self: Runner, lintable, app):  # type: ignore[no-untyped-def]
            """Syntax errors of `lintable`; none for roles, which were checked together."""
            return [] if lintable.kind == "role" else check(self, lintable, app)

        Runner._get_ansible_syntax_check_matches = of_playbooks
    sys.exit(main(["ansible-lint", "--offline", "--strict", ROLES.name]))
