"""One page to explore a site without a server: halls, racks, devices, ports, both ends of every cable, and the effect of each loss.

The page holds the tables of the design as columns of numbers and one list of texts. Text is inserted as text, never as markup.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from rackwright import __version__
from rackwright.base import content
from rackwright.model.design import Design

MOST_CABLES = 120_000
"""Cables on the page: with more it would be too large for a browser (about 60 bytes each)."""


@dataclass(frozen=True)
class ShownLoss:
    """The effect of losing an element, or one that is wired alike."""

    of: str
    """The element that it was computed for."""
    says: tuple[str, ...]
    survives: bool
    down: tuple[str, ...]


class _Words:
    """Texts, each stored once and referred to by number."""

    def __init__(self) -> None:
        self.texts: dict[str, int] = {}

    def number(self, text: object) -> int:
        """The number of a text; None counts as the empty text."""
        return self.texts.setdefault("" if text is None else str(text), len(self.texts))

    def column(self, values: Iterable[object]) -> list[int]:
        """The numbers of several texts."""
        return [self.number(value) for value in values]


def render(design: Design, losses: Mapping[str, ShownLoss]) -> str:
    """The HTML page of `design` with the effect of each of `losses`."""
    folder = content.folder("templates", "report")
    environment = Environment(
        loader=FileSystemLoader(folder), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    parts = {name: Markup((folder / f"view.{name}").read_text(encoding="utf-8")) for name in ("css", "js")}  # noqa: S704 - our own files
    data = json.dumps(page_data(design, losses), separators=(",", ":"), ensure_ascii=True).replace("<", "\\u003c")
    template = environment.get_template("view.html.j2")
    return template.render(site=design.site.site, version=__version__, data=Markup(data), **parts)  # noqa: S704 - JSON without <


def page_data(design: Design, losses: Mapping[str, ShownLoss]) -> dict[str, Any]:
    """Everything that the page shows, ready for JSON."""
    words = _Words()
    racks, devices = design.racks, design.devices
    rack_at = {name: at for at, name in enumerate(racks["rack"])}
    device_at = {name: at for at, name in enumerate(devices["device"])}
    answers = list(dict.fromkeys(losses.values()))
    answer_at = {answer: at for at, answer in enumerate(answers)}
    return {
        "site": design.site.site,
        "halls": [[hall.name, hall.rows, hall.racks_per_row] for hall in design.site.facility.halls],
        "feeds": list(design.site.facility.power.feeds),
        "racks": racks.select("rack", "hall", "row", "position", "rack_units", "peak_watts").rows(),
        "devices": {
            "name": devices["device"].to_list(),
            "rack": [rack_at[name] for name in devices["rack"]],
            "unit": devices["unit"].to_list(),
            "high": devices["rack_units"].to_list(),
            **{name: words.column(devices[name]) for name in ("kind", "role", "sku", "fabric")},
        },
        "cables": _cables(design, device_at, words),
        "left_out": design.cables.height if design.cables.height > MOST_CABLES else 0,
        "losses": {element: answer_at[answer] for element, answer in losses.items()},
        "answers": [
            [answer.of, list(answer.says), answer.survives, [device_at[d] for d in answer.down]] for answer in answers
        ],
        "words": list(words.texts),
    }


def _cables(design: Design, device_at: Mapping[str, int], words: _Words) -> dict[str, list[Any]]:
    cables = design.cables if design.cables.height <= MOST_CABLES else design.cables.clear()
    return {
        "name": cables["cable"].to_list(),
        "a": [device_at.get(name, -1) for name in cables["a_device"]],
        "b": [device_at.get(name, -1) for name in cables["b_device"]],
        "gbps": cables["gbps"].to_list(),
        "meters": cables["length_meters"].to_list(),
        **{name: words.column(cables[name]) for name in ("fabric", "a_port", "b_port", "sku")},
    }
