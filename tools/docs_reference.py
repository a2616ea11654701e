"""Writes the reference pages of the documentation from code and content while mkdocs builds (a hook of mkdocs.yml).

Every page has one source: the verbs' own help, the JSON Schema of site.yaml, the pages of the checks, the YAML of limits, gates and parts,
`validators/FAULTS.md`, `validators/MATRIX.md` and the READMEs of the roles. Nothing is written into the checkout.
"""

from __future__ import annotations

import io
import json
import os
import re
from collections.abc import Iterator
from contextlib import redirect_stdout, suppress
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from rackwright.base import yaml_text
from rackwright.cli.main import main
from rackwright.collect import collector
from rackwright.compat import kubernetes_lock

ROOT = Path(__file__).resolve().parents[1]
os.environ["COLUMNS"] = "110"  # the width that argparse wraps help at
CHECKS = ROOT / "validators" / "checks"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Called by mkdocs: adds the generated pages to those of docs/."""
    pages = {
        "verbs": _verbs(),
        "site": _site(),
        "checks": _checks(),
        "gates": _gates(),
        "limits": _limits(),
        "components": _components(),
        "kernel": _kernel(),
        "root": _root(),
        "machines": _text(ROOT / "validators" / "LIMITS.md"),
        "faults": _text(ROOT / "validators" / "FAULTS.md"),
        "matrix": _text(ROOT / "validators" / "MATRIX.md"),
        "roles": _roles(),
        "catalog": _catalog(),
    }
    for name, text in pages.items():
        files.append(File.generated(config, f"reference/{name}.md", content=text))
    for path in sorted(CHECKS.rglob("*.md")):
        files.append(File.generated(config, f"reference/checks/{_check_id(path)}.md", content=_text(path)))
    return files


def _components() -> str:
    """Components of Kubernetes, as they are pinned."""
    lock = kubernetes_lock.load()
    rows = [
        f"| {c.title} | `{c.name}` | {c.version} | {c.kubernetes_from or '-'} | {c.repository} | {c.digest} | {'taken by an API server' if c.rendered else f'unproven: {c.unrendered}'} | {c.ready} | {c.source} ({c.date}) |"
        for c in lock.components
    ]
    unpinned = [f"- {component.title}: {component.why}" for component in lock.unpinned]
    head = "| component | add-on | release | Kubernetes from | chart or manifests | digest | chart in the tests | it works when | source |"
    return "\n".join(
        ["# Components of Kubernetes", "", head, "|" + " --- |" * 9, *rows, "", "Not pinned yet:", "", *unpinned, ""]
    )


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _load(path: Path) -> dict[str, Any]:
    return dict(yaml_text.load(_text(path)))


def _check_id(page: Path) -> str:
    return ".".join(page.relative_to(CHECKS).with_suffix("").parts)


def _table(*header: str) -> list[str]:
    return [f"| {' | '.join(header)} |", f"|{' --- |' * len(header)}"]


def _row(*cells: object) -> str:
    return f"| {' | '.join(str(cell).replace('|', chr(92) + '|').replace(chr(10), ' ') for cell in cells)} |"


def _page(title: str, *parts: str) -> str:
    return "\n\n".join([f"# {title}", *parts]) + "\n"


def _rackwright(*words: str) -> str:
    """What `rackwright WORDS` prints, run in this process: thirty of them would each load Python anew."""
    printed = io.StringIO()
    with redirect_stdout(printed), suppress(SystemExit):
        main(list(words))
    return printed.getvalue()


def _verbs() -> str:
    """The help of every verb, in the order of `rackwright --help`."""
    overview = _rackwright("--help").strip()
    verbs = re.findall(r"^  ([a-z][a-z-]+)  ", overview, flags=re.MULTILINE)
    sections = [f"## {verb}\n\n```\n{_rackwright(verb, '--help').strip()}\n```" for verb in verbs]
    return _page("Verbs", f"```\n{overview}\n```", *sections)


def _site() -> str:
    """Every key of site.yaml by section, from its JSON Schema."""
    schema = json.loads(_rackwright("schema"))
    sections = [_section("site.yaml", schema)]
    sections += [
        _section(name, section) for name, section in sorted(schema["$defs"].items()) if "properties" in section
    ]
    return _page(
        "site.yaml",
        "Unknown keys are refused. `rackwright schema` prints the JSON Schema that this page is made from.",
        *sections,
    )


def _section(name: str, schema: dict[str, Any]) -> str:
    required = schema.get("required", [])
    rows = [
        _row(
            f"`{key}`",
            _kind(field),
            "required" if key in required else _default(field),
            field.get("description", ""),
        )
        for key, field in schema["properties"].items()
    ]
    return "\n".join(
        [f"## {name}", "", schema.get("description", ""), "", *_table("key", "type", "default", "meaning"), *rows]
    )


def _default(field: dict[str, Any]) -> str:
    """The default of a field; that of a nested record stands in its own section."""
    default = field.get("default")
    return "" if isinstance(default, dict) else f"`{json.dumps(default)}`"


def _kind(field: dict[str, Any]) -> str:
    """The type of a field in words, with a link to the section of a nested record."""
    if "$ref" in field:
        name = field["$ref"].rsplit("/", 1)[-1]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in field:
        return " or ".join(_kind(choice) for choice in field["anyOf"])
    if "enum" in field or "const" in field:
        return ", ".join(f"`{word}`" for word in field.get("enum", [field.get("const")]))
    if field.get("type") == "array":
        return f"list of {_kind(field.get('items', {}))}"
    if field.get("type") == "object":
        values = field.get("additionalProperties")
        return f"map of {_kind(values)}" if isinstance(values, dict) else "map"
    return str(field.get("type", "any"))


def _checks() -> str:
    """All checks by domain, each with its title and a link to its page."""
    domains: dict[str, list[str]] = {}
    for page in sorted(CHECKS.rglob("*.md")):
        check = _check_id(page)
        title = _text(page).partition("\n")[0].removeprefix(f"# {check}: ")
        domains.setdefault(check.partition(".")[0], []).append(_row(f"[`{check}`](checks/{check}.md)", title))
    sections = ["\n".join([f"## {domain}", "", *_table("check", "claim"), *rows]) for domain, rows in domains.items()]
    return _page("Checks", "`rackwright explain CHECK` prints the same pages.", *sections)


def _gates() -> str:
    """The head of the file, which explains the keys, and the chain of gates below it."""
    head, key, gates = _text(ROOT / "validators" / "gates.yaml").partition("gates:")
    comment = "\n".join(line.removeprefix("#").strip() for line in head.splitlines())
    return _page("Gates", comment, f"```yaml\n{key}{gates.rstrip()}\n```")


def _limits() -> str:
    """Every limit with its source and date, by file."""
    return _page("Limits", "`rackwright limits show METRIC` prints the same rows.", *_limit_files())


def _limit_files() -> Iterator[str]:
    for path in sorted((ROOT / "validators" / "limits").glob("*.yaml")):
        rows = [
            _row(
                f"`{limit['metric']}`",
                _match(limit.get("match", {})),
                limit["value"],
                limit["unit"],
                limit["kind"],
                limit["source"],
                limit["date"],
            )
            for limit in _load(path).get("limits", [])
        ]
        yield "\n".join(
            [f"## {path.stem}", "", *_table("metric", "holds for", "value", "unit", "kind", "source", "date"), *rows]
        )


def _root() -> str:
    """Every command that evidence is taken with, and whether it needs root."""
    entries = {name: entry for name, entry in collector.library().items() if entry.command and not entry.load}
    rows = [
        _row(f"`{name}`", "yes" if entry.as_root else "no", f"`` {' '.join(entry.command)[:300]} ``")
        for name, entry in sorted(entries.items(), key=lambda item: not item[1].as_root)
    ]
    text = (
        "An account that only collects evidence (`control.ssh.collect_user`) runs these commands on hosts; the first of them by `sudo -n`. "
        "`rackwright sudoers SITE` prints them whole for `/etc/sudoers.d`, as far as the site needs them. Long ones are cut here."
    )
    return _page("What evidence needs root for", text, "\n".join([*_table("collector", "root", "command"), *rows]))


def _kernel() -> str:
    """Every kind of line of the kernel log that the catalogue lists, by domain."""
    sections = []
    for path in sorted((ROOT / "validators" / "kernel").glob("*.yaml")):
        rows = [
            _row(
                f"`{line['kind']}`",
                line["driver"],
                line["severity"],
                f"`` {line['line']} ``",
                line["action"],
                f"{line['source']}{' (format filled in)' if line.get('written') else ''}",
                line["date"],
            )
            for line in _load(path)["events"]
        ]
        header = _table("kind", "driver", "means", "line", "what to do", "source", "date")
        sections.append("\n".join([f"## {path.stem}", "", *header, *rows]))
    text = (
        "Lines of the kernel log that a node must not have, from `validators/kernel`. The check of the same name (`kernel.network`) finds them. "
        "What is advice is shown and refuses nobody."
    )
    return _page("Kernel lines", text, *sections)


def _match(match: dict[str, str]) -> str:
    return ", ".join(f"{key} {value}" for key, value in match.items()) or "all"


def _roles() -> str:
    """The README of every role, one section each."""
    sections = []
    for path in sorted((ROOT / "roles").glob("*/README.md")):
        text = re.sub(r"\]\((?!https?:|#)[^)]*\)", "]", _text(path))  # links into the checkout have no page here
        sections.append(re.sub(r"^(#+ )", r"#\1", text, flags=re.MULTILINE).strip())
    return _page("Roles", "Each role declares which nodes it is for and what it brings about.", *sections)


def _catalog() -> str:
    """All parts by kind: SKU, manufacturer, model and support level."""
    sections = []
    for folder in sorted(path for path in (ROOT / "rackwright" / "catalog").iterdir() if path.is_dir()):
        parts = [_load(path) for path in sorted(folder.glob("*.yaml"))]
        if parts:
            rows = [
                _row(f"`{part['sku']}`", part.get("manufacturer", ""), part.get("model", ""), part.get("support", ""))
                for part in parts
            ]
            sections.append(
                "\n".join([f"## {folder.name}", "", *_table("SKU", "manufacturer", "model", "support"), *rows])
            )
    return _page(
        "Hardware catalog", "`rackwright catalog show SKU` prints every number of a part with its source.", *sections
    )
