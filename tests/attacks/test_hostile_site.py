"""Text that is code somewhere, in every string that a site may declare and whose kind takes it: no verb of the design lets it out."""

from __future__ import annotations

import csv
import json
import re
import shlex
import typing
import xml.etree.ElementTree as ET
import zlib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import BaseModel

from rackwright import design, spec
from rackwright.base import yaml_text
from rackwright.base.csv_text import FORMULA, NUMBER
from rackwright.catalog import loader
from rackwright.cli import main
from rackwright.collect import collector, group, plan
from rackwright.model import texts
from rackwright.model.site import Site
from tests.attacks.test_hostile_texts import Elements
from tests.layout.test_site_texts import flat, records
from tests.rotation import of_this_run

ROOT = Path(__file__).parents[2] / "inventories"
CODE = "{{7*7}} ${HOME} $(id) `id` \"'> <script>alert(1)</script><img src=x onerror=alert(2)> ../../x key: value #word &#,[]} "
STARTS = (
    "=cmd|' /C calc'!A0 ", "- ", "&anchor ", "*alias ", "!!python/object/apply:os.system [id] ", "%YAML 1.2 ", "? ", "| ", "> ",
    "@", "{",
)  # fmt: skip
ENDS = (" ", ":", " #", "   ", "\\")
"""What means something at the beginning of a text, or at its end: free texts have these in turn, with the code between them."""
PIECES = (" ../../x", "/../../x", ":@=1", "?a=1&b=2;#%5d")
"""Of which any other field takes the first that its kind allows, in front of its text or behind it."""
MARK = "{{7*7}}"
BEHIND = {"ServerPort.adapter"}
"""Fields that are looked up by how they begin."""
REFUSED = {
    "Software.images", "Bill.images", "ServedModel.image",
    "Pool.firmware", "FirmwareImage.components", "PortGroup.form", "ServerPort.form", "Cable.form", "Cable.node_form", "Optic.form", "Nic.form",
    "ExistingCable.a", "ExistingCable.b",
}  # fmt: skip
"""Fields whose pieces `check` refuses by a rule of its own: an image ends with its tag, a component of firmware is one that the
BMC lists, a form is that of a cage or a plug, an existing cable is plugged into ports of the design."""
ELSEWHERE = {"Install.repositories", "Install.server", "PoolInstall.kernel_arguments"}
"""Fields of a section that needs a list of machines: tests/unit/install attacks them."""
SITES = ("h100-pod", "mixed-pod", "mi300x-pod")


def kinds(annotation: Any, metadata: Iterable[Any] = ()) -> Iterator[str]:
    """Patterns of the kinds of text in an annotation."""
    yield from (part.pattern for part in flat(metadata) if getattr(part, "pattern", None) in texts.KINDS)
    if typing.get_origin(annotation) is typing.Annotated:
        inner, *more = typing.get_args(annotation)
        yield from kinds(inner, more)
    elif typing.get_origin(annotation) is not typing.Literal:
        for argument in typing.get_args(annotation):
            yield from kinds(argument)


def has_fixed_keys(annotation: Any) -> bool:
    """Whether the keys of a mapping are words of a fixed set."""
    kind, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if kind is typing.Annotated or kind is None or not arguments:
        return bool(arguments) and has_fixed_keys(arguments[0])
    return typing.get_origin(arguments[0]) is typing.Literal


def attacked(text: str, patterns: Iterable[str], *, behind: bool = False) -> str:
    """`text` with the first piece that one of `patterns` takes; `text` itself where they take none."""
    turn = zlib.crc32(text.encode())
    free = STARTS[turn % len(STARTS)] + CODE, ENDS[turn % len(ENDS)]
    pieces = [
        ("", free[0] + free[1]) if behind else free,
        *[pair for piece in PIECES for pair in ((piece, ""), ("", piece))],
    ]
    for pattern in (pattern for pattern in patterns if text and re.match(pattern, text)):
        for before, after in pieces:
            if not (behind and before) and re.match(pattern, before + text + after):
                return before + text + after
    return text


def hostile(
    value: Any, spoiled: set[str], place: str = "", patterns: tuple[str, ...] = (), *, fixed_keys: bool = False
) -> Any:
    """The data of a record, every string attacked; `spoiled` takes the names of the fields that were."""
    if isinstance(value, BaseModel):
        fields = type(value).model_fields
        return {
            name: hostile(
                getattr(value, name), spoiled, f"{type(value).__name__}.{name}",
                tuple(kinds(fields[name].annotation, fields[name].metadata)),
                fixed_keys=has_fixed_keys(fields[name].annotation),
            )
            for name in fields if name in value.model_fields_set
        }  # fmt: skip
    if isinstance(value, dict):
        return {
            key if fixed_keys else hostile(key, spoiled, place, patterns): hostile(content, spoiled, place, patterns)
            for key, content in value.items()
        }
    if isinstance(value, list):
        return [hostile(entry, spoiled, place, patterns) for entry in value]
    if not isinstance(value, str) or place in REFUSED:
        return value
    result = attacked(value, patterns, behind=place in BEHIND)
    if result != value:
        spoiled.add(place)
    if MARK in result:
        FREE.add(result)
    return result


