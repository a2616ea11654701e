from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from typing import Any

from rackwright.base import yaml_text
from rackwright.catalog import loader

WITHOUT_NUMBERS = ("unpublished", "plug_fit")
"""What nobody publishes, and which plugs a cage takes."""
OF_TEXTS = ("firmware_practice.yaml", "setting_practice.yaml")
"""How BMCs name and update components, and what they let be set: no numbers, so that every text has a source."""
FILES = sorted(file for file in loader.FOLDER.glob("**/*.yaml") if file.stem not in WITHOUT_NUMBERS)
STANDARDS = ("EIA/", "IEC ")
"""Standards that are only sold: their number finds them."""
META = ("sku", "kind", "manufacturer", "model", "support", "sources")


def numbers(value: Any, path: str = "", kinds: tuple[type, ...] = (int, float)) -> Iterator[str]:
    """Paths of what is of `kinds`; yes and no are no numbers."""
    if isinstance(value, kinds) and (bool in kinds or not isinstance(value, bool)):
        yield path
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in entries:
        if path or key not in META:
            yield from numbers(inner, f"{path}.{key}" if path else str(key), kinds)


def stated(name: str, data: dict[str, Any]) -> list[str]:
    """Paths of all that needs a source."""
    return list(numbers(data, kinds=(str, bool)) if name in OF_TEXTS else numbers(data))


def uncovered(data: dict[str, Any], name: str = "") -> list[str]:
    globs = [glob for source in data["sources"] for glob in source["covers"]]
    return [path for path in stated(name, data) if not any(fnmatch(path, glob) for glob in globs)]


def unused(data: dict[str, Any], name: str = "") -> list[str]:
    paths = stated(name, data)
    globs = [glob for source in data["sources"] for glob in source["covers"]]
    return [glob for glob in globs if not any(fnmatch(path, glob) for path in paths)]


@cache
def documents() -> dict[str, dict[str, Any]]:
    """Every catalogue file, by its name."""
    return {str(file.relative_to(loader.FOLDER)): yaml_text.load(file.read_text()) for file in FILES}


def test_every_number_has_a_source():
    without = [name for name, data in documents().items() if not stated(name, data)]
    assert without == ["devices/hcia-200.yaml"], "a part without numbers is no part, unless nobody publishes any"
    assert [f"{name}: {path}" for name, data in documents().items() for path in uncovered(data, name)] == []
    assert [f"{name}: {glob}" for name, data in documents().items() for glob in unused(data, name)] == []


def _can_be_found(source: dict[str, Any]) -> bool:
    linked = source.get("url", "").startswith(("https://", "http://"))
    return linked or source["level"] == "derived" or source["doc"].startswith(STANDARDS)


def test_sources_can_be_found():
    sources = [(name, source) for name, data in documents().items() for source in data["sources"]]
    assert len(sources) > 200
    assert [(name, source) for name, source in sources if not _can_be_found(source)] == []


def test_the_linter_finds_a_number_without_a_source():
    data = {"weight_kg": 3, "ports": [{"gbps": 400}], "sources": [{"covers": ["weight_kg", "psus.*"]}]}
    assert uncovered(data) == ["ports.0.gbps"]
    assert unused(data) == ["psus.*"]


def test_texts_need_a_source_where_there_are_no_numbers():
    data = {"dialects": {"x": {"targets": "none", "power_cycle": {"kind": "AC"}}}}
    data["sources"] = [{"covers": ["dialects.x.power_cycle.*", "dialects.x.fetches.*"]}]
    assert uncovered(data) == []
    assert uncovered(data, OF_TEXTS[0]) == ["dialects.x.targets"]
    assert unused(data, OF_TEXTS[0]) == ["dialects.x.fetches.*"]
