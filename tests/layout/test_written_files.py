"""What is read later is written by `base/durable_file.py`; other files that the package writes are listed here, with the reason."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.layout.test_sizes import ROOT, python_files

OTHERS = {
    "attest/keys.py": "a key is never replaced: its file is opened as a new one, and synced",
    "cli/accept/judge_json.py": "verdicts of one process of this run, in a folder that ends with it",
    "cli/accept/waive.py": "a draft that is read back before it replaces the waivers",
    "cli/design/size.py": "a draft in a folder that ends with the check of it",
    "collect/probe/": "files of a node's test, on the node",
    "collect/probe_build.py": "a cache, with a name of its own per process; renamed when it is whole",
    "collect/store/recording.py": "a run grows by entries, each synced",
    "flow/adopted_site.py": "a draft in a folder that ends with the check of it",
    "flow/platform_rehearsal.py": "a log that grows with what the server of a rehearsal says, for people",
    "mirror/build/packaging.py": "made anew for each build",
    "mirror/build/running.py": "made anew for each build; its log is for people",
    "mirror/layout.py": "a mirror is synced again: what is not whole is fetched again",
    "mirror/signature.py": "keys and a signature in a folder that ends with their check",
    "onboard/inventory_file.py": "made anew for each play",
    "onboard/node/": "the worker on a node",
    "onboard/runner.py": "made anew for each play",
    "onboard/worker_bundle.py": "a cache, renamed when it is whole",
    "onboard/worker_stream.py": "grows with what a node says, for people; our own process reads its last words",
    "redfish/machine_record.py": "a record grows by lines, each synced",
    "twin/": "hosts that stand in for machines",
}
WRITERS = {"write_text", "write_bytes"}
TABLES = {"write_csv", "write_parquet", "write_json"}
"""Of Polars; they take a path or a stream."""
MODES = set("wax")


def writes(path: Path) -> bool:
    """Whether a module writes files by itself."""
    return any(_is_write(node) for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call))


def _is_write(call: ast.Call) -> bool:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name in WRITERS or (name in TABLES and any("/" in ast.unparse(word) for word in call.args)):
        return True
    modes = [
        word.value for word in [*call.args, *(word.value for word in call.keywords)] if isinstance(word, ast.Constant)
    ]
    return name in ("open", "fdopen") and any(
        isinstance(mode, str) and len(mode) < 4 and MODES & set(mode) for mode in modes
    )


def test_every_file_that_is_read_later_is_whole() -> None:
    package = ROOT / "rackwright"
    names = [path.relative_to(package).as_posix() for path in python_files("rackwright") if writes(path)]
    names.remove("base/durable_file.py")
    assert [name for name in names if not any(name.startswith(entry) for entry in OTHERS)] == []
    assert [entry for entry in OTHERS if not any(name.startswith(entry) for name in names)] == []