SPOILED: set[str] = set()
FREE: set[str] = set()
"""The texts with code in them, as they were declared."""


@cache
def parts() -> tuple[Any, ...]:
    return tuple(loader.validate_part(hostile(part, SPOILED)) for part in loader._built_in())


@cache
def site_text(name: str) -> str:
    """The inventory with what none says, and everything attacked."""
    data = yaml_text.load((ROOT / name / "site.yaml").read_text())
    calibration = {"server": data["pools"][0]["server"], "signed_by": "Anna"}
    data["acceptance"] = {
        **data.get("acceptance", {}), "torch_python": "/opt/torch/bin/python", "calibrations": [calibration],
        "approvers": [{"name": "Anna", "contact": "anna"}], "server": "https://ops.example:8443",
        "webhooks": [{"name": "tickets", "url": "https://tickets.example/hook", "secret_env": "TICKETS_KEY"}],
    }  # fmt: skip
    data["pools"][0].update(bios={"ProcSMT": "Disabled"})
    data["environments"] = [{"name": "dev", "differences": [{"field": "site", "value": "lab", "because": "a lab"}]}]
    data["control"].setdefault("bmc", {}).update(
        ca_file="~/ca.pem", pins_file="~/pins", accounts_file="~/accounts", identities_file="~/machines"
    )
    return yaml.safe_dump(hostile(Site.model_validate(data), SPOILED), allow_unicode=True)


def test_every_field_that_takes_code_was_attacked() -> None:
    parts()
    for name in SITES:
        site_text(name)
    every = {
        f"{record.__name__}.{name}"
        for record in records()
        for name, field in record.model_fields.items()
        for pattern in kinds(field.annotation, field.metadata)
        if attacked(texts.KINDS[pattern].example or "x", [pattern]) != (texts.KINDS[pattern].example or "x")
    }
    assert sorted(every - SPOILED - REFUSED - ELSEWHERE) == []
    assert len(every) > 50


