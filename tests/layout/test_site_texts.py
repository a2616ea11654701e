"""Every text that a site may declare has a kind: what it takes is what its meaning needs."""

from __future__ import annotations

import typing
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from rackwright.model import texts
from rackwright.model.parts import Part
from rackwright.model.site import Site

WITHOUT_A_KIND = {
    "Bill.options": "options of roles: each is judged by the specification of its role (spec/crosscheck/options)",
    "SiteDifference.value": "what stands in another field: judged as that field (spec/environment)",
    "Site.defaults": "fields of sections and entries that lack them: judged there (spec/assembly)",
    "Site.catalog": "parts: each is read as its own record, whose fields have kinds",
}
PAYLOADS = [
    "{{7*7}}",
    "{% raw %}",
    "${HOME}",
    "$(id)",
    "`id`",
    "a\nb",
    "a\x1b[2Jb",
    "a\u202eb",
    "a\u2066b",
    "a\u2028b",
    "a\u2029b",
    "a\x85b",
    "- x",
    "&anchor x",
    "*alias",
    "!!python/object/apply:os.system [id]",
    "a: b",
    "a #b",
    "a:\t",
    "<script>alert(1)</script>",
    '"',
    "'",
    "=cmd|' /C calc'!A0",
    "+1+1",
    "@SUM(1)",
    "-oProxyCommand=id",
    "; id",
    "a b; id",
    "../../x",
    "/x/../../y",
    "a|b",
    "%n",
    "\\",
    "#",
    "٣",
]
UNPRINTABLE = {"a\nb", "a\x1b[2Jb", "a\u202eb", "a\u2066b", "a\u2028b", "a\u2029b", "a\x85b", "a:\t"}
FREE = {"Line": UNPRINTABLE}
"""Kinds that take other payloads than these, because they are free text."""
MEANT = {
    "OwnPath": {"../../x", "/x/../../y"},
    "Program": {"../../x", "/x/../../y"},
    "MountSource": {"/x/../../y"},
    "FieldPattern": {"*alias"},
}
"""Payloads that say something in a kind: paths on the operator's own machine, programs of nodes, and what a storage server exports may lead
upwards; in a pattern a star stands for anything."""


def records() -> list[type[BaseModel]]:
    waiting: list[type[BaseModel]] = [Site, *typing.get_args(Part)]
    reached: list[type[BaseModel]] = []
    while waiting:
        record = waiting.pop()
        if record not in reached:
            reached.append(record)
            waiting += [inner for field in record.model_fields.values() for inner in inner_records(field.annotation)]
    return reached


def inner_records(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in typing.get_args(annotation):
        yield from inner_records(argument)


def bare(annotation: Any, metadata: tuple[Any, ...] = ()) -> bool:
    """Whether there is a text, or anything at all, in the annotation that has no kind."""
    patterns = [getattr(part, "pattern", None) for part in flat(metadata)]
    if annotation is str:
        return not any(pattern in texts.KINDS for pattern in patterns)
    if annotation in (Any, object):
        return True
    if typing.get_origin(annotation) is typing.Literal:
        return False
    if typing.get_origin(annotation) is typing.Annotated:
        inner, *more = typing.get_args(annotation)
        return bare(inner, tuple(more))
    return any(bare(argument) for argument in typing.get_args(annotation))


def flat(metadata: Any) -> Iterator[Any]:
    for part in metadata:
        yield from part.metadata if isinstance(part, FieldInfo) else [part]


def test_no_bare_text_is_left_in_a_site() -> None:
    remaining = {
        f"{record.__name__}.{name}"
        for record in records()
        for name, field in record.model_fields.items()
        if bare(field.annotation, tuple(field.metadata)) and name in record.__annotations__
    }
    assert remaining == set(WITHOUT_A_KIND), "give the field a kind of model/texts.py"


def test_a_bare_text_would_be_noticed() -> None:
    class Careless(BaseModel):
        name: str
        names: dict[texts.Name, list[str | None]]
        kind: texts.Line | None

    bare_fields = [
        name for name, field in Careless.model_fields.items() if bare(field.annotation, tuple(field.metadata))
    ]
    assert bare_fields == ["name", "names"]


@pytest.mark.parametrize("name", [name for name, kind in vars(texts).items() if typing.get_origin(kind) is not None])
def test_a_kind_takes_its_example_and_no_code(name: str) -> None:
    adapter = TypeAdapter(getattr(texts, name))
    (kind,) = [texts.KINDS[part.pattern] for part in flat(typing.get_args(getattr(texts, name))[1:])]
    assert adapter.validate_python(kind.example) == kind.example
    assert kind.expected
    refused = set()
    for payload in PAYLOADS:
        try:
            adapter.validate_python(payload)
        except ValidationError:
            refused.add(payload)
    assert refused == FREE.get(name, set(PAYLOADS) - MEANT.get(name, set()))
