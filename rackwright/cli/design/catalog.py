"""``rackwright catalog list | show SKU | import FILE``: the parts, every number with its source, and parts from NetBox.

Prints tables for people, JSON for scripts, and YAML of an imported part to complete.
"""

from __future__ import annotations

import argparse
import datetime
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import yaml

from rackwright import catalog
from rackwright.base.errors import ExitCode, Problem, ProblemsError
from rackwright.catalog import netbox, netbox_file, unpublished
from rackwright.catalog.loader import KINDS
from rackwright.cli import output, site
from rackwright.model.parts import Part
from rackwright.model.sku import Source

META = ("sku", "kind", "manufacturer", "model", "support", "sources", "conflicts")
"""Fields that identify a part or are printed elsewhere."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The three actions."""
    verbs = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    listing = verbs.add_parser("list", help="all parts, or those of one kind")
    listing.add_argument("--kind", choices=KINDS, help="only this kind")
    listing.add_argument("--site", metavar="SITE", help="with the parts that this site brings")
    showing = verbs.add_parser("show", help="one part, every field with its source beside it")
    showing.add_argument("sku", metavar="SKU")
    showing.add_argument("--site", metavar="SITE", help="with the parts that this site brings")
    importing = verbs.add_parser("import", help="a NetBox device type as a part, with what NetBox does not know")
    importing.add_argument("file", metavar="FILE", help="a file of netbox-community/devicetype-library")
    importing.add_argument("--kind", choices=list(netbox.KINDS), required=True, help="what the device type is")
    for subparser in (listing, showing, importing):
        output.add_format(subparser)


def run(args: argparse.Namespace) -> int:
    """List, show or import."""
    parts_catalog = site.load(args).catalog if getattr(args, "site", None) else catalog.load()
    if args.action == "list":
        parts = [
            part for kind in ([args.kind] if args.kind else KINDS) for part in parts_catalog.of_kind(kind).values()
        ]
        _list(parts, parts_catalog, every_kind=args.kind is None, as_json=args.format == "json")
    elif args.action == "show":
        _show(_find_part(args.sku, parts_catalog), as_json=args.format == "json")
    else:
        path = Path(args.file)
        today = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
        device = netbox_file.read_device_type(path)
        _import(
            netbox.draft_part(device, args.kind, parts_catalog, origin=path.name, date=today),
            as_json=args.format == "json",
        )
    return ExitCode.PASS


def _list(parts: Iterable[Part], parts_catalog: catalog.Catalog, *, every_kind: bool, as_json: bool) -> None:
    """All parts; a list of `every_kind` ends with what nobody publishes enough of."""
    ranked = sorted(parts, key=lambda part: (part.kind, part.sku))
    rows = [
        part.model_dump(mode="json", include={*META[:5]})
        | ({"support": "announced"} if parts_catalog.is_announced(part) else {})
        for part in ranked
    ]
    missing = unpublished.things() if every_kind else []
    if as_json:
        output.emit({"parts": rows, "unpublished": [thing.model_dump(mode="json") for thing in missing]})
        return
    for row in rows:
        print(f"{row['kind']:<14} {row['sku']:<24} {row['manufacturer']:<19} {row['support']:<9} {row['model']}")
    output.print_lines(f"unpublished: {thing.what}: {thing.why}" for thing in missing)
    print(f"{len(rows)} parts")


def _find_part(sku: str, parts_catalog: catalog.Catalog) -> Part:
    kind = parts_catalog.kind_of(sku)
    if kind:
        return parts_catalog.of_kind(kind)[sku]
    if thing := unpublished.unpublished_thing(sku):
        raise ProblemsError(
            [
                Problem(
                    "the catalog",
                    "sku",
                    f"{thing.what}: {thing.why}",
                    "a published part",
                    sku,
                    thing.next_step,
                    "catalog.unpublished",
                )
            ]
        )
    from rackwright.spec.fields import nearest_word

    names = sorted(name for kind in KINDS for name in parts_catalog.of_kind(kind))
    guess = nearest_word(sku, names)
    step = f"did you mean {guess}?" if guess else "rackwright catalog list prints all of them"
    message = f"the catalog has no part {sku}"
    problem = Problem("the catalog", "sku", message, f"one of {len(names)} parts", sku, step, "catalog.unknown_sku")
    raise ProblemsError([problem])


def fields(part: Part) -> list[tuple[str, Any, Source | None]]:
    """Path, value and source of every field that the part sets, in record order.

    The source is the first whose ``covers`` matches; names and texts that need no source have none.
    """
    data = part.model_dump(mode="json", exclude={*META}, exclude_unset=True)
    return [(path, value, _source(path, part.sources)) for path, value in _leaves(data)]


def _leaves(value: Any, path: str = "") -> Iterable[tuple[str, Any]]:
    plain = isinstance(value, list) and not any(isinstance(inner, (dict, int, float)) for inner in value)
    if plain or not isinstance(value, (dict, list)):
        yield path, value
        return
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        yield from _leaves(inner, f"{path}.{key}" if path else str(key))


def _source(path: str, sources: Iterable[Source]) -> Source | None:
    return next((source for source in sources if any(fnmatch(path, glob) for glob in source.covers)), None)


def _show(part: Part, *, as_json: bool) -> None:
    rows_of_part = fields(part)
    if as_json:
        rows = [
            {"path": path, "value": value, "source": source and source.model_dump(mode="json")}
            for path, value, source in rows_of_part
        ]
        output.emit({"part": part.model_dump(mode="json"), "fields": rows})
        return
    print(f"{part.sku}: {part.kind} {part.manufacturer} {part.model} ({part.support})\n")
    numbers = {id(source): number for number, source in enumerate(part.sources, start=1)}
    for path, value, source in rows_of_part:
        text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
        origin = f"[{numbers[id(source)]}] {source.level}, {source.date}" if source else ""
        print(f"  {path:<44}{text:<30} {origin}".rstrip())
    for conflict in part.conflicts:
        print(f"  disputed: {conflict.field} is {conflict.value} in: {conflict.doc}")
    print()
    for number, source in enumerate(part.sources, start=1):
        print(f"  [{number}] {source.level}, {source.date}: {source.doc}")
        if source.url:
            print(f"      {source.url}")


def _import(draft: netbox.Draft, *, as_json: bool) -> None:
    if as_json:
        missing = [vars(field) for field in draft.missing]
        output.emit({"part": draft.part, "missing": missing, "flags": draft.flags})
        return
    print(yaml.safe_dump(draft.part, sort_keys=False, allow_unicode=True, width=110, default_flow_style=None), end="")
    output.print_lines(_open_questions(draft))


def _open_questions(draft: netbox.Draft) -> Iterator[str]:
    """Comments behind the part."""
    yield "# NetBox does not know these fields; fill them in with a source each:"
    for field in draft.missing:
        label = ": ".join(filter(None, [field.field, field.meaning.rstrip(".")]))
        yield f"#   {label}" + (f" (the file: {field.hint})" if field.hint else "")
    yield from (f"# DOUBTFUL: {flag}" for flag in draft.flags)