@pytest.fixture(params=of_this_run(SITES, 1))
def site(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an attacked site whose parts are attacked, too."""
    spoiled = parts()
    monkeypatch.setattr(loader, "_built_in", lambda: spoiled)
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "site.yaml").write_text(site_text(request.param))
    return folder


def strings(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict | list):
        for entry in [*data, *data.values()] if isinstance(data, dict) else data:
            yield from strings(entry)


def assert_whole(data: Any) -> None:
    """Where a part of the code stands in a string, a whole text as it was declared does: none of its marks was read as one."""
    assert not [
        text for text in strings(data)
        if ("<script>" in text or MARK in text) and not any(declared in text for declared in FREE)
    ]  # fmt: skip


class Inventory(yaml.SafeLoader):
    """With the tag that keeps Ansible from filling anything in."""


Inventory.add_constructor("!unsafe", lambda reader, node: str(reader.construct_scalar(node)))  # type: ignore[arg-type]


def assert_json(text: str) -> None:
    assert_whole(json.loads(text))


def assert_yaml(text: str) -> None:
    assert_whole(list(yaml.load_all(text, Loader=Inventory)))


def assert_csv(text: str) -> None:
    header, *rows = csv.reader(text.splitlines(keepends=True))
    assert {len(row) for row in rows} <= {len(header)}
    cells = {cell for row in rows for cell in row}
    assert not [cell for cell in cells if re.match(FORMULA, cell) and not re.match(NUMBER, cell)]
    assert_whole(list(cells))


def assert_svg(text: str) -> None:
    elements = list(ET.fromstring(text).iter())
    assert not [element.tag for element in elements if element.tag.rpartition("}")[2] in ("script", "img", "image")]
    assert not [name for element in elements for name in element.keys() if name.startswith("on")]  # noqa: SIM118


def assert_page(text: str) -> None:
    parser = Elements()
    parser.feed(text)
    assert parser.foreign == []


def assert_lines(pattern: str) -> Any:
    def check(text: str) -> None:
        assert not [line for line in text.splitlines() if not re.fullmatch(pattern, line)]
        assert MARK not in text

    return check


def assert_shell(text: str) -> None:
    """What is declared are words of calls and of one variable, quoted as shlex quotes them, and comments."""
    for line in text.splitlines():
        if line.startswith(("qos ", "account ", "user ", "group ")):
            assert shlex.join(shlex.split(line)) == line
        elif line.startswith("cluster="):
            assert shlex.join(shlex.split(line.removeprefix("cluster="))) == line.removeprefix("cluster=")
        elif not line.startswith("#"):
            assert MARK not in line, line


FORMATS: dict[str, Any] = {
    ".sh": assert_shell,
    ".json": assert_json,
    ".yaml": assert_yaml,
    ".yml": assert_yaml,
    ".csv": assert_csv,
    ".links": assert_csv,
    ".svg": assert_svg,
    ".html": assert_page,
    ".conf": assert_lines(
        r"(#.*|(Switch|Block)Name=[\w.-]+ (Nodes|Switches)=[\w.,\[\]-]+|BlockSizes=\d+|(Accounting|Preempt|Priority)\w+=[\w./,:]+)?"
    ),
    ".net": assert_lines(r"(#.*|(Switch|Hca)\t\d+ \"[^\"]+\"\t# \"[^\"]+\"|\[\d+\]\t\"[^\"]+\"\[\d+\][ \w=]*)?"),
    ".node-name-map": assert_lines(r"(0x[0-9a-f]{16}|#) \"[^\"]+\"|#.*"),
    ".md": assert_lines(r"[^<{]*"),
}
VERBS = (
    "check", "design", "design --format json", "cables", "cables --format csv", "cables --labels OUT/labels.html",
    "cables --labels OUT/labels.csv", "draw --out OUT/drawn", "compare SITE", "compare SITE --format json", "environment dev",
    "inventory --work WORK --out OUT/inventory", "export --to netbox --out OUT/netbox", "export --to graph --out OUT/graph",
    "export --to slurm --pool POOL --out OUT/slurm", "export --to kubernetes --pool POOL --out OUT/kubernetes",
)  # fmt: skip
OF_INFINIBAND = ("export --to ibsim --out OUT/ibsim", "export --to ibnetdiscover --out OUT/plan")


def written_by(verbs: Iterable[str], site: Path, capsys: pytest.CaptureFixture[str]) -> list[Path]:
    """The files that verbs wrote, each of them and all that was printed in order: what was declared and no more, by a reader of its format.

    AssertionError where not.
    """
    out, work = site.parent / "out", site.parent / "work"
    out.mkdir()
    declared = yaml_text.load((site / "site.yaml").read_text())
    for verb in verbs:
        words = {"SITE": str(site), "WORK": str(work), "POOL": declared["pools"][0]["name"]}
        name, *more = [words.get(word, word.replace("OUT", str(out))) for word in verb.split()]
        status = main.main([name, str(site), *more])
        printed, errors = capsys.readouterr()
        assert status == 0, f"{verb}: {errors}"
        assert printed.replace("\n", "").isprintable(), verb
        if "--format" in more:
            FORMATS[f".{more[-1]}"](printed)
        elif name == "environment":
            assert_yaml(printed)
    assert set(site.parent.iterdir()) <= {site, out, work}
    written = [path for path in out.rglob("*") if path.is_file()]
    for path in written:
        FORMATS[path.suffix](path.read_text())
    return written


def test_no_verb_of_the_design_lets_code_out(
    site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is printed is lines of print; each file holds, by a reader of its format, what was declared and no more, in its folder."""
    monkeypatch.chdir(site)
    infiniband = "transport: infiniband" in (site / "site.yaml").read_text()
    assert len(written_by(VERBS + OF_INFINIBAND * infiniband, site, capsys)) > 30
    words = [word for command in commands(site) for word in command]
    declared = set(strings(yaml_text.load((site / "site.yaml").read_text())))
    assert len(words) > 200
    pieces = (MARK, "<script>", "../x", ":@=1", "a=1&b")
    assert not [word for word in words if any(piece in word for piece in pieces) and word not in declared], (
        "what is declared is a word of a command as a whole, or not in it"
    )


def commands(site: Path) -> Iterator[tuple[str, ...]]:
    """What nodes run: the questions of `collect`, its load tests, and tests over several nodes."""
    loaded = spec.load(site / "site.yaml")
    planned = design.expand(loaded.site, loaded.catalog)
    collectors = collector.library(planned.roots)
    nodes = [node.name for node in planned.nodes("accelerator")][:2]
    for load in (False, True):
        for asks in plan.plan_requests(planned, nodes, collectors, load=load).asks.values():
            yield from (ask.command for ask in asks)
    filled = {"collective": "all_reduce", "shared": "/scratch", "flows": group.flows_to_next(planned, nodes)}
    for name, each in collectors.items():
        if each.scope == "group":
            yield group.launch(planned, group.GroupTest(name, tuple(nodes), "all", filled), collectors).command


def test_every_piece_is_declared_somewhere() -> None:
    parts()
    assert not [start for start in STARTS if not any(text.startswith(start) for text in FREE)]
    assert not [end for end in ENDS if not any(text.endswith(end) for text in FREE)]
