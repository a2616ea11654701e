#!/usr/bin/python
"""Ansible module: the configuration files of a role, written in one call.

In: paths with content, mode and owner. Out: the paths that changed, so that a handler can ask for its own. It is cut here
because a template task per file costs four exchanges with every host, and the files of one role belong together: they
are compared, shown as one diff and reported as one change.
"""

from __future__ import annotations

import grp
import os
import pwd
import stat
import tempfile
from pathlib import Path

from ansible.module_utils.basic import AnsibleModule

DOCUMENTATION = r"""
module: config_files
short_description: Write several configuration files in one call
options:
  files:
    description: The files; folders above them are made (0755) when they are missing.
    type: list
    elements: dict
    required: true
    suboptions:
      path: {type: path, required: true, description: Where the file stands.}
      content: {type: str, required: true, description: The whole text of the file.}
      mode: {type: str, default: "0644", description: Octal permission bits.}
      owner: {type: str, default: root, description: User that owns it.}
      group: {type: str, default: root, description: Group that owns it.}
      only_if_missing: {type: bool, default: false, description: Leave a file alone that is already there.}
attributes:
  check_mode:
    support: full
  diff_mode:
    support: full
author: rackwright
"""

EXAMPLES = r"""
- name: Limits and kernel parameters
  config_files:
    files:
      - path: /etc/security/limits.d/90-rackwright.conf
        content: "{{ lookup('ansible.builtin.template', 'limits.conf.j2') }}"
"""

RETURN = r"""
paths:
  description: Files that were written, or got another mode or owner.
  returned: always
  type: list
"""

SPEC = {
    "path": {"type": "path", "required": True},
    "content": {"type": "str", "required": True},
    "mode": {"type": "str", "default": "0644"},
    "owner": {"type": "str", "default": "root"},
    "group": {"type": "str", "default": "root"},
    "only_if_missing": {"type": "bool", "default": False},
}


def current(path):
    """Text and (mode, user, group) of a file; (None, None) when there is none."""
    try:
        with Path(path).open(encoding="utf-8", errors="replace") as file:
            status = os.fstat(file.fileno())
            return file.read(), (stat.S_IMODE(status.st_mode), status.st_uid, status.st_gid)
    except FileNotFoundError:
        return None, None


def rights(module, wanted):
    """(mode, user id, group id) as wanted; in check mode an account that does not exist yet is a change to come."""
    try:
        return int(wanted["mode"], 8), pwd.getpwnam(wanted["owner"]).pw_uid, grp.getgrnam(wanted["group"]).gr_gid
    except KeyError as error:
        if module.check_mode:
            return None
        module.fail_json(msg=f"{wanted['path']}: {error.args[0]}")


def put(wanted, ids):
    """Write the file beside its place and move it there, so that no reader ever sees half of it."""
    folder = Path(wanted["path"]).parent
    folder.mkdir(mode=0o755, parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=folder, prefix=".rackwright-")
    mode, user, group = ids
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(wanted["content"])
    os.chown(temporary, user, group)
    Path(temporary).chmod(mode)
    Path(temporary).replace(wanted["path"])


def main():
    """Compare every file, write what differs."""
    module = AnsibleModule(
        argument_spec={"files": {"type": "list", "elements": "dict", "required": True, "options": SPEC}},
        supports_check_mode=True,
    )
    paths, diff = [], []
    for wanted in module.params["files"]:
        text, have = current(wanted["path"])
        if text is not None and wanted["only_if_missing"]:
            continue
        want = rights(module, wanted)
        if text == wanted["content"] and have == want:
            continue
        paths.append(wanted["path"])
        header = f"{wanted['path']} (mode {wanted['mode']}, {wanted['owner']}:{wanted['group']})"
        diff.append({"before": text or "", "after": wanted["content"], "before_header": header, "after_header": header})
        if not module.check_mode:
            put(wanted, want)
    module.exit_json(changed=bool(paths), paths=paths, diff=diff if module._diff else [])


if __name__ == "__main__":
    main()
